/** Network addresses: which of them count as one client, and which are in a list of networks. */
import { BlockList, isIP, isIPv6 } from "node:net";

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

/** Whether an address is in a list of networks; false for an unknown address. */
export type NetworkList = (hostname: string | null) => boolean;

/** Maximum number of addresses with a cached result: a lookup takes up to six microseconds. */
const MAX_KEPT = 64;

/**
 * Prepares a list of valid networks and addresses. A mapped IPv6 address counts as
 * the IPv4 address that it holds.
 */
export function networkList(networks: readonly string[]): NetworkList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    const family = familyOf(address);
    const all = family === "ipv4" ? 32 : 128;
    list.addSubnet(address, bits === undefined ? all : Number(bits), family);
  }
  const kept = new Map<string, boolean>();
  return (hostname) => {
    if (hostname === null) return false;
    const known = kept.get(hostname);
    if (known !== undefined) return known;
    const address = unmap(hostname);
    const isIn = isIP(address) !== 0 && list.check(address, familyOf(address));
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(hostname, isIn);
    return isIn;
  };
}

/** The shortest form of a mapped IPv6 address (RFC 4291, 2.5.5.2), with the IPv4 address in decimals or in two groups. */
const MAPPED = /^::ffff:(?:([\d.]+)|([\da-f]{1,4}):([\da-f]{1,4}))$/i;

/** Returns the IPv4 address that a mapped IPv6 address holds; any other text unchanged. */
function unmap(hostname: string): string {
  const [, ipv4, ...groups] = MAPPED.exec(hostname) ?? [hostname];
  if (ipv4 !== undefined) return ipv4;
  if (groups[0] === undefined) return hostname;
  return groups.map((group) => parseInt(group!, 16))
    .flatMap((group) => [group >> 8, group & 255]).join(".");
}

const familyOf = (address: string) => isIPv6(address) ? "ipv6" : "ipv4";
