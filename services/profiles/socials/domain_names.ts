/** Validation of registered domains. */
import { invalidParameter } from "../../platform/fault.ts";

const EXPECTED = "a registered domain without a subdomain, such as example.com";

/**
 * Returns a domain in lower case and Punycode (RFC 3492). Throws a fault for
 * subdomains, public suffixes, IP addresses and local names. Only ICANN suffixes
 * count: anybody gets a name under a private one (pages hosts, dynamic DNS) free.
 */
export async function checkDomain(text: string): Promise<string> {
  const { parse } = await import("tldts");
  const given = text.trim().replace(/\.$/, "");
  const isName = /^[^\s\p{Cc}\/\\:@?#%[\]<>]{1,253}$/u.test(given);
  // A URL normalizes its host, including IPv4 addresses in other notations.
  const host = isName ? URL.parse(`http://${given}`)?.hostname ?? "" : "";
  const { domain, isIp, isIcann, isPrivate, publicSuffix } = parse(host, {
    allowPrivateDomains: true,
  });
  if (isPrivate === true) {
    const expected =
      `${EXPECTED}, and none under the private suffix ${publicSuffix}`;
    throw invalidParameter("domain", given, expected);
  }
  const isRegistered = !isIp && isIcann === true;
  if (!isRegistered || domain === null || domain !== host) {
    const expected = isRegistered && domain !== null
      ? `a registered domain without a subdomain: ${domain}`
      : EXPECTED;
    throw invalidParameter("domain", given, expected);
  }
  return domain;
}
