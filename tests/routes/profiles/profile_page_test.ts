/** Public pages of profiles: by slug and by address, claimed or not, and their lists of follows. */
import { SERVICE } from "../../../services/platform/rate_limit/call_budget.ts";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { readScore } from "../../../services/scores/scores.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { keyPair, newOwner } from "../../support/owners.ts";
import { assertReadable } from "../../support/readable.ts";

const BROWSER = { Accept: "text/html" };

async function open(deps: TestDeps, path: string, cookie = "") {
  const headers = { ...BROWSER, Cookie: cookie };
  const response = await createApp(deps).request(path, { headers });
  const text = await response.text();
  assertReadable(text);
  return { response, text };
}

async function claim(deps: TestDeps, displayName: string, slug: string) {
  const owner = newOwner(deps);
  await owner.signIn();
  const body = { displayName, slug, linksPublic: true };
  assertEquals((await owner.call("PUT", "/profile", { body })).status, 200);
  return owner;
}

Deno.test("the page of a profile is at its slug, and its address in any case leads there", async () => {
  using deps = await testDeps();
  const { wallet } = await claim(deps, "<b>Ada</b>", "ada");
  await readScore(deps, wallet, { requester: SERVICE });
  for (const address of [wallet, wallet.toUpperCase().replace("0X", "0x")]) {
    const { response } = await open(
      deps,
      `/profiles/${address}?list=following`,
    );
    assertEquals(response.status, 302);
    const location = "/profiles/ada?list=following";
    assertEquals(response.headers.get("Location"), location);
  }
  const { response, text } = await open(deps, "/profiles/ada");
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("Cache-Control"), "no-cache");
  assertStringIncludes(text, "&lt;b&gt;Ada&lt;/b&gt;</h1>");
  assertStringIncludes(text, wallet);
  assertStringIncludes(text, 'class="card score-hero"');
  assert(!text.includes("Claim it"));
  assert(!text.includes("noindex"));
});

Deno.test("an address that nobody claimed has a page that offers it to its owner, and an unknown slug has none", async () => {
  using deps = await testDeps();
  const { response, text } = await open(
    deps,
    `/profiles/${exampleOf("ordinary")}`,
  );
  assertEquals(response.status, 200);
  assertStringIncludes(text, "Is this yours? Claim it");
  assertStringIncludes(text, 'href="/dashboard/profile"');
  assertStringIncludes(text, "noindex");
  const unknown = await open(deps, "/profiles/nobody");
  assertEquals(unknown.response.status, 404);
  const invalid = await open(deps, "/profiles/nobody?list=all");
  assertEquals(invalid.response.status, 400);
});

Deno.test("a signed-in visitor sees whom they follow, on a page that no cache keeps", async () => {
  using deps = await testDeps();
  const ada = await claim(deps, "Ada", "ada");
  const eve = newOwner(deps, keyPair(2));
  await eve.signIn();
  await eve.call("PUT", `/follows/${ada.wallet}`);
  const { response, text } = await open(deps, "/profiles/ada", eve.cookie());
  assertEquals(response.headers.get("Cache-Control"), "private, no-store");
  assertStringIncludes(text, ">Unfollow</button>");
  assertStringIncludes(text, `href="/profiles/${eve.wallet}"`);
  const own = await open(deps, "/profiles/ada", ada.cookie());
  assert(!own.text.includes(">Follow</button>"));
  assertStringIncludes(own.text, "Edit your profile");
  const stranger = await open(deps, "/profiles/ada");
  assertStringIncludes(stranger.text, ">Follow</button>");
});

Deno.test("a score page has the same Follow button, and leads to the profile or to claiming it", async () => {
  using deps = await testDeps();
  const ada = await claim(deps, "Ada", "ada");
  const eve = newOwner(deps, keyPair(2));
  await eve.signIn();
  await eve.call("PUT", `/follows/${ada.wallet}`);
  const path = `/tools/score/${ada.wallet}`;
  const { response, text } = await open(deps, path, eve.cookie());
  assertEquals(response.headers.get("Cache-Control"), "private, no-store");
  assertStringIncludes(text, ">Unfollow</button>");
  assertStringIncludes(text, 'id="follower-count" class="num">1</span>');
  assertStringIncludes(text, "Profile and follows");
  const stranger = await open(deps, path);
  assertEquals(stranger.response.headers.get("Cache-Control"), "no-cache");
  assertStringIncludes(stranger.text, ">Follow</button>");
  const unclaimed = await open(deps, `/tools/score/${exampleOf("ordinary")}`);
  assertStringIncludes(unclaimed.text, ">Follow</button>");
  assertStringIncludes(unclaimed.text, "Is this yours? Claim it");
});

Deno.test("60 followers are listed on three pages, each once, and so are those that are followed", async () => {
  using deps = await testDeps();
  const star = `0x${"f".repeat(40)}`;
  const at = deps.now().getTime();
  const addresses = Array.from(
    { length: 60 },
    (_, nth) => `0x${(nth + 1).toString(16).padStart(40, "0")}`,
  );
  for (const other of addresses) {
    const kind = "follow";
    const { follows } = deps.store;
    await follows.change({ kind, follower: other, followee: star, at });
    await follows.change({ kind, follower: star, followee: other, at });
  }
  for (const list of ["followers", "following"]) {
    const found: string[] = [];
    const sizes: number[] = [];
    let path: string | undefined = `/profiles/${star}?list=${list}`;
    while (path !== undefined) {
      const { text } = await open(deps, path);
      assertEquals(
        /\?list=(\w+)#follows" aria-current="page"/.exec(text)?.[1],
        list,
      );
      const listed = [...text.matchAll(/<li><a href="\/profiles\/(0x\w+)"/g)]
        .map(([, address]) => address!);
      sizes.push(listed.length);
      found.push(...listed);
      path = /href="([^"]+)#follows">Next page/.exec(text)?.[1]
        ?.replaceAll("&amp;", "&");
    }
    assertEquals(sizes, [25, 25, 10]);
    assertEquals(found, addresses);
  }
});

Deno.test("GET /api/account/score is the headline and the dimensions of the wallet's own score", async () => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  assertEquals((await owner.call("GET", "/score")).status, 401);
  await owner.signIn();
  const { status, body } = await owner.call("GET", "/score");
  assertEquals(status, 200);
  const { headline, s4 } = await readScore(deps, owner.wallet, {
    requester: SERVICE,
  });
  const { score, tierLabel } = headline;
  const { humanity, activity, social, economic } = s4;
  const dimensions = { humanity, activity, social, economic };
  assertEquals(body, { address: owner.wallet, score, tierLabel, dimensions });
});
