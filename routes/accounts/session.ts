/** Middleware of account routes: the session cookie, and protection against cross-site requests. */
import type { Context, MiddlewareHandler } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { RequestIdVariables } from "hono/request-id";
import { ErrorBody } from "../../services/platform/wire_schema.ts";
import type { AccountsDeps } from "../../services/accounts/deps.ts";
import { crossSite, Fault } from "../../services/platform/fault.ts";
import {
  findSession,
  type StartedSession,
} from "../../services/accounts/sessions.ts";
import { type PaidTime, timeAt } from "../../services/payments/billing.ts";
import { limitFreeAction } from "../../services/platform/rate_limit/change_limits.ts";
import { isJsonType } from "../http/body.ts";
import {
  addressOf,
  clientOf,
  SESSION_COOKIE as COOKIE,
} from "../http/client_address.ts";
import { BAD_QUERY, json } from "../http/router.ts";

/** Variables of account routes. `wallet` is set behind `signedIn` only. */
export interface AccountEnv {
  Variables: RequestIdVariables & {
    wallet: string;
    /** The paid time that runs; null on the free plan. Set for what may store something, but for payments. */
    paid: PaidTime | null;
  };
}

/** Methods that may store something. What is deleted takes no room. */
const STORING = ["POST", "PUT"];

/** Every route behind `signedIn` needs the session's cookie. */
export const SESSION = [{ Session: [] }];

/** Describes the errors of a route that changes something, signed in or not. */
export const CHANGE_ERRORS = {
  ...BAD_QUERY,
  403: json(ErrorBody, "The request may come from another site"),
  413: json(ErrorBody, "The body is too large"),
};

/** Describes the errors of a route that reads for a wallet signed in. */
export const READ_ERRORS = {
  ...BAD_QUERY,
  401: json(ErrorBody, "Not signed in, or the signature is invalid"),
  503: json(
    ErrorBody,
    "A node that must confirm a smart account's session is unreachable; retry later",
  ),
};

/** Describes the errors of a route that changes something for a wallet. */
export const ACCOUNT_ERRORS = {
  ...CHANGE_ERRORS,
  ...READ_ERRORS,
  429: json(
    ErrorBody,
    "Too many changes of one wallet, or from one network without a plan; wait as long as Retry-After says",
  ),
};

/** Describes the errors of a route that a smart account may sign for. */
export const PROOF_ERRORS = {
  503: json(ErrorBody, "A node is unreachable; sign a new message later"),
};

type CookieDeps = Pick<AccountsDeps, "publicUrl">;

/** Header with the wallet that a page shows. Another tab may have signed in with another one. */
const SHOWN_WALLET = "Firn-Wallet";

/** Describes a route of the signed-in wallet. */
export const ofWallet = (deps: AccountsDeps) => ({
  tags: ["Account"],
  security: SESSION,
  middleware: signedIn(deps),
});

/**
 * Requires a session and sets `wallet`. If the request names the wallet that the page
 * shows, the session must be of that wallet. What a wallet without a plan stores is
 * counted by its network, since anyone can create any number of wallets; a payment is
 * not counted.
 */
export function signedIn(
  deps: AccountsDeps,
  { isPayment = false } = {},
): MiddlewareHandler<AccountEnv> {
  return async (c, next) => {
    const wallet = await requireSession(deps, c);
    c.set("wallet", wallet);
    if (!isPayment && STORING.includes(c.req.method)) {
      const plans = await deps.store.plans.find(wallet);
      const paid = timeAt(plans?.times ?? [], deps.now().getTime());
      c.set("paid", paid);
      if (paid === null) {
        await limitFreeAction(deps, "freeWrite", clientOf(deps, c));
      }
    }
    await next();
  };
}

/**
 * Returns the wallet of the session, or throws a fault. With `mustConfirm`, as
 * before a signed action, the contract of a smart account is asked in any case.
 */
