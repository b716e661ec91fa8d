/** Linking a domain: its zone has to say what only its owner was told. */
import type { DomainAnswer } from "../profiles_schema.ts";
import type { ProfilesDeps } from "../deps.ts";
import { checkDomain } from "./domain_names.ts";
import { DAY_MS } from "../../platform/days.ts";
import { Fault } from "../../platform/fault.ts";
import { newToken } from "../../accounts/sessions.ts";
import { linkSocial, requireLinkable } from "./socials.ts";

type LinkDeps = Pick<
  ProfilesDeps,
  "findFirstTxAt" | "now" | "store" | "upstream"
>;

/** How long the owner may take to change the zone. */
const CLAIM_MS = 7 * DAY_MS;

/** Tells a wallet what the zone of a domain has to say; the same while it is good. */
export async function claimDomain(
  { now, store }: LinkDeps,
  wallet: string,
  text: string,
): Promise<DomainAnswer> {
  const domain = await checkDomain(text);
  await requireLinkable({ store }, wallet, "domain");
  const at = now().getTime();
  const { token, expiresAt } = await store.socialProofs.putClaim(wallet, {
    domain,
    claim: { token: newToken(), expiresAt: at + CLAIM_MS },
    now: at,
  });
  return {
    domain,
    record: { type: "TXT", ...recordOf(domain, token) },
    expiresAt: new Date(expiresAt).toISOString(),
  };
}

/** Links a domain whose zone says what the wallet was told. */
export async function verifyDomain(
  deps: LinkDeps,
  wallet: string,
  { domain: text, requestId }: { domain: string; requestId: string },
): Promise<void> {
  const domain = await checkDomain(text);
  await requireLinkable(deps, wallet, "domain");
  const at = deps.now().getTime();
  const claim = await deps.store.socialProofs.findClaim(wallet, domain, at);
  if (claim === null) {
    throw new Fault(
      `Cannot verify ${domain}: ask first for the record that its zone has to have`,
      { kind: "badInput", parameter: "domain" },
    );
  }
  const { name, value } = recordOf(domain, claim.token);
  const found = await deps.upstream.domains.readTexts(name);
  if (found.kind === "alias" || !found.texts.includes(value)) {
    const reason = found.kind === "alias"
      ? `${name} is an alias; accepted is a TXT record of its own`
      : `${name} has no TXT record "${value}" yet; a change can take an hour to be seen`;
    const failure = { kind: "recordMissing", name, value } as const;
    throw new Fault(`Cannot verify ${domain}: ${reason}`, failure);
  }
  await linkSocial(deps, wallet, {
    kind: "domain",
    id: null,
    handle: domain,
    verifiedAt: at,
    requestId,
  });
}

/** A name of its own, as RFC 8552 has it; the token says nothing of the wallet. */
function recordOf(domain: string, token: string) {
  return { name: `_firn.${domain}`, value: `firn-verification=${token}` };
}
