/** Own and public profiles over HTTP. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { appOf } from "../../support/app.ts";
import {
  OwnProfile,
  PublicProfile,
} from "../../../services/profiles/profiles_schema.ts";
import type { SocialKind } from "../../../services/model/score_terms_schema.ts";
import { linkSocial } from "../../../services/profiles/socials.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { keyPair, newOwner } from "../../support/owners.ts";

const EMPTY = { displayName: null, slug: null, linksPublic: false };

/** A signed-in owner, and the profile requests. */
async function signedInOwner(deps: TestDeps, nth = 1) {
  const owner = newOwner(deps, keyPair(nth));
  await owner.signIn();
  return {
    ...owner,
    write: (fields: Partial<typeof EMPTY> | Record<string, unknown>) =>
      owner.call("PUT", "/profile", { body: { ...EMPTY, ...fields } }),
    link: (kind: SocialKind, handle: string) =>
      linkSocial(deps, owner.wallet, {
        kind,
        handle,
        id: null,
        verifiedAt: deps.now().getTime(),
        requestId: "test",
      }),
  };
}

/** Requests a public profile. */
async function look(deps: TestDeps, addressOrSlug: string, init?: RequestInit) {
  const path = `/api/profiles/${addressOrSlug}`;
  const response = await appOf(deps).request(path, init);
  const text = await response.text();
  const body = text === "" ? null : JSON.parse(text);
  return { status: response.status, headers: response.headers, body };
}

Deno.test("an owner claims and changes a profile, and everybody can read it", async () => {
  using deps = await testDeps();
  const owner = await signedInOwner(deps);
  const before = await owner.call("GET", "/profile");
  assertEquals(before.status, 200);
  assertEquals(OwnProfile.parse(before.body), before.body);
  assertEquals(before.body.claimedAt, null);
  assertEquals((await look(deps, owner.wallet)).status, 404);

  const written = await owner.write({ displayName: "Ada", slug: "ada-l" });
  assertEquals(written.status, 200, written.text);
  assertEquals(written.body, {
    address: owner.wallet,
    displayName: "Ada",
    resembles: null,
    slug: "ada-l",
    paidSlug: false,
    verifiedHuman: null,
    verifiedHumanEvidence: null,
    donatedUsdc: "0.00",
    followers: 0,
    following: 0,
    hidden: false,
    claimedAt: "2026-11-21T08:00:00.000Z",
    linksPublic: false,
    socials: [],
    premiumMonths: 0,
    verifiedHumanMissing: ["evidence", "walletHistory"],
  });
  deps.advance(1_000);
  await owner.write({ displayName: "Ada Lovelace", slug: "ada-l" });
  assertEquals((await owner.call("GET", "/profile")).body, {
    ...written.body,
    displayName: "Ada Lovelace",
  });

  const mixed = `0x${owner.wallet.slice(2).toUpperCase()}`;
  for (const name of ["ada-l", owner.wallet, mixed]) {
    const { status, headers, body } = await look(deps, name);
    assertEquals(status, 200, name);
    assertEquals(headers.get("Access-Control-Allow-Origin"), "*");
    assertEquals(headers.get("Cache-Control"), "public, max-age=60");
    assertEquals(PublicProfile.parse(body), body);
    assertEquals([body.address, body.displayName, body.claimedAt], [
      owner.wallet,
      "Ada Lovelace",
      "2026-11-21T08:00:00.000Z",
    ]);
  }
  const { headers } = await look(deps, "ada-l");
  const again = await look(deps, "ada-l", {
    headers: { "If-None-Match": headers.get("ETag")! },
  });
  assertEquals(again.status, 304);

  await owner.write({ slug: null });
  assertEquals((await look(deps, "ada-l")).status, 404);
  const { body: { audit } } = await owner.call("GET", "");
  const updates = audit.filter(({ event }: { event: string }) =>
    event === "profile.update"
  );
  assertEquals(updates.length, 3);
  assertEquals(updates[0].slug, null);
});

Deno.test("an unclaimed profile answers 404 with the standard error body", async (t) => {
  using deps = await testDeps();
  const unknown = [
    "nobody-here",
    `0x${"12".repeat(20)}`,
    "Ada",
    "%00",
    "%E2%80%AE",
    "0x12",
    "admin",
    "x".repeat(5_000),
  ];
  for (const name of unknown) {
    await t.step(name.slice(0, 40), async () => {
      const { status, headers, body } = await look(deps, name);
      assertEquals([status, body.code], [404, "NOT_FOUND"]);
      assertEquals(body.error, body.message);
      assertEquals(headers.get("Cache-Control"), "no-store");
      assertEquals(headers.get("Access-Control-Allow-Origin"), "*");
    });
  }
});

Deno.test("handles are public if the owner allows it, and email never is", async () => {
  using deps = await testDeps();
  const owner = await signedInOwner(deps);
  await owner.write({ slug: "ada-l" });
  await owner.link("telegram", "ada_l");
  await owner.link("email", "ada@example.com");
  const handles = async () => {
    const { body } = await look(deps, "ada-l");
    return body.socials.map(
      ({ kind, handle }: { kind: string; handle: string }) => [kind, handle],
    );
  };
  assertEquals(await handles(), [["telegram", null], ["email", null]]);
  await owner.write({ slug: "ada-l", linksPublic: true });
  assertEquals(await handles(), [["telegram", "ada_l"], ["email", null]]);
  const { body } = await owner.call("GET", "/profile");
  assertEquals(
    body.socials.map(({ handle }: { handle: string }) => handle),
    ["ada_l", "ada@example.com"],
  );
});

