/** A real OAuth server on loopback, with the paths and answers of GitHub. */
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import Provider from "oidc-provider";

/** A user of the server. */
interface Account {
  readonly id: number;
  readonly login: string;
}

/** The credentials of a client. */
interface Client {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
}

/** A running server. */
export interface OAuthServer extends AsyncDisposable {
  readonly url: string;
  /** The user of the next sign-ins; null declines. */
  account: Account | null;
  /** Whether the server refuses every request. */
  isDown: boolean;
}

/** The used parts of the package. */
interface Interaction {
  readonly prompt: { readonly name: "login" | "consent" };
  readonly params: { readonly client_id: string };
  readonly session?: { readonly accountId: string };
}

const AUTHORIZE = "/login/oauth/authorize";
const TOKEN = "/login/oauth/access_token";

/** The scope that GitHub grants by default; this server needs it in the request. */
const SCOPE = "public";

/** The lifetime of codes, tokens and sessions, in seconds. */
const TTL_S = {
  AccessToken: 60,
  AuthorizationCode: 60,
  Grant: 600,
  Interaction: 600,
  Session: 600,
};

/** The consent page, with one button. */
const PAGE = `<!DOCTYPE html><html lang="en"><title>Sign in</title>
<link rel="icon" href="data:,"><form method="post"><button>Continue</button></form>`;

/** Starts a server on a free port. It requires PKCE, so a client without PKCE fails. */
export async function startOAuthServer(
  { clientId, clientSecret, redirectUri }: Client,
): Promise<OAuthServer> {
  const server = createServer();
  await new Promise<void>((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve())
  );
  const { port } = server.address() as { port: number };
  const url = `http://127.0.0.1:${port}`;
  const provider = new Provider(url, {
    clients: [{
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [redirectUri],
      grant_types: ["authorization_code"],
      response_types: ["code"],
      token_endpoint_auth_method: "client_secret_post",
    }],
    cookies: { keys: ["test"] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id }),
    }),
    interactions: {
      url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}`,
    },
    pkce: { required: () => true },
    routes: { authorization: AUTHORIZE, token: TOKEN },
    scopes: [SCOPE],
    ttl: TTL_S,
  });
  const logins = new Map<string, string>();
  const handle = provider.callback();

  /** Signs in and consents, or declines. */
  async function interact(request: IncomingMessage, response: ServerResponse) {
    if (request.method === "GET") {
      response.setHeader("Content-Type", "text/html");
      return response.end(PAGE);
    }
    const details: Interaction = await provider.interactionDetails(
      request,
      response,
    );
    const { account } = running;
    if (account === null) {
      const error = { error: "access_denied" };
      return await provider.interactionFinished(request, response, error);
    }
    const accountId = String(account.id);
    logins.set(accountId, account.login);
    if (details.prompt.name === "login") {
      const login = { login: { accountId, remember: false } };
      return await provider.interactionFinished(request, response, login);
    }
    const grant = new provider.Grant({
      accountId: details.session?.accountId,
      clientId: details.params.client_id,
    });
    grant.addOIDCScope(SCOPE);
    const consent = { consent: { grantId: await grant.save() } };
    return await provider.interactionFinished(request, response, consent);
  }

  async function readUser(request: IncomingMessage, response: ServerResponse) {
    const [, value] = /^Bearer (.+)$/.exec(
      request.headers.authorization ?? "",
    ) ?? [];
    const token = value && await provider.AccessToken.find(value);
    if (!token) return response.writeHead(401).end("{}");
    const id = token.accountId;
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({
      id: Number(id),
      login: logins.get(id),
      type: "User",
      name: null,
    }));
  }

  server.on("request", async (request, response) => {
    const { pathname } = new URL(request.url!, url);
    if (running.isDown) return response.writeHead(502).end("bad gateway");
    if (pathname.startsWith("/interaction/")) {
      return await interact(request, response);
    }
    if (pathname === "/user") return await readUser(request, response);
    if (pathname === AUTHORIZE) request.url += `&scope=${SCOPE}`;
    handle(request, response);
  });
  const running: OAuthServer = {
    url,
    account: null,
    isDown: false,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return running;
}
