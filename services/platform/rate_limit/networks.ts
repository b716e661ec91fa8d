/** Network addresses: which of them count as one client, and which are in a list of networks. */
import ipaddr from "ipaddr.js";

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
  const [address = ""] = hostname.split("/");
  if (!ipaddr.IPv6.isValid(address)) return [hostname];
  if (ipaddr.IPv6.parse(address).isIPv4MappedAddress()) return [hostname];
  return PREFIXES.map((bits) => {
    const { parts } = ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`);
    const groups = parts.slice(0, Math.ceil(bits / 16));
    return `${groups.map((group) => group.toString(16)).join(":")}::/${bits}`;
  });
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
  // Other notations, such as 010.0.0.1, are not one address to every program.
  if (ipv4 !== undefined) {
    return ipaddr.IPv4.isValidFourPartDecimal(ipv4) ? ipv4 : null;
  }
  const [, inBrackets, bare] = IPV6.exec(written) ?? [];
  const ipv6 = inBrackets ?? bare ?? "";
  return ipaddr.IPv6.isValid(ipv6) ? ipaddr.IPv6.parse(ipv6).toString() : null;
}

/** Whether an address is in a list of networks; false for an unknown address. */
export type NetworkList = (hostname: string | null) => boolean;

/**
 * Prepares a list of valid networks and addresses. A mapped IPv6 address counts as
 * the IPv4 address that it holds.
 */
export function networkList(networks: readonly string[]): NetworkList {
  const list = networks.map(subnetOf);
  return (hostname) => {
    if (hostname === null || !isAddress(hostname)) return false;
    const address = ipaddr.process(hostname);
    return list.some(([base, bits]) =>
      base.kind() === address.kind() && address.match(base, bits)
    );
  };
}

/** Returns the address and the bits of a network; of IPv4, if it holds mapped addresses only. */
function subnetOf(network: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const [text = "", given] = network.split("/");
  const [base, plain] = [ipaddr.parse(text), ipaddr.process(text)];
  const bits = Number(given ?? (base.kind() === "ipv4" ? 32 : 128));
  const isMapped = plain.kind() !== base.kind() && bits >= 96;
  return isMapped ? [plain, bits - 96] : [base, bits];
}

/** Whether a text is an address. `ipaddr.js` takes the retired `::10.0.0.1` for the mapped `::ffff:10.0.0.1`. */
const isAddress = (text: string) =>
  ipaddr.IPv4.isValidFourPartDecimal(text) ||
  ipaddr.IPv6.isValid(text) && !/^::\d+\./.test(text);
