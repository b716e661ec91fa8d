/** Linking a domain: the owner proves it with a TXT record. */
import { readerCallOptions } from "../../platform/cache/read_through.ts";
import { changeRequester } from "../../platform/rate_limit/requesters.ts";
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

/** How long the owner has to publish the record. */
export const CLAIM_MS = 7 * DAY_MS;

/** Returns the record that proves a domain. It stays the same until it expires. */
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

/** Links a domain if its record matches. */
export async function verifyDomain(
  deps: LinkDeps,
  wallet: string,
  { domain: text, requestId, hostname }: {
    readonly domain: string;
    readonly requestId: string;
    /** The network address of the request; null if unknown. */
    readonly hostname: string | null;
  },
): Promise<void> {
  const domain = await checkDomain(text);
  await requireLinkable(deps, wallet, "domain");
  const at = deps.now().getTime();
  const claim = await deps.store.socialProofs.findClaim(wallet, domain, at);
  if (claim === null) {
    throw new Fault(
      `Cannot verify ${domain}: request its record first with POST /socials/domain`,
      { kind: "badInput", parameter: "domain" },
    );
  }
  const { name, value } = recordOf(domain, claim.token);
  const found = await deps.upstream.domains.readTexts(
    name,
    readerCallOptions(changeRequester({ wallet, hostname })),
  );
  if (found.kind === "alias" || !found.texts.includes(value)) {
    const reason = found.kind === "alias"
      ? `${name} is an alias; expected a TXT record`
      : `${name} has no TXT record "${value}"; a change can take an hour to propagate`;
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

/** Returns the record: an underscored name (RFC 8552), and a token that does not reveal the wallet. */
function recordOf(domain: string, token: string) {
  return { name: `_firn.${domain}`, value: `firn-verification=${token}` };
}
