/** Network addresses, and which of them count as one client. */

/** Returns the network of an address. An IPv6 client has at least a /64 (RFC 6177). */
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

/** An address with an optional port. IPv6 needs brackets before a port. */
const IPV4 = /^(\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?$/;
const IPV6 =
  /^(?:\[([\da-f:.]+)\](?::\d+)?|([\da-f.]*:[\da-f.]*:[\da-f:.]*))$/i;

/**
 * Returns the client of the outermost of `hops` trusted proxies: the nth address
 * from the right of `X-Forwarded-For`. Each proxy appends its client; everything
 * before is controlled by the client (RFC 7239, 8.1). Null if there is none.
 */
export function forwardedFor(header: string, hops: number): string | null {
  const written = header.split(",").at(-hops)?.trim() ?? "";
  const ipv4 = IPV4.exec(written)?.[1];
  if (ipv4 !== undefined) {
    // The parser also accepts other notations, and normalises them.
    return URL.parse(`http://${ipv4}`)?.hostname === ipv4 ? ipv4 : null;
  }
  const [, inBrackets, bare] = IPV6.exec(written) ?? [];
  const url = URL.parse(`http://[${inBrackets ?? bare}]`);
  return url && url.hostname.slice(1, -1);
}
