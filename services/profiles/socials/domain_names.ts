/** Domains that somebody can own. */
import { Fault } from "../../platform/fault.ts";

const ACCEPTED =
  "accepted is a registered domain such as example.com, without anything before it";

/**
 * Returns a domain in the form of the name system: lower case, and ASCII by
 * Punycode (RFC 3492). Throws a fault for everything that nobody registers: host
 * names below a domain, public suffixes, addresses, names of one's own network.
 */
export async function checkDomain(text: string): Promise<string> {
  const { parse } = await import("tldts");
  const given = text.trim().replace(/\.$/, "");
  const isName = /^[^\s\p{Cc}\/\\:@?#%[\]<>]{1,253}$/u.test(given);
  // A URL's host is in the one form, also where it is an IPv4 address in disguise.
  const host = isName ? URL.parse(`http://${given}`)?.hostname ?? "" : "";
  const { domain, isIp, isIcann, isPrivate } = parse(host, {
    allowPrivateDomains: true,
  });
  const isRegistered = !isIp && (isIcann === true || isPrivate === true);
  if (!isRegistered || domain === null || domain !== host) {
    const hint = isRegistered && domain !== null ? `: ${domain}` : "";
    throw new Fault(
      `Cannot accept domain "${given.slice(0, 60)}": ${ACCEPTED}${hint}`,
      { kind: "badInput", parameter: "domain" },
    );
  }
  return domain;
}
