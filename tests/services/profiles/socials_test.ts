/** Linking a GitHub account: what a sign-in is bound to, and what each failure leaves. */
import { assertEquals, assertRejects } from "@std/assert";
import {
  endSession,
  startSession,
} from "../../../services/accounts/sessions.ts";
import { type Failure, Fault } from "../../../services/platform/fault.ts";
import type {
  SignIn,
  SignInResult,
} from "../../../services/profiles/github_client.ts";
import {
  finishGitHubLink,
  startGitHubLink,
} from "../../../services/profiles/socials.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { addressOf, claim } from "../../support/graph.ts";

const ADA = addressOf(1);
const MINUTE_MS = 60_000;
const redirectPath = "/account/link/github";
const requestId = "test";
const USER = {
  id: "583231",
  login: "Octo-Cat",
  account: { createdAt: 1_300_000_000_000, publicWork: 7 },
};

/** A service whose GitHub answers so, and the sign-ins that it was asked about. */
async function gitHubDeps(result: SignInResult = { kind: "user", user: USER }) {
  const deps = await testDeps();
  const asked: SignIn[] = [];
  const github = {
    signInUrl: ({ state, redirectUri }: SignIn) =>
      Promise.resolve(`https://github.test/?${state}&${redirectUri}`),
    readUser(_: URLSearchParams, signIn: SignIn) {
      asked.push(signIn);
      return Promise.resolve(result);
    },
  };
  return { ...deps, upstream: { ...deps.upstream, github }, asked };
}

type GitHubDeps = Awaited<ReturnType<typeof gitHubDeps>>;

/** Starts the sign-in of Ada, who has a profile and a session. */
async function start(deps: GitHubDeps) {
  await claim(deps, [ADA]);
  const { token } = await startSession(
    deps,
    { wallet: ADA, byContract: null },
    { replaces: undefined, requestId },
  );
  const asked = { sessionToken: token, redirectPath };
  const { url, ...started } = await startGitHubLink(deps, ADA, asked);
  const state = /\?([\w-]{43})&/.exec(url)![1]!;
  assertEquals(url.split("&")[1], `${deps.publicUrl}${redirectPath}`);
  return { ...started, state, token };
}

/** Finishes a sign-in; returns the failure of the fault, or the login. */
async function finish(
  deps: GitHubDeps,
  state: string | null,
  browserSecret: string | undefined,
): Promise<Failure | string> {
  const returned = new URLSearchParams(state === null ? {} : { state });
  const callback = {
    returned,
    browserSecret,
    redirectPath,
    requestId,
    hostname: null,
  };
  try {
    return await finishGitHubLink(deps, callback);
  } catch (error) {
    if (error instanceof Fault) return error.failure;
    throw error;
  }
}

const socialsOf = async ({ store }: TestDeps) =>
  (await store.profiles.find(ADA))?.socials;

Deno.test("finishGitHubLink() links the account within ten minutes, once, and exchanges the code with its verifier", async () => {
  using deps = await gitHubDeps();
  const at = deps.now().getTime();
  const { state, browserSecret, expiresAt } = await start(deps);
  assertEquals(expiresAt, at + 10 * MINUTE_MS);
  deps.advance(10 * MINUTE_MS - 1);
  assertEquals(await finish(deps, state, browserSecret), "Octo-Cat");
  assertEquals(deps.asked.length, 1);
  const [{ codeVerifier, ...signIn }] = deps.asked as [SignIn];
  assertEquals(signIn, { state, redirectUri: deps.publicUrl + redirectPath });
  assertEquals(codeVerifier.length, 43);
  assertEquals(new Set([codeVerifier, state, browserSecret]).size, 3);
  const { id, account } = USER;
  const verifiedAt = deps.now().getTime();
  assertEquals(await socialsOf(deps), [
    { kind: "github", id, handle: "octo-cat", account, verifiedAt },
  ]);
  assertEquals(await finish(deps, state, browserSecret), {
    kind: "linkRefused",
  });
});

Deno.test("finishGitHubLink() links nothing for another browser, session or time, and consumes the sign-in", async (t) => {
  type Started = Awaited<ReturnType<typeof start>>;
  const cases: [
    name: string,
    attempt: (deps: GitHubDeps, started: Started) => Promise<unknown>,
  ][] = [
    ["no browser secret", (deps, { state }) => finish(deps, state, undefined)],
    ["another browser", (deps, { state }) => finish(deps, state, "other")],
    ["ten minutes later", (deps, { state, browserSecret }) => {
      deps.advance(10 * MINUTE_MS);
      return finish(deps, state, browserSecret);
    }],
    ["after the session", async (deps, { state, browserSecret, token }) => {
      await endSession(deps, token, requestId);
      return await finish(deps, state, browserSecret);
    }],
  ];
  for (const [name, attempt] of cases) {
    await t.step(name, async () => {
      using deps = await gitHubDeps();
      const started = await start(deps);
      assertEquals(await attempt(deps, started), { kind: "linkRefused" });
      const { state, browserSecret } = started;
      assertEquals(await finish(deps, state, browserSecret), {
        kind: "linkRefused",
      });
      assertEquals(await socialsOf(deps), []);
      assertEquals(deps.asked, [], "GitHub is not asked");
    });
  }
  await t.step("no state or an unknown one", async () => {
    using deps = await gitHubDeps();
    const { browserSecret } = await start(deps);
    for (const state of [null, "unknown"]) {
      assertEquals(await finish(deps, state, browserSecret), {
        kind: "linkRefused",
      });
    }
    assertEquals(deps.asked, []);
  });
});

Deno.test("finishGitHubLink() says whether the owner declined or GitHub rejected the sign-in", async (t) => {
  const reasons = {
    denied: "you declined access at GitHub",
    refused: "GitHub rejected the sign-in; start again",
  };
  for (const kind of ["denied", "refused"] as const) {
    await t.step(kind, async () => {
      using deps = await gitHubDeps({ kind });
      const { state, browserSecret } = await start(deps);
      const returned = new URLSearchParams({ state });
      const callback = {
        returned,
        browserSecret,
        redirectPath,
        requestId,
        hostname: null,
      };
      const { message } = await assertRejects(
        () => finishGitHubLink(deps, callback),
        Fault,
      );
      assertEquals(
        message,
        `Cannot link the GitHub account: ${reasons[kind]}`,
      );
      assertEquals(await socialsOf(deps), []);
    });
  }
});

Deno.test("startGitHubLink() requires an app, a profile, and no linked GitHub account", async () => {
  const asked = { sessionToken: "token", redirectPath };
  const failureOf = async (deps: TestDeps) => {
    const { failure } = await assertRejects(
      () => startGitHubLink(deps, ADA, asked),
      Fault,
    ) as Fault;
    return failure;
  };
  using bare = await testDeps();
  assertEquals(await failureOf(bare), { kind: "linkingDisabled" });
  using deps = await gitHubDeps();
  assertEquals(await failureOf(deps), { kind: "profileRequired" });
  const { state, browserSecret } = await start(deps);
  await finish(deps, state, browserSecret);
  assertEquals(await failureOf(deps), {
    kind: "socialHeld",
    social: "github",
  });
  const pending = await Array.fromAsync(
    deps.kv.list({ prefix: ["oauth_states"] }),
  );
  assertEquals(new Set(pending.map(({ value }) => value)), new Set([true]));
});