export async function requireSession(
  deps: AccountsDeps,
  c: Context,
  { mustConfirm = false } = {},
): Promise<string> {
  const wallet = await findWallet(deps, c, { mustConfirm });
  if (wallet === null) {
    throw new Fault("Cannot open the account: not signed in", {
      kind: "signedOut",
    });
  }
  requireShown(c, wallet);
  return wallet;
}

/** Returns the wallet of the session; null if nobody is signed in. */
export async function findWallet(
  deps: AccountsDeps,
  c: Context,
  { mustConfirm = false } = {},
): Promise<string | null> {
  return await findSession(deps, readSessionToken(deps, c), {
    hostname: addressOf(deps, c.req.raw, c.env),
    mustConfirm,
  });
}

/** Throws a fault if the page shows another wallet than that of the session. */
export function requireShown(c: Context, wallet: string): void {
  if ((c.req.header(SHOWN_WALLET) ?? wallet).toLowerCase() === wallet) return;
  throw new Fault(
    `Cannot open the account: signed in with another wallet than ${SHOWN_WALLET} names`,
    { kind: "signedOut" },
  );
}

/** Keeps responses out of caches and unreadable for other sites. */
export const keepPrivate: MiddlewareHandler = async (c, next) => {
  await next();
  c.res.headers.set("Cache-Control", "no-store");
  c.res.headers.delete("Access-Control-Expose-Headers");
};

/** Methods that change nothing (RFC 9110, 9.2.1). */
const SAFE_METHODS = ["GET", "HEAD", "OPTIONS"];

/** Refuses changes from pages of other sites: browsers would send our cookie with them. */
export function sameOrigin(
  { publicUrl }: Pick<AccountsDeps, "publicUrl">,
): MiddlewareHandler {
  const { origin } = new URL(publicUrl);
  return async (c, next) => {
    if (SAFE_METHODS.includes(c.req.method)) return await next();
    const given = c.req.header("Origin");
    if (given !== origin) throw crossSite("Origin", given, origin);
    const site = c.req.header("Sec-Fetch-Site") ?? "same-origin";
    if (site !== "same-origin") {
      throw crossSite("Sec-Fetch-Site", site, "same-origin");
    }
    const type = c.req.header("Content-Type") ?? "";
    if (!isJsonType(type) && (type !== "" || await c.req.text() !== "")) {
      throw crossSite("Content-Type", type, "application/json");
    }
    await next();
  };
}

/** Describes the session's cookie for OpenAPI. */
export function sessionScheme(deps: CookieDeps) {
  const name = isSecure(deps) ? `__Host-${COOKIE}` : COOKIE;
  return { type: "apiKey", in: "cookie", name } as const;
}

/** Returns the session token of a request, not yet validated. */
export function readSessionToken(
  deps: CookieDeps,
  c: Context,
): string | undefined {
  return getCookie(c, COOKIE, ...isSecure(deps) ? ["host"] as const : []);
}

/** Sets the session cookie: HttpOnly and SameSite=Strict. */
export function writeSessionCookie(
  deps: CookieDeps & Pick<AccountsDeps, "now">,
  c: Context,
  { token, expiresAt }: StartedSession,
): void {
  // Max-Age and not Expires: the browser's clock may be wrong.
  const maxAge = Math.floor((expiresAt - deps.now().getTime()) / 1000);
  setCookie(c, COOKIE, token, { ...attributesOf(deps, "Strict"), maxAge });
}

/** Deletes the session cookie. */
export function deleteSessionCookie(deps: CookieDeps, c: Context): void {
  deleteCookie(c, COOKIE, attributesOf(deps, "Strict"));
}

/** Returns attributes of a cookie. RFC 6265bis, 4.1.3.2: a `__Host-` cookie cannot come from a subdomain or over http. */
export function attributesOf(deps: CookieDeps, sameSite: "Strict" | "Lax") {
  return {
    path: "/",
    httpOnly: true,
    sameSite,
    ...(isSecure(deps) ? { prefix: "host", secure: true } as const : {}),
  } as const;
}

/** Returns whether cookies are sent over https only, with the prefix `__Host-`. */
export const isSecure = ({ publicUrl }: CookieDeps): boolean =>
  publicUrl.startsWith("https:");
