/** The GitHub client: rejected sign-ins and failures. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { Fault } from "../../../services/platform/fault.ts";
import { gitHub } from "../../../services/profiles/github_client.ts";
import {
  type Answering,
  CALL_OPTIONS,
  httpThat,
} from "../../support/upstreams.ts";

const APP = {
  clientId: "Iv1.abc",
  clientSecret: "the secret",
  url: "https://github.test",
  apiUrl: "https://api.github.test",
};
const SIGN_IN = {
  state: "s".repeat(43),
  codeVerifier: "v".repeat(43),
  redirectUri: "https://firn.test/account/link/github",
};
const RETURNED = new URLSearchParams({
  code: "1234",
  state: SIGN_IN.state,
  // An additional parameter: GitHub sends its issuer.
  iss: "https://github.test/login/oauth",
});
const TOKEN = { access_token: "gho_1", token_type: "bearer", scope: "" };
const USER = { id: 583231, login: "Octo-Cat", type: "User", node_id: "x" };

/** Answers the token exchange and the user request. */
function answering(token: Answering, user?: Answering): Answering {
  return (request) =>
    new URL(request.url).host === "github.test"
      ? token(request)
      : user!(request);
}

const asJson = (body: unknown, init?: ResponseInit): Answering => () =>
  Response.json(body, init);

Deno.test("readUser() follows no redirect, which would send the app's secret or a token elsewhere", async () => {
  const { http } = httpThat(answering(asJson(TOKEN), asJson(USER)), {
    timeoutMs: 5_000,
  });
  const redirects: unknown[] = [];
  const fetch: typeof http.fetch = (input, init) => {
    redirects.push(init?.redirect ?? new Request(input).redirect);
    return http.fetch(input, init);
  };
  await gitHub({ ...http, fetch }, APP)
    .readUser(RETURNED, SIGN_IN, CALL_OPTIONS);
  assertEquals(redirects, ["error", "error"]);
});

Deno.test("readUser() takes the age and the public work of an account, if GitHub says them", async () => {
  const facts = {
    created_at: "2015-03-01T12:00:00Z",
    public_repos: 12,
    followers: 30,
  };
  const cases: [fields: Record<string, unknown>, account: unknown][] = [
    [facts, { createdAt: Date.UTC(2015, 2, 1, 12), publicWork: 42 }],
    [{ ...facts, followers: "many" }, {
      createdAt: Date.UTC(2015, 2, 1, 12),
      publicWork: 12,
    }],
    [{ ...facts, created_at: "long ago" }, null],
  ];
  for (const [fields, account] of cases) {
    const { http } = httpThat(
      answering(asJson(TOKEN), asJson({ ...USER, ...fields })),
      { timeoutMs: 5_000 },
    );
    const { readUser } = gitHub(http, APP);
    const result = await readUser(RETURNED, SIGN_IN, CALL_OPTIONS);
    assertEquals(result.kind === "user" && result.user.account, account);
  }
});

Deno.test("readUser() returns the user and requests nothing else", async () => {
  const { http, asked } = httpThat(
    answering(asJson(TOKEN), asJson(USER)),
    { timeoutMs: 5_000 },
  );
  const { readUser } = gitHub(http, APP);
  assertEquals(await readUser(RETURNED, SIGN_IN, CALL_OPTIONS), {
    kind: "user",
    user: { id: "583231", login: "Octo-Cat", account: null },
  });
  const [exchange, question] = asked;
  assertEquals(exchange!.url, "https://github.test/login/oauth/access_token");
  assertEquals(exchange!.headers.get("Accept"), "application/json");
  assertEquals(
    Object.fromEntries(new URLSearchParams(await exchange!.text())),
    {
      client_id: APP.clientId,
      client_secret: APP.clientSecret,
      code: "1234",
      code_verifier: SIGN_IN.codeVerifier,
      grant_type: "authorization_code",
      redirect_uri: SIGN_IN.redirectUri,
    },
  );
  assertEquals(question!.url, "https://api.github.test/user");
  assertEquals(question!.headers.get("Authorization"), "Bearer gho_1");
});

Deno.test("readUser() distinguishes a rejected code from an outage", async (t) => {
  const good = asJson(TOKEN);
  const refusal = { error: "bad_verification_code", error_description: "…" };
  const cases: [name: string, answer: Answering, outcome: string][] = [
    ["a refusal that is a 200", answering(asJson(refusal)), "refused"],
    [
      "a refusal by status",
      answering(asJson(refusal, { status: 400 })),
      "refused",
    ],
    [
      "a refusal of the app",
      answering(asJson(refusal, { status: 401 })),
      "refused",
    ],
    [
      "an error page",
      answering(() => new Response("<html>", { status: 502 })),
      "upstreamDown",
    ],
    [
      "an outage in JSON",
      answering(asJson(refusal, { status: 503 })),
      "upstreamDown",
    ],
    ["no token", answering(asJson({})), "upstreamDown"],
    [
      "a token of another type",
      answering(asJson({ ...TOKEN, token_type: "mac" })),
      "upstreamDown",
    ],
    [
      "a form",
      answering(() => new Response("access_token=gho_1")),
      "upstreamDown",
    ],
    [
      "no connection",
      answering(() => Promise.reject(new TypeError("refused"))),
      "upstreamDown",
    ],
    [
      "no user",
      answering(good, asJson({ message: "Bad credentials" }, { status: 401 })),
      "upstreamDown",
    ],
    [
      "a user without an id",
      answering(good, asJson({ login: "ada" })),
      "upstreamDown",
    ],
    [
      "an invalid login",
      answering(good, asJson({ ...USER, login: "<b>" })),
      "upstreamDown",
    ],
  ];
  for (const [name, answer, outcome] of cases) {
    await t.step(name, async () => {
      const { http } = httpThat(answer, { timeoutMs: 5_000 });
      const reading = gitHub(http, APP).readUser(
        RETURNED,
        SIGN_IN,
        CALL_OPTIONS,
      );
      if (outcome === "refused") {
        assertEquals(await reading, { kind: "refused" });
        return;
      }
      const { failure, message } = await assertRejects(() => reading, Fault);
      assertEquals(failure.kind, outcome);
      assert(!/gho_1|secret|v{43}/.test(message), message);
    });
  }
});

Deno.test("readUser() makes no call without a code", async (t) => {
  const cases: [query: string, kind: string][] = [
    ["error=access_denied&state=s", "denied"],
    ["state=s", "refused"],
    ["code=&state=s", "refused"],
  ];
  for (const [query, kind] of cases) {
    await t.step(query, async () => {
      const { http, asked } = httpThat(asJson(TOKEN));
      const { readUser } = gitHub(http, APP);
      const returned = new URLSearchParams(query);
      assertEquals(
        (await readUser(returned, SIGN_IN, CALL_OPTIONS)).kind,
        kind,
      );
      assertEquals(asked, []);
    });
  }
});

Deno.test("signInUrl() contains the challenge, never the verifier or the secret", async () => {
  const { http } = httpThat(asJson(TOKEN));
  const url = new URL(await gitHub(http, APP).signInUrl(SIGN_IN));
  assertEquals(
    url.origin + url.pathname,
    "https://github.test/login/oauth/authorize",
  );
  const { code_challenge, ...params } = Object.fromEntries(url.searchParams);
  assertEquals(params, {
    client_id: APP.clientId,
    code_challenge_method: "S256",
    redirect_uri: SIGN_IN.redirectUri,
    response_type: "code",
    state: SIGN_IN.state,
  });
  assertEquals(code_challenge?.length, 43);
  assert(code_challenge !== SIGN_IN.codeVerifier);
});
