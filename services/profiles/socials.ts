/**
 * Linking and unlinking of verified accounts. The owner of a domain proves it with a TXT
 * record, that of a GitHub account with a sign-in. The `state` of a sign-in can be used
 * once. It is bound to the wallet, its session, and a secret in the browser that started
 * it. So an attacker cannot make another person finish the sign-in of the attacker,
 * which would link the wrong account (login CSRF).
 */
import type { SocialKind } from "../model/score_terms_schema.ts";
import type { ProfilesDeps } from "./profiles.ts";
import { Fault } from "../platform/fault.ts";
import type { Profile, VerifiedSocial } from "./profile.ts";
import { grantByStoredSignals } from "./verified_humans.ts";
import {
  changeRequester,
  readerCallOptions,
} from "../platform/rate_limit/call_budget.ts";
import type { DomainAnswer } from "./profiles_schema.ts";
import { checkDomain } from "./names.ts";
import { DAY_MS, MINUTE_MS } from "../platform/days.ts";
import { findSessionByHash, newToken } from "../accounts/sessions.ts";
import { sha256Hex } from "../platform/bytes.ts";

/** Throws a fault unless the wallet has a profile without an account of this kind. */
async function requireLinkable(
  { store }: Pick<ProfilesDeps, "store">,
  wallet: string,
  kind: SocialKind,
): Promise<void> {
  checkLinkable(await store.profiles.find(wallet), kind);
}

/** Links a verified account to a profile, and grants a Verified Human number if it is due. */
export async function linkSocial(
  deps: Pick<ProfilesDeps, "findFirstTxAt" | "now" | "store" | "upstream">,
  wallet: string,
  { requestId, ...social }: VerifiedSocial & { readonly requestId: string },
): Promise<void> {
  const { kind, handle, verifiedAt: at } = social;
  const changed = await deps.store.profiles.change(wallet, (held) => {
    const profile = checkLinkable(held, kind);
    return {
      profile: { ...profile, socials: [...profile.socials, social] },
      audit: { at, event: "social.link", requestId, kind, handle },
    };
  });
  if (changed.kind === "socialTaken") throw socialTaken(kind);
  if (changed.kind !== "changed") return;
  const { profile } = changed;
  await grantByStoredSignals(deps, wallet, { profile, requestId });
}

/** Unlinks an account, which others may link then. A Verified Human number is kept. */
export async function unlinkSocial(
  { now, store }: Pick<ProfilesDeps, "now" | "store">,
  wallet: string,
  { kind, requestId }: { kind: SocialKind; requestId: string },
): Promise<void> {
  const at = now().getTime();
  await store.profiles.change(wallet, (held) => {
    const social = held?.socials.find((social) => social.kind === kind);
    if (!held || !social) {
      throw new Fault(`Cannot unlink ${kind}: no such account is linked`, {
        kind: "unknownSocial",
        social: kind,
      });
    }
    const socials = held.socials.filter((other) => other !== social);
    const { handle } = social;
    return {
      profile: { ...held, socials },
      audit: { at, event: "social.unlink", requestId, kind, handle },
    };
  });
}

type LinkDeps = Pick<
  ProfilesDeps,
  "findFirstTxAt" | "now" | "publicUrl" | "store" | "upstream"
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

/** Returns the fault for an account that another profile has. */
export function socialTaken(kind: SocialKind): Fault {
  return new Fault(
    `Cannot link this ${kind} account: another profile has it; unlink it there first`,
    { kind: "socialTaken", social: kind },
  );
}

function checkLinkable(profile: Profile | null, kind: SocialKind): Profile {
  if (profile === null) {
    throw new Fault(
      "Cannot link an account: the wallet has no profile; save one first",
      { kind: "profileRequired" },
    );
  }
  if (profile.socials.some((social) => social.kind === kind)) {
    throw new Fault(
      `Cannot link another ${kind} account: one is already linked; unlink it first`,
      { kind: "socialHeld", social: kind },
    );
  }
  return profile;
}