Deno.test("a taken slug answers 409 and leaves the profile unchanged", async () => {
  using deps = await testDeps();
  const [ada, eve] = [await signedInOwner(deps), await signedInOwner(deps, 2)];
  assertEquals((await ada.write({ slug: "ada-l" })).status, 200);
  await eve.write({ slug: "eve-l", displayName: "Eve" });
  for (const slug of ["ada-l", "adal", "ada-1", "a-da-i"]) {
    const refused = await eve.write({ slug, displayName: "Ada" });
    assertEquals([refused.status, refused.body.code], [409, "SLUG_TAKEN"]);
  }
  const { body } = await eve.call("GET", "/profile");
  assertEquals([body.slug, body.displayName], ["eve-l", "Eve"]);
  await ada.write({ slug: "countess" });
  assertEquals((await eve.write({ slug: "ada-l" })).status, 200);
});

Deno.test("PUT /profile rejects invalid fields with what is expected, and changes nothing", async (t) => {
  using deps = await testDeps();
  const owner = await signedInOwner(deps);
  const cases: [body: unknown, error: RegExp][] = [
    [{ ...EMPTY, slug: "Ada" }, /"A" \(U\+0041\)/],
    [{ ...EMPTY, slug: "\u0430da" }, /\(U\+0430\)/],
    [{ ...EMPTY, slug: "admin" }, /reserved/],
    [{ ...EMPTY, slug: "adm1n" }, /look like the reserved admin/],
    [{ ...EMPTY, slug: owner.wallet }, /3 to 32/],
    [{ ...EMPTY, slug: "" }, /3 to 32/],
    [{ ...EMPTY, slug: 7 }, /a slug or null/],
    [{ ...EMPTY, displayName: "" }, /1 to 40/],
    [
      { ...EMPTY, displayName: "Ada\u202e" },
      /visible characters only, without \(U\+202E\)/,
    ],
    [
      { ...EMPTY, displayName: "Ada\u200b" },
      /visible characters only, without \(U\+200B\)/,
    ],
    [{ ...EMPTY, displayName: "x".repeat(41) }, /1 to 40/],
    [{ ...EMPTY, linksPublic: "yes" }, /true or false/],
    [{ displayName: "Ada" }, /slug|linksPublic/],
    [{ ...EMPTY, verifiedHuman: 1 }, /verifiedHuman/],
    ["{", /expected JSON/],
    ['{"slug":null,"slug":"ada"}', /duplicate name/],
  ];
  for (const [body, error] of cases) {
    await t.step(String(error), async () => {
      // No more in a minute than a wallet may.
      deps.advance(60_000);
      const answer = await owner.call("PUT", "/profile", { body });
      assertEquals(answer.status, 400, answer.text);
      assertMatch(answer.body.error, error);
    });
  }
  assertEquals((await look(deps, owner.wallet)).status, 404);
});

Deno.test("a display name is stored in NFC", async () => {
  using deps = await testDeps();
  const owner = await signedInOwner(deps);
  const { body } = await owner.write({ displayName: "Zoe\u0308" });
  assertEquals(body.displayName, "Zo\u00eb");
});

Deno.test("PUT /profile requires a session and this origin, and is rate limited", async () => {
  using deps = await testDeps();
  const stranger = newOwner(deps);
  assertEquals((await stranger.call("GET", "/profile")).status, 401);
  const put = await stranger.call("PUT", "/profile", { body: EMPTY });
  assertEquals([put.status, put.body.code], [401, "SIGNED_OUT"]);

  const owner = await signedInOwner(deps);
  const elsewhere = await owner.call("PUT", "/profile", {
    body: EMPTY,
    headers: { Origin: "https://evil.example" },
  });
  assertEquals([elsewhere.status, elsewhere.body.code], [403, "CROSS_SITE"]);

  for (let call = 0; call < 20; call++) {
    assertEquals((await owner.write({})).status, 200);
  }
  const refused = await owner.write({});
  assertEquals([refused.status, refused.body.code], [429, "RATE_LIMITED"]);
  assert(Number(refused.headers.get("Retry-After")) > 0);
  deps.advance(61_000);
  assertEquals((await owner.write({})).status, 200);
});

Deno.test("DELETE /socials/{kind} unlinks an account, which others may link then", async () => {
  using deps = await testDeps();
  const [ada, eve] = [await signedInOwner(deps), await signedInOwner(deps, 2)];
  await ada.write({});
  await eve.write({});
  await ada.link("github", "ada");
  const unlinked = await ada.call("DELETE", "/socials/github");
  assertEquals([unlinked.status, unlinked.body.socials], [200, []]);
  await eve.link("github", "ada");
  const again = await ada.call("DELETE", "/socials/github");
  assertEquals([again.status, again.body.code], [404, "NOT_FOUND"]);
  const unknown = await ada.call("DELETE", "/socials/myspace");
  assertEquals(unknown.status, 400);
  assertMatch(unknown.body.error, /x, github, farcaster/);
});
