/** A service and an OAuth server, and visitors who link a GitHub account. */
import { assertEquals } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { newProfile } from "../../../services/profiles/profile.ts";
import { startSession } from "../../../services/accounts/sessions.ts";
import { type TestDeps, testDeps } from "../deps.ts";
import { type OAuthServer, startOAuthServer } from "./oauth_server.ts";
import { freePort } from "../processes/service.ts";

/** The client of the OAuth server. */
export const CLIENT = { clientId: "firn", clientSecret: "not a secret" };

/** The redirect path. */
export const RETURN = "/account/link/github";

/** A new session. */
export const START = { replaces: undefined, requestId: "test" };

/** A service and an OAuth server on different sites. */
interface Sites extends AsyncDisposable {
  readonly deps: TestDeps;
  readonly oauth: OAuthServer;
  readonly url: string;
}

/** Starts the service and the server. */
export async function openSites(): Promise<Sites> {
  const port = freePort();
  const url = `http://localhost:${port}`;
  const stack = new AsyncDisposableStack();
  const redirectUri = `${url}${RETURN}`;
  const oauth = stack.use(await startOAuthServer({ ...CLIENT, redirectUri }));
  const deps = stack.use(
    await testDeps({
      fetch,
      settings: {
        PUBLIC_URL: url,
        GITHUB_CLIENT_ID: CLIENT.clientId,
        GITHUB_CLIENT_SECRET: CLIENT.clientSecret,
        GITHUB_URL: oauth.url,
        GITHUB_API_URL: oauth.url,
      },
    }),
  );
  const { fetch: handler } = createApp(deps);
  stack.use(
    Deno.serve({ port, hostname: "localhost", onListen() {} }, handler),
  );
  return {
    deps,
    oauth,
    url,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Makes a signed-in visitor with a profile, in a browser of their own. */
export async function newVisitor({ deps, url }: Sites, wallet: string) {
  await deps.store.profiles.change(wallet, (held) => ({
    profile: held ?? newProfile(0),
    audit: { at: 0, event: "profile.update", requestId: null },
  }));
  const { token } = await startSession(
    deps,
    { wallet, byContract: null },
    START,
  );
  const session = `firn_session=${token}`;
  return {
    token,

    /** Starts the link; returns the status, the body and the linking cookie. */
    async begin() {
      const response = await fetch(`${url}/api/account/socials/github`, {
        method: "POST",
        headers: { Cookie: session, Origin: url },
      });
      const body = await response.json();
      const cookie = response.headers.getSetCookie()[0] ?? "";
      return { status: response.status, body, cookie };
    },

    /** Returns the linked handles. */
    async handles(): Promise<string[]> {
      const profile = await deps.store.profiles.find(wallet);
      return profile!.socials.map(({ id, handle }) => `${id} ${handle}`);
    },
  };
}

/** Signs in at the server as a browser would, and returns the URL of the final redirect. */
export async function walk(start: string): Promise<string> {
  const jar = new Map<string, string>();
  let url = start;
  let method = "GET";
  for (;;) {
    const Cookie = [...jar].map(([name, value]) => `${name}=${value}`)
      .join("; ");
    const headers = { Cookie };
    const response = await fetch(url, { method, headers, redirect: "manual" });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      jar.set(name!, value!);
    }
    await response.body?.cancel();
    const location = response.headers.get("Location");
    // Submits the form of the page.
    method = location === null ? "POST" : "GET";
    if (location === null) {
      assertEquals(response.status, 200);
      continue;
    }
    url = new URL(location, url).href;
    if (url.includes(RETURN)) return url;
  }
}

/** Follows the redirect from another site, for which the browser sends only this cookie. */
export async function comeBack(url: string, cookie: string) {
  const response = await fetch(url, {
    headers: { Cookie: cookie.split(";")[0]!, Accept: "text/html" },
  });
  const { status, headers } = response;
  return { status, headers, text: await response.text() };
}
