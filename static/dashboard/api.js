/** Calls of the account's endpoints, on our own origin with the session's cookie. */
import { problem } from "./problems.js";

const UNREACHABLE =
  "Firn cannot be reached: check your connection and try again.";
const SIGNED_OUT = "Your session has ended: load the page again to sign in.";

/**
 * Calls an endpoint; throws a problem unless it succeeds.
 * @param {"GET" | "POST" | "DELETE"} method
 * @param {string} path below `/api/account`
 * @param {unknown} [body]
 * @returns {Promise<any>} the answer's body, null where it has none
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
      : message ?? `Firn could not answer (status ${response.status}).`,
    { code, retryAfterMs: retryAfterS > 0 ? retryAfterS * 1_000 : undefined },
  );
}
