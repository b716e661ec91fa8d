import { assert, assertEquals } from "@std/assert";
import { gitHub } from "../../../services/profiles/github_client.ts";
import {
  GITHUB_ACCOUNTS,
  simulatedGitHub,
} from "../../../simnet/linked_accounts/github.ts";
import { CALL_OPTIONS, httpThat } from "../../support/upstreams.ts";

const APP = { clientId: "firn", clientSecret: "not a secret" };
const REDIRECT_URI = "https://firn.test/account/link/github";
const SITE = { url: "http://github.test", apiUrl: "http://github.test" };
const SIGN_IN = {
  state: "s".repeat(43),
  codeVerifier: "v".repeat(43),
  redirectUri: REDIRECT_URI,
};
const [VETERAN] = GITHUB_ACCOUNTS;

/** The simulated GitHub, asked by the service's own client. */
function newSite(app = APP) {
  const answer = simulatedGitHub({ ...APP, redirectUri: REDIRECT_URI });
  const { http } = httpThat(answer, { timeoutMs: 5_000 });
  const client = gitHub(http, { ...app, ...SITE });
  return {
    answer,
    client,
    /** Chooses an account on the sign-in page; returns the parameters of the callback. */
    async choose(account: string): Promise<URLSearchParams> {
      const url = await client.signInUrl(SIGN_IN);
      const page = await (await answer(new Request(url))).text();
      assert(page.includes(`value="${account}"`), page);
      const body = new URLSearchParams({ account });
      const response = await answer(new Request(url, { method: "POST", body }));
      return new URL(response.headers.get("Location")!).searchParams;
    },
  };
}

Deno.test("simulatedGitHub() signs the chosen account in, once for each code", async () => {
  const { choose, client } = newSite();
  const returned = await choose(String(VETERAN.id));
  const read = await client.readUser(returned, SIGN_IN, CALL_OPTIONS);
  assertEquals(read, {
    kind: "user",
    user: {
      id: String(VETERAN.id),
      login: VETERAN.login,
      account: {
        createdAt: Date.parse(VETERAN.created_at),
        publicWork: VETERAN.public_repos + VETERAN.followers,
      },
    },
  });
  const again = await client.readUser(returned, SIGN_IN, CALL_OPTIONS);
  assertEquals(again, { kind: "refused" });
});

Deno.test("simulatedGitHub() rejects another verifier and another secret, and returns a cancelled sign-in", async () => {
  const account = String(VETERAN.id);
  const { choose, client } = newSite();
  const other = { ...SIGN_IN, codeVerifier: "w".repeat(43) };
  assertEquals(
    await client.readUser(await choose(account), other, CALL_OPTIONS),
    { kind: "refused" },
  );
  assertEquals(
    await client.readUser(await choose(""), SIGN_IN, CALL_OPTIONS),
    { kind: "denied" },
  );
  const impostor = newSite({ ...APP, clientSecret: "guessed" });
  const returned = await impostor.choose(account);
  assertEquals(
    await impostor.client.readUser(returned, SIGN_IN, CALL_OPTIONS),
    { kind: "refused" },
  );
});

Deno.test("simulatedGitHub() refuses a sign-in for another app or redirect, and requests without a token", async () => {
  const { answer, client } = newSite();
  const statusOf = async (url: URL | string) =>
    (await answer(new Request(url))).status;
  for (const name of ["client_id", "redirect_uri", "code_challenge_method"]) {
    const url = new URL(await client.signInUrl(SIGN_IN));
    url.searchParams.set(name, "https://evil.test");
    assertEquals(await statusOf(url), 400, name);
  }
  assertEquals(await statusOf(`${SITE.url}/user`), 401);
  assertEquals(await statusOf(`${SITE.url}/octocat`), 404);
});
