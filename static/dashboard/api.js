/** Calls to the account endpoints on this origin, with the session cookie. */
import { problem } from "./problems.js";

const UNREACHABLE = "Firn is unreachable. Check your connection and try again.";
const SIGNED_OUT = "Your session has ended. Reload the page to sign in again.";

/**
 * Calls an endpoint. Throws a problem if it fails.
 * @param {"GET" | "POST" | "PUT" | "DELETE"} method
 * @param {string} path below `/api/account`
 * @param {unknown} [body]
 * @returns {Promise<any>} the body of the response, null if there is none
 */
export async function call(method, path, body) {
  const init = body === undefined ? { method } : {
    method,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  };
  const response = await fetch(`/api/account${path}`, init).catch(() => {
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