/** How long a sign-in at GitHub may take. */
export const SIGN_IN_MS = 10 * MINUTE_MS;

/** A started sign-in. */
export interface StartedSignIn {
  /** The sign-in page at GitHub. */
  readonly url: string;
  /** Secret for the cookie of this browser. */
  readonly browserSecret: string;
  /** Epoch ms. */
  readonly expiresAt: number;
}

/** Starts a sign-in at GitHub, which returns to `redirectPath`. */
export async function startGitHubLink(
  deps: LinkDeps,
  wallet: string,
  { sessionToken, redirectPath }: {
    readonly sessionToken: string;
    readonly redirectPath: string;
  },
): Promise<StartedSignIn> {
  const gitHub = gitHubOf(deps);
  await requireLinkable(deps, wallet, "github");
  const [state, codeVerifier, browserSecret] = [
    newToken(),
    newToken(),
    newToken(),
  ];
  const expiresAt = deps.now().getTime() + SIGN_IN_MS;
  await deps.store.socialProofs.putState(sha256Hex(state), {
    wallet,
    session: sha256Hex(sessionToken),
    browser: sha256Hex(browserSecret),
    codeVerifier,
    expiresAt,
  });
  const redirectUri = `${deps.publicUrl}${redirectPath}`;
  const url = await gitHub.signInUrl({ state, codeVerifier, redirectUri });
  return { url, browserSecret, expiresAt };
}

/** The callback from GitHub. */
interface GitHubCallback {
  readonly returned: URLSearchParams;
  /** Undefined if the browser sent no cookie. */
  readonly browserSecret: string | undefined;
  readonly redirectPath: string;
  readonly requestId: string;
  /** The network address of the request; null if unknown. */
  readonly hostname: string | null;
}

/** Links the account of the callback, and returns its login. */
export async function finishGitHubLink(
  deps: LinkDeps,
  { returned, browserSecret, redirectPath, requestId, hostname }:
    GitHubCallback,
): Promise<string> {
  const gitHub = gitHubOf(deps);
  const state = returned.get("state") ?? "";
  // Removed before it is checked, so that every failure consumes it.
  const started = await deps.store.socialProofs.takeState(sha256Hex(state));
  const now = deps.now().getTime();
  const isOwn = started !== null && now < started.expiresAt &&
    browserSecret !== undefined &&
    started.browser === sha256Hex(browserSecret);
  const session = isOwn
    ? await findSessionByHash(deps, started.session, { hostname })
    : null;
  if (!isOwn || session === null) {
    throw linkRefused(
      "finish within ten minutes, once, in the browser that started and is still signed in; start again",
    );
  }
  const { wallet, codeVerifier } = started;
  const signIn = {
    state,
    codeVerifier,
    redirectUri: `${deps.publicUrl}${redirectPath}`,
  };
  const found = await gitHub.readUser(
    returned,
    signIn,
    readerCallOptions(changeRequester({ wallet, hostname })),
  );
  if (found.kind === "denied") {
    throw linkRefused("you declined access at GitHub");
  }
  if (found.kind === "refused") {
    throw linkRefused("GitHub rejected the sign-in; start again");
  }
  const { id, login, account } = found.user;
  await linkSocial(deps, wallet, {
    kind: "github",
    id,
    handle: login.toLowerCase(),
    account,
    verifiedAt: deps.now().getTime(),
    requestId,
  });
  return login;
}

function gitHubOf({ upstream }: Pick<ProfilesDeps, "upstream">) {
  if (upstream.github !== null) return upstream.github;
  throw new Fault(
    "Cannot link GitHub accounts: this deployment has no GitHub app",
    { kind: "linkingDisabled" },
  );
}

function linkRefused(reason: string): Fault {
  return new Fault(`Cannot link the GitHub account: ${reason}`, {
    kind: "linkRefused",
  });
}
