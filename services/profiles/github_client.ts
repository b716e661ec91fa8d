/** GitHub client: identifies a user by OAuth 2.0 with PKCE (RFC 6749, 4.1; RFC 7636). */
import { z } from "zod";
import type { AccountFacts } from "../model/signals.ts";
import type { CallOptions } from "../platform/rate_limit/call_budget.ts";
import { upstreamDown } from "../platform/fault.ts";
import { uninstrumented } from "../platform/observability/process_metrics.ts";
import {
  callOf,
  describe,
  OTHER_SHAPE,
  refusedByStatus,
} from "../platform/http/upstream_answer.ts";
import { getJson, type Http } from "../platform/http/http_client.ts";

/** This service's registration at GitHub. */
interface GitHubApp {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Base URL for sign-ins. */
  readonly url: string;
  readonly apiUrl: string;
}

/** Values that bind a sign-in. `codeVerifier` is sent only when the code is exchanged. */
export interface SignIn {
  readonly state: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
}

/** A GitHub account. The id is permanent; the login can change. */
interface GitHubUser {
  readonly id: string;
  readonly login: string;
  /** Null if GitHub does not say. */
  readonly account: AccountFacts | null;
}

/** Result of a sign-in. `denied`: the user declined. `refused`: GitHub rejected the code. */
export type SignInResult =
  | { readonly kind: "user"; readonly user: GitHubUser }
  | { readonly kind: "denied" }
  | { readonly kind: "refused" };

/** A user account. Organisations cannot sign in. */
const User = z.object({
  id: z.int().positive(),
  login: z.string().regex(/^[A-Za-z0-9_-]{1,100}$/),
  // Evidence only: without it the account can still be linked.
  created_at: z.iso.datetime().optional().catch(undefined),
  public_repos: z.int().nonnegative().catch(0),
  followers: z.int().nonnegative().catch(0),
}).transform(({ id, login, ...facts }): GitHubUser => ({
  id: String(id),
  login,
  account: facts.created_at === undefined ? null : {
    createdAt: Date.parse(facts.created_at),
    publicWork: facts.public_repos + facts.followers,
  },
}));

/** GitHub rejects a code with status 200 and this body. */
const Refusal = z.object({ error: z.string() });

/** Client of GitHub for one app. */
export function gitHub(http: Http, app: GitHubApp) {
  const { host } = new URL(app.url);
  const server = {
    issuer: app.url,
    authorization_endpoint: `${app.url}/login/oauth/authorize`,
    token_endpoint: `${app.url}/login/oauth/access_token`,
  };
  const client = { client_id: app.clientId };

  /** Exchanges a code for a token; null if GitHub rejects it. */
  async function exchange(
    code: string,
    { state, codeVerifier, redirectUri }: SignIn,
    options: CallOptions,
  ): Promise<string | null> {
    const oauth = await import("oauth4webapi");
    // There is one authorization server, so RFC 9207 is not needed.
    const returned = new URLSearchParams({ code, state });
    const params = oauth.validateAuthResponse(server, client, returned, state);
    const signal = AbortSignal.any([
      options.signal,
      AbortSignal.timeout(http.timeoutMs),
    ]);
    await http.rateLimiter.acquire(options);
    try {
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.ClientSecretPost(app.clientSecret),
        params,
        redirectUri,
        codeVerifier,
        {
          [oauth.customFetch](url: string, init: RequestInit) {
            const request = new Request(url, init);
            const { watch = uninstrumented } = http;
            return watch(
              callOf(request),
              () => http.fetch(request, { signal, redirect: "error" }),
            );
          },
          [oauth.allowInsecureRequests]: app.url.startsWith("http:"),
          signal,
        },
      );
      const text = await response.text();
      if (response.status >= 500) {
        throw refusedByStatus(response, http.now().getTime());
      }
      if (Refusal.safeParse(JSON.parse(text)).success) return null;
      const token = await oauth.processAuthorizationCodeResponse(
        server,
        client,
        new Response(text, response),
      );
      return token.access_token;
    } catch (cause) {
      const isOdd = cause instanceof oauth.OperationProcessingError ||
        cause instanceof oauth.UnsupportedOperationError;
      const reason = isOdd ? OTHER_SHAPE : describe(cause);
      throw upstreamDown(host, reason, { cause });
    }
  }

  return {
    /** Returns the sign-in URL. It requests no permissions. */
    async signInUrl(
      { state, codeVerifier, redirectUri }: SignIn,
    ): Promise<string> {
      const { calculatePKCECodeChallenge } = await import("oauth4webapi");
      const url = new URL(server.authorization_endpoint);
      url.search = String(
        new URLSearchParams({
          response_type: "code",
          client_id: app.clientId,
          redirect_uri: redirectUri,
          state,
          code_challenge: await calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: "S256",
        }),
      );
      return url.href;
    },

    /** Reads the user from the callback parameters. The token is used once and not stored. */
    async readUser(
      returned: URLSearchParams,
      signIn: SignIn,
      options: CallOptions,
    ): Promise<SignInResult> {
      if (returned.has("error")) return { kind: "denied" };
      const code = returned.get("code");
      if (!code) return { kind: "refused" };
      const token = await exchange(code, signIn, options);
      if (token === null) return { kind: "refused" };
      const request = new Request(`${app.apiUrl}/user`, {
        headers: {
          "Accept": "application/vnd.github+json",
          "Authorization": `Bearer ${token}`,
        },
      });
      const { body } = await getJson(http, request, User, options);
      return { kind: "user", user: body };
    },
  };
}

/** Client of GitHub for one app. */
export type GitHub = ReturnType<typeof gitHub>;
