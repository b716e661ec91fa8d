/** Network addresses, and which of them count as one client. */

/** Returns the network of an address: an IPv6 client has at least a /64 to itself (RFC 6177). */
export function networkOf(hostname: string): string {
  if (!hostname.includes(":")) return hostname;
  const [address] = hostname.split("%");
  const url = URL.parse(`http://[${address}]`);
  if (url === null || /^\[::ffff:/.test(url.hostname)) return hostname;
  const [head = "", tail = ""] = url.hostname.slice(1, -1).split("::");
  const start = head === "" ? [] : head.split(":");
  const end = tail === "" ? [] : tail.split(":");
  const zeroes = Array.from({ length: 8 - start.length - end.length }, () => 0);
  return `${[...start, ...zeroes, ...end].slice(0, 4).join(":")}::/64`;
}

/** An address, and perhaps a port, as proxies write them: IPv6 has brackets where a port follows. */
const IPV4 = /^(\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?$/;
const IPV6 =
  /^(?:\[([\da-f:.]+)\](?::\d+)?|([\da-f.]*:[\da-f.]*:[\da-f:.]*))$/i;

/**
 * Returns who asked the outermost of `hops` proxies that we trust: the nth
 * address from the right of `X-Forwarded-For`, since each of them appends whom it
 * was asked by, and all before is the client's own words (RFC 7239, 8.1). Null
 * where there is no such address.
 */
export function forwardedFor(header: string, hops: number): string | null {
  const written = header.split(",").at(-hops)?.trim() ?? "";
  const ipv4 = IPV4.exec(written)?.[1];
  if (ipv4 !== undefined) {
    // The parser takes other spellings too, and returns them in this one.
    return URL.parse(`http://${ipv4}`)?.hostname === ipv4 ? ipv4 : null;
  }
  const [, inBrackets, bare] = IPV6.exec(written) ?? [];
  const url = URL.parse(`http://[${inBrackets ?? bare}]`);
  return url && url.hostname.slice(1, -1);
}
