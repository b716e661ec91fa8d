/** GitHub, as far as linking an account needs it: OAuth 2.0 with PKCE (RFC 7636), and the user's account. */
import { html } from "hono/html";
import { encodeBase64Url } from "hono/utils/encode";
import { SIMULATED_HEADER } from "../upstreams.ts";
import { simulatedPage } from "./simulated_page.ts";

/** An OAuth app that is registered at GitHub. */
interface OAuthApp {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
}

/** The accounts, as `/user` answers them: one with public work, one without. */
export const GITHUB_ACCOUNTS = [
  {
    id: 1_420_001,
    login: "demo-veteran",
    type: "User",
    created_at: "2014-03-01T09:00:00Z",
    public_repos: 41,
    followers: 120,
  },
  {
    id: 1_420_002,
    login: "demo-quiet",
    type: "User",
    created_at: "2025-10-01T09:00:00Z",
    public_repos: 0,
    followers: 0,
  },
] as const;

type Account = (typeof GITHUB_ACCOUNTS)[number];

interface Grant {
  readonly account: Account;
  readonly challenge: string;
}

/** Returns the handler of a GitHub with one app. */
export function simulatedGitHub(
  { clientId, clientSecret, redirectUri }: OAuthApp,
): (request: Request) => Promise<Response> {
  const grants = new Map<string, Grant>();
  const tokens = new Map<string, Account>();

  /** Asks the user to choose an account, and sends them back with a code. */
  async function authorize(request: Request, query: URLSearchParams) {
    const state = query.get("state");
    const challenge = query.get("code_challenge");
    const isOwn = query.get("client_id") === clientId &&
      query.get("redirect_uri") === redirectUri;
    if (
      !isOwn || !state || !challenge ||
      query.get("code_challenge_method") !== "S256"
    ) return refused(400, "invalid_request");
    if (request.method !== "POST") return await signInPage();
    const chosen = (await request.formData()).get("account");
    const account = GITHUB_ACCOUNTS.find(({ id }) => String(id) === chosen);
    const back = new URL(redirectUri);
    if (account === undefined) {
      back.searchParams.set("error", "access_denied");
    } else {
      const code = crypto.randomUUID();
      grants.set(code, { account, challenge });
      back.searchParams.set("code", code);
    }
    back.searchParams.set("state", state);
    return new Response(null, {
      status: 303,
      headers: { Location: back.href },
    });
  }

  /** Exchanges a code for a token, once. GitHub rejects a code with status 200. */
  async function exchange(request: Request) {
    const form = await request.formData();
    const code = String(form.get("code"));
    const grant = grants.get(code);
    grants.delete(code);
    if (
      form.get("client_id") !== clientId ||
      form.get("client_secret") !== clientSecret
    ) return refused(200, "incorrect_client_credentials");
    const isOwn = form.get("redirect_uri") === redirectUri &&
      grant?.challenge === await challengeOf(String(form.get("code_verifier")));
    if (!grant || !isOwn) return refused(200, "bad_verification_code");
    const token = crypto.randomUUID();
    tokens.set(token, grant.account);
    return simulated({ access_token: token, token_type: "bearer", scope: "" });
  }

  function readUser(request: Request) {
    const [, token = ""] = /^Bearer (.+)$/.exec(
      request.headers.get("Authorization") ?? "",
    ) ?? [];
    const account = tokens.get(token);
    return account ? simulated(account) : refused(401, "Bad credentials");
  }

  return async function answer(request) {
    const { pathname, searchParams } = new URL(request.url);
    switch (`${request.method} ${pathname}`) {
      case "GET /login/oauth/authorize":
      case "POST /login/oauth/authorize":
        return await authorize(request, searchParams);
      case "POST /login/oauth/access_token":
        return await exchange(request);
      case "GET /user":
        return readUser(request);
      default:
        return refused(404, "Not Found");
    }
  };
}

/** Returns the challenge of a verifier (RFC 7636, 4.2). */
async function challengeOf(verifier: string): Promise<string> {
  const bytes = new TextEncoder().encode(verifier);
  const hash = await crypto.subtle.digest("SHA-256", bytes);
  return encodeBase64Url(hash).replace(/=+$/, "");
}

/** Renders the sign-in page, whose form keeps the query of its URL. */
function signInPage(): Promise<Response> {
  return simulatedPage(
    "Simulated GitHub",
    html`
      <p>Firn asks only who you are and requests no permissions. Choose an account.</p>
      <form method="post">
        ${GITHUB_ACCOUNTS.map(({ id, login, created_at, public_repos }) =>
          html`
            <button name="account" value="${id}">Continue as ${login}</button>
            <p>Since ${created_at.slice(
              0,
              4,
            )}, ${public_repos} public repositories</p>
          `
        )}
        <button name="account" value="">Cancel</button>
      </form>
    `,
  );
}

function refused(status: number, error: string): Response {
  return simulated({ error }, status);
}

function simulated(body: unknown, status = 200): Response {
  return Response.json(body, { status, headers: [[...SIMULATED_HEADER]] });
}
