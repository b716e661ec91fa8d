/**
 * Linking a GitHub account. The `state` of a sign-in can be used once. It is
 * bound to the wallet, its session, and a secret in the browser that started
 * it. So an attacker cannot make another person finish the attacker's sign-in,
 * which would link the wrong account (login CSRF).
 */
import type { ProfilesDeps } from "../deps.ts";
import { MINUTE_MS } from "../../platform/days.ts";
import { Fault } from "../../platform/fault.ts";
import {
  changeRequester,
  readerCallOptions,
} from "../../platform/rate_limit/call_budget.ts";
import { findSessionByHash, newToken } from "../../accounts/sessions.ts";
import { sha256Hex } from "../../platform/bytes.ts";
import { linkSocial, requireLinkable } from "./socials.ts";

type LinkDeps = Pick<
  ProfilesDeps,
  "findFirstTxAt" | "now" | "publicUrl" | "store" | "upstream"
>;

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
    throw invalidCallback();
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

function invalidCallback(): Fault {
  return linkRefused(
    "finish within ten minutes, once, in the browser that started and is still signed in; start again",
  );
}

function linkRefused(reason: string): Fault {
  return new Fault(`Cannot link the GitHub account: ${reason}`, {
    kind: "linkRefused",
  });
}
