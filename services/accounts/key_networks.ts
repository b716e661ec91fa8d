/** The networks that a key may be used from. */
import { BlockList, isIP, isIPv6 } from "node:net";

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
