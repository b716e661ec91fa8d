/** Calls to the account endpoints on this origin, with the session cookie. */
import { problem } from "./problems.js";

const UNREACHABLE = "Firn is unreachable. Check your connection and try again.";
const SIGNED_OUT =
  "Your session has ended, or another tab is signed in with another wallet. " +
  "Reload the page.";

/** @type {string | null} */
let shown = null;

/**
 * Makes the calls for one wallet only: they fail while the browser is signed in with another one.
 * @param {string} wallet
 */
export function callFor(wallet) {
  shown = wallet;
}

/**
 * Calls an endpoint. Throws a problem if it fails.
 * @param {"GET" | "POST" | "PUT" | "DELETE"} method
 * @param {string} path below `/api/account`
 * @param {unknown} [body]
 * @returns {Promise<any>} the body of the response, null if there is none
 */
export async function call(method, path, body) {
  const response = await fetch(`/api/account${path}`, {
    method,
    headers: {
      ...shown === null ? {} : { "Firn-Wallet": shown },
      ...body === undefined ? {} : { "Content-Type": "application/json" },
    },
    ...body === undefined ? {} : { body: JSON.stringify(body) },
  }).catch(() => {
    throw problem(UNREACHABLE, { code: "UNREACHABLE" });
  });
  const answer = await response.json().catch(() => null);
  if (response.ok) return answer;
  const { code, message } = answer ?? {};
  const retryAfterS = Number(response.headers.get("Retry-After"));
  throw problem(
    code === "SIGNED_OUT"
      ? SIGNED_OUT
      : message ?? `The request failed with status ${response.status}.`,
    { code, retryAfterMs: retryAfterS > 0 ? retryAfterS * 1_000 : undefined },
  );
}
