/** Linking a GitHub account against a real OAuth server, by requests and in a real browser. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { startSession } from "../../../services/accounts/sessions.ts";
import { inBrowser, openBrowser } from "../../support/browser/browser.ts";
import { testDeps } from "../../support/deps.ts";
import {
  CLIENT,
  comeBack,
  newVisitor,
  openSites,
  RETURN,
  START,
  walk,
} from "../../support/browser/github_visitors.ts";

const [ADA, EVE] = [`0x${"ad".repeat(20)}`, `0x${"ee".repeat(20)}`] as const;

Deno.test("signing in at GitHub links the account by its permanent id", async () => {
  await using sites = await openSites();
  const { oauth } = sites;
  const ada = await newVisitor(sites, ADA);
  oauth.account = { id: 583231, login: "Ada-L" };
  const begun = await ada.begin();
  assertEquals(begun.status, 200);
  assertMatch(begun.cookie, /^firn_link=[\w-]{43};.*HttpOnly; SameSite=Lax/);
  const { searchParams } = new URL(begun.body.url);
  assertEquals(searchParams.get("code_challenge_method"), "S256");
  assertEquals(searchParams.has("scope"), false, "it asks for no rights");
  assert(!begun.body.url.includes(ADA), "the wallet is nobody else's business");

  const back = await comeBack(await walk(begun.body.url), begun.cookie);
  assertEquals(back.status, 200, back.text);
  assertMatch(back.text, /<strong>Ada-L<\/strong> is linked/);
  assertEquals(back.headers.get("Referrer-Policy"), "no-referrer");
  assertEquals(back.headers.get("Cache-Control"), "no-store");
  assertMatch(back.headers.get("Set-Cookie") ?? "", /^firn_link=;/);
  assertEquals(await ada.handles(), ["583231 ada-l"]);
  const second = await ada.begin();
  assertEquals([second.status, second.body.code], [409, "SOCIAL_LINKED"]);
});

Deno.test("a GitHub account links to one profile only, even after a rename", async () => {
  await using sites = await openSites();
  const { oauth } = sites;
  const [ada, eve] = await Promise.all([
    newVisitor(sites, ADA),
    newVisitor(sites, EVE),
  ]);
  oauth.account = { id: 7, login: "ada" };
  const [first, second] = [await ada.begin(), await eve.begin()];
  const urls = [await walk(first.body.url), await walk(second.body.url)];
  const answers = await Promise.all([
    comeBack(urls[0]!, first.cookie),
    comeBack(urls[1]!, second.cookie),
  ]);
  assertEquals(answers.map(({ status }) => status).toSorted(), [200, 409]);
  const linked = [...await ada.handles(), ...await eve.handles()];
  assertEquals(linked, ["7 ada"]);

  const loser = answers[0]!.status === 409 ? ada : eve;
  oauth.account = { id: 7, login: "renamed" };
  const third = await loser.begin();
  const refused = await comeBack(await walk(third.body.url), third.cookie);
  assertEquals(refused.status, 409);
  assertMatch(refused.text, /another profile has it/);
  oauth.account = { id: 8, login: "other" };
  const fourth = await loser.begin();
  const linkedToo = await comeBack(await walk(fourth.body.url), fourth.cookie);
  assertEquals(linkedToo.status, 200);
});

Deno.test("a callback works once, in the same session and before it expires", async (t) => {
  await using sites = await openSites();
  const { deps, oauth, url } = sites;
  oauth.account = { id: 9, login: "ada" };
  const ada = await newVisitor(sites, ADA);
  const eve = await newVisitor(sites, EVE);
  const begin = async () => {
    deps.advance(60_000);
    const begun = await ada.begin();
    return { ...begun, back: await walk(begun.body.url) };
  };
  type Begun = Awaited<ReturnType<typeof begin>>;
  const cases: [name: string, come: (begun: Begun) => Promise<unknown>][] = [
    ["without the browser's secret", ({ back }) => comeBack(back, "")],
    [
      "with the secret of another browser",
      async ({ back }) => comeBack(back, (await eve.begin()).cookie),
    ],
    [
      "with another state",
      ({ back, cookie }) =>
        comeBack(
          back.replace(/state=[^&]+/, `state=${"A".repeat(43)}`),
          cookie,
        ),
    ],
    [
      "without a state",
      ({ back, cookie }) => comeBack(back.replace(/state=[^&]+/, ""), cookie),
    ],
    [
      "with the state of a stranger, who wants the account for himself",
      async ({ back, cookie }) => {
        const { body } = await eve.begin();
        const state = new URL(body.url).searchParams.get("state");
        const swapped = back.replace(/state=[^&]+/, `state=${state}`);
        return comeBack(swapped, cookie);
      },
    ],
    [
      "ten minutes later",
      ({ back, cookie }) => {
        deps.advance(10 * 60_000);
        return comeBack(back, cookie);
      },
    ],
    [
      "with nothing at all",
      ({ cookie }) => comeBack(`${url}${RETURN}`, cookie),
    ],
  ];
  for (const [name, come] of cases) {
    await t.step(name, async () => {
      const begun = await begin();
      const answer = await come(begun) as { status: number; text: string };
      assertEquals(answer.status, 403, answer.text);
      assertMatch(answer.text, /start again/);
      assertEquals(await ada.handles(), []);
      assertEquals(await eve.handles(), []);
    });
  }
  await t.step(
    "after a failed callback, which consumes the state",
    async () => {
      const { back, cookie } = await begin();
      assertEquals((await comeBack(back, "")).status, 403);
      assertEquals((await comeBack(back, cookie)).status, 403);
    },
  );
  await t.step("after a successful callback", async () => {
    const { back, cookie } = await begin();
    assertEquals((await comeBack(back, cookie)).status, 200);
    assertEquals((await comeBack(back, cookie)).status, 403);
    assertEquals(await ada.handles(), ["9 ada"]);
  });
  await t.step("after signing out", async () => {
    const { body, cookie } = await eve.begin();
    oauth.account = { id: 10, login: "eve" };
    const back = await walk(body.url);
    await fetch(`${url}/api/account/session`, {
      method: "DELETE",
      headers: { Cookie: `firn_session=${eve.token}`, Origin: url },
    });
    assertEquals((await comeBack(back, cookie)).status, 403);
    assertEquals(await eve.handles(), []);
  });
});

Deno.test("a declined sign-in, an invalid code and an unreachable server link nothing", async (t) => {
  await using sites = await openSites();
  const { oauth } = sites;
  const ada = await newVisitor(sites, ADA);
  await t.step("declined", async () => {
    oauth.account = null;
    const { body, cookie } = await ada.begin();
    const { status, text } = await comeBack(await walk(body.url), cookie);
    assertEquals(status, 403);
    assertMatch(text, /you declined access at GitHub/);
  });
  oauth.account = { id: 11, login: "ada" };
  await t.step("an invalid code", async () => {
    const { body, cookie } = await ada.begin();
    const back = (await walk(body.url)).replace(/code=[^&]+/, "code=made-up");
    const { status, text } = await comeBack(back, cookie);
    assertEquals(status, 403);
    assertMatch(text, /GitHub rejected the sign-in/);
  });
  await t.step(
    "a leaked code is useless without the verifier",
    async () => {
      const { body } = await ada.begin();
      const code = new URL(await walk(body.url)).searchParams.get("code")!;
      const fields = {
        grant_type: "authorization_code",
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uri: `${sites.url}${RETURN}`,
        code,
      };
      for (const more of [{}, { code_verifier: "x".repeat(43) }]) {
        const response = await fetch(`${oauth.url}/login/oauth/access_token`, {
          method: "POST",
          body: new URLSearchParams({ ...fields, ...more }),
        });
        assertEquals(response.status, 400);
        assertEquals((await response.json()).error, "invalid_grant");
      }
    },
  );
  await t.step("an unreachable server", async () => {
    const { body, cookie } = await ada.begin();
    const back = await walk(body.url);
    oauth.isDown = true;
    const { status, headers } = await comeBack(back, cookie);
    oauth.isDown = false;
    assertEquals(status, 503);
    assert(Number(headers.get("Retry-After")) > 0);
  });
  assertEquals(await ada.handles(), []);
});

Deno.test("a deployment without GitHub credentials answers 501", async () => {
  using deps = await testDeps();
  const { token } = await startSession(
    deps,
    { wallet: ADA, byContract: null },
    START,
  );
  const response = await createApp(deps).request(
    "/api/account/socials/github",
    {
      method: "POST",
      headers: { Cookie: `firn_session=${token}`, Origin: deps.publicUrl },
    },
  );
  const { code } = await response.json();
  assertEquals([response.status, code], [501, "NOT_ENABLED"]);
});

inBrowser.test("in a browser, the session's cookie stays away on the way back, and it works all the same", async () => {
  await using sites = await openSites();
  const { oauth, url } = sites;
  oauth.account = { id: 12, login: "ada" };
  const ada = await newVisitor(sites, ADA);
  await using browser = openBrowser();
  const { page } = await browser.newPage();
  await page.context().addCookies([{
    name: "firn_session",
    value: ada.token,
    url,
    httpOnly: true,
    sameSite: "Strict",
  }]);
  const sent: string[] = [];
  page.on("request", async (request) => {
    if (!request.url().includes(RETURN)) return;
    sent.push((await request.allHeaders()).cookie ?? "");
  });
  await page.goto(`${url}/openapi.json`);
  const begin = `fetch("/api/account/socials/github", { method: "POST" })
      .then((response) => response.json()).then(({ url }) => url)`;
  const start = await page.evaluate(begin) as string;
  await page.evaluate(`location.href = ${JSON.stringify(start)}; 0`);
  const button = page.getByRole("button", { name: "Continue" });
  await button.click();
  await button.click();
  await page.getByRole("heading", { name: "GitHub account linked" })
    .waitFor();
  assertEquals(sent.length, 1);
  assertMatch(sent[0]!, /^firn_link=[\w-]{43}$/);
  assertEquals(await ada.handles(), ["12 ada"]);
  const held = await page.context().cookies(url);
  assertEquals(held.map(({ name }) => name), ["firn_session"]);
});
