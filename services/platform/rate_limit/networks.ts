/** Network addresses, and which of them count as one client. */

/**
 * Prefixes of IPv6 by which clients are limited: a /64 is the least that a
 * client has, providers assign a /56 or a /48 to a site (RFC 6177).
 */
const PREFIXES = [64, 56, 48] as const;

/** The limits of the networks of `networksOf`, as multiples of the limit of the smallest one. */
export const NETWORK_SIZES = [1, 2, 4] as const;

/** Returns the network of an address: an IPv4 address or an IPv6 /64. */
export function networkOf(hostname: string): string {
  return networksOf(hostname)[0]!;
}

/**
 * Returns the networks of an address or of a /64, smallest first: an IPv4 address,
 * or an IPv6 /64, /56 and /48.
 */
export function networksOf(hostname: string): string[] {
  const groups = groupsOf(hostname);
  if (groups === null) return [hostname];
  return PREFIXES.map((bits) => `${prefixOf(groups, bits)}::/${bits}`);
}

/** Returns the eight groups of an IPv6 address or network; null for any other text and for a mapped IPv4 address. */
function groupsOf(hostname: string): number[] | null {
  if (!hostname.includes(":")) return null;
  const [address] = hostname.split(/[%/]/);
  const url = URL.parse(`http://[${address}]`);
  if (url === null || /^\[::ffff:/.test(url.hostname)) return null;
  const [head = "", tail = ""] = url.hostname.slice(1, -1).split("::");
  const start = head === "" ? [] : head.split(":");
  const end = tail === "" ? [] : tail.split(":");
  const zeroes = Array.from(
    { length: 8 - start.length - end.length },
    () => "0",
  );
  return [...start, ...zeroes, ...end].map((group) => parseInt(group, 16));
}

/** Returns the groups of a prefix of at most 64 bits, as text. */
function prefixOf(groups: readonly number[], bits: number): string {
  return groups.slice(0, Math.ceil(bits / 16)).map((group, nth) => {
    const kept = Math.min(16, bits - 16 * nth);
    return (group >> (16 - kept) << (16 - kept)).toString(16);
  }).join(":");
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
