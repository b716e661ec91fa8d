/**
 * Linking an account of GitHub. Whoever comes back from there is known by
 * `state`, which is good once; it belongs to the wallet that began, to its
 * session, and to a secret that only the browser holds in which it began. So
 * nobody can be brought to finish what another began: neither is a stranger's
 * account put into one's profile, nor one's own into a stranger's.
 */
import type { ProfilesDeps } from "../deps.ts";
import { Fault } from "../../platform/fault.ts";
import { readerCallOptions } from "../../platform/cache/read_through.ts";
import { newToken } from "../../accounts/sessions.ts";
import { sha256Hex } from "../../platform/sha256.ts";
import { linkSocial, requireLinkable } from "./socials.ts";

type LinkDeps = Pick<
  ProfilesDeps,
  "findFirstTxAt" | "now" | "publicUrl" | "store" | "upstream"
>;

/** How long somebody may take to sign in at GitHub. */
const SIGN_IN_MS = 10 * 60_000;

/** A sign-in that was begun. */
export interface BegunSignIn {
  /** Where to sign in. */
  readonly url: string;
  /** What only this browser may hold. */
  readonly browserSecret: string;
  /** Epoch ms. */
  readonly expiresAt: number;
}

/** Begins the sign-in of a wallet at GitHub; `redirectPath` is where it comes back to. */
export async function beginGitHub(
  deps: LinkDeps,
  wallet: string,
  { sessionToken, redirectPath }: {
    readonly sessionToken: string;
    readonly redirectPath: string;
  },
): Promise<BegunSignIn> {
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

/** What somebody came back with. */
export interface ReturnFromGitHub {
  readonly returned: URLSearchParams;
  /** Undefined where the browser holds none. */
  readonly browserSecret: string | undefined;
  readonly redirectPath: string;
  readonly requestId: string;
}

/** Links the account of whoever came back, and returns its login. */
export async function finishGitHub(
  deps: LinkDeps,
  { returned, browserSecret, redirectPath, requestId }: ReturnFromGitHub,
): Promise<string> {
  const gitHub = gitHubOf(deps);
  const state = returned.get("state") ?? "";
  // Gone before anything about it is checked, so that each failure costs it.
  const begun = await deps.store.socialProofs.takeState(sha256Hex(state));
  const now = deps.now().getTime();
  const isOwn = begun !== null && now < begun.expiresAt &&
    browserSecret !== undefined &&
    begun.browser === sha256Hex(browserSecret);
  const session = isOwn ? await deps.store.sessions.find(begun.session) : null;
  if (!isOwn || session === null || now >= session.expiresAt) throw notOwn();
  const { wallet, codeVerifier } = begun;
  const signIn = {
    state,
    codeVerifier,
    redirectUri: `${deps.publicUrl}${redirectPath}`,
  };
  const found = await gitHub.readUser(returned, signIn, readerCallOptions());
  if (found.kind === "denied") {
    throw linkRefused("GitHub was not allowed to say who you are");
  }
  if (found.kind === "refused") {
    throw linkRefused("GitHub does not know this sign-in; please begin again");
  }
  const { id, login } = found.user;
  await linkSocial(deps, wallet, {
    kind: "github",
    id,
    handle: login.toLowerCase(),
    verifiedAt: deps.now().getTime(),
    requestId,
  });
  return login;
}

function gitHubOf({ upstream }: Pick<ProfilesDeps, "upstream">) {
  if (upstream.github !== null) return upstream.github;
  throw new Fault(
    "Cannot link GitHub accounts: this deployment is not registered there",
    { kind: "linkingDisabled" },
  );
}

function notOwn(): Fault {
  return linkRefused(
    "accepted is one return within ten minutes, to the browser that began and is signed in still; please begin again",
  );
}

function linkRefused(reason: string): Fault {
  return new Fault(`Cannot link the GitHub account: ${reason}`, {
    kind: "linkRefused",
  });
}
