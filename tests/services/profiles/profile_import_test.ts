/** Import of profiles from a file. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { DAY_MS } from "../../../services/platform/days.ts";
import { isSlugPaid } from "../../../services/profiles/profile.ts";
import { deleteProfile } from "../../../services/profiles/profiles.ts";
import { START, type TestDeps, testDeps } from "../../support/deps.ts";
import {
  dump,
  fileOf,
  importLines,
  type Line,
} from "../../support/profile_import.ts";
import { importProfiles } from "../../../services/profiles/profile_import.ts";
import { dyingAfter } from "../../support/jobs.ts";

const address = (nth: number) => `0x${String(nth).padStart(40, "0")}`;
const [A, B, C] = [address(1), address(2), address(3)] as const;
const AT = "2026-10-01T12:00:00Z";
const TX = `0x${"11".repeat(32)}`;

const FILE: readonly Line[] = [
  {
    address: A.toUpperCase().replace("X", "x"),
    displayName: "Zoe\u0308",
    slug: "zoe",
    paidSlug: true,
    premiumMonths: 4,
    socials: [
      { kind: "x", handle: "@Zoe", verifiedAt: AT },
      { kind: "email", handle: "Zoe@example.com", verifiedAt: AT },
      { kind: "github", handle: "zoe-l", id: "77", verifiedAt: AT },
    ],
    follows: [{ address: B, at: AT }, { address: C, at: Date.parse(AT) }],
    donations: [
      { to: B, usdc: "12.50", at: AT, txHash: TX },
      { to: B, usdc: 7, at: AT, txHash: `0x${"22".repeat(32)}` },
      { to: A, usdc: "1", at: AT, txHash: TX },
    ],
    verifiedHuman: true,
  },
  { address: B },
  { address: C, follows: [{ address: A, at: AT }] },
  "",
];

Deno.test("importProfiles() imports every field of a line", async () => {
  using deps = await testDeps();
  const report = await importLines(deps, FILE);
  assertEquals(report, {
    lines: 4,
    resumedAfter: 0,
    follows: { added: 3, unchanged: 0 },
    refusedCount: 0,
    refused: [],
  });
  const verifiedAt = Date.parse(AT);
  assertEquals(await deps.store.profiles.find(A), {
    displayName: "Zo\u00eb",
    slug: "zoe",
    linksPublic: false,
    claimedAt: Date.parse(START),
    socials: [
      { kind: "x", id: null, handle: "zoe", verifiedAt },
      { kind: "email", id: null, handle: "zoe@example.com", verifiedAt },
      { kind: "github", id: "77", handle: "zoe-l", verifiedAt },
    ],
    spentKinds: [],
    verifiedHuman: 1,
    numberEvidence: {
      rule: "operator",
      kinds: [],
      at: deps.now().getTime(),
    },
    premiumMonths: 4,
    paidSlug: true,
    boughtSlug: "zoe",
    donated: 12_500_000n,
    selfDonated: true,
  });
  assertEquals((await deps.store.profiles.findBySlug("zoe"))?.address, A);
  assertEquals((await deps.store.profiles.find(B))?.verifiedHuman, null);
  assertEquals(await deps.store.profiles.find(C), null, "only follows");
  const { followers, following } = await deps.store.follows.find(A);
  assertEquals([followers, following], [1, 2]);
});

Deno.test("importing the same file again changes no record", async () => {
  using deps = await testDeps();
  await importLines(deps, FILE);
  const before = await dump(deps);
  deps.advance(3 * DAY_MS);
  const report = await importLines(deps, FILE);
  assertEquals(report.follows, { added: 0, unchanged: 3 });
  assertEquals(await dump(deps), before);
});

Deno.test("importProfiles() keeps the owner's fields and adds missing ones", async () => {
  using deps = await testDeps();
  await importLines(deps, [{ address: A, displayName: "Ada", slug: "ada" }]);
  await importLines(deps, [{
    address: A,
    displayName: "Other",
    slug: "other",
    premiumMonths: 3,
    socials: [{ kind: "x", handle: "ada", verifiedAt: AT }],
  }]);
  await importLines(deps, [{ address: A, premiumMonths: 2, paidSlug: false }]);
  const held = await deps.store.profiles.find(A);
  assertEquals(
    [held?.displayName, held?.slug, held?.premiumMonths],
    ["Ada", "ada", 3],
  );
  assertEquals(held?.socials.map(({ handle }) => handle), ["ada"]);
  assertEquals(await deps.store.profiles.findBySlug("other"), null);
});

Deno.test("importProfiles() keeps the slug that was paid for first, whatever later imports say", async () => {
  using deps = await testDeps();
  for (const slug of ["ada-l", "ada-m"]) {
    await importLines(deps, [{ address: A, slug, paidSlug: true }]);
    const held = (await deps.store.profiles.find(A))!;
    assertEquals([held.slug, held.boughtSlug], ["ada-l", "ada-l"]);
    assertEquals(isSlugPaid(held, null), true);
  }
});

Deno.test("importProfiles() remembers which slug was paid for, and no later one counts as bought", async () => {
  const cases: [string, before: Line | null, paid: Line, string | undefined][] =
    [
      ["with the slug", null, { slug: "ada-l" }, "ada-l"],
      ["the slug is there", { slug: "ada-l" }, {}, "ada-l"],
      ["another is there", { slug: "other" }, { slug: "ada-l" }, "ada-l"],
      ["no slug", null, {}, undefined],
    ];
  for (const [name, before, paid, boughtSlug] of cases) {
    using deps = await testDeps();
    const line = { address: A, paidSlug: true, ...paid as object };
    if (before) await importLines(deps, [{ address: A, ...before as object }]);
    await importLines(deps, [line]);
    await deps.store.profiles.change(A, (held) => ({
      profile: { ...held!, slug: "another" },
      audit: { at: 0, event: "profile.update", requestId: null },
    }));
    await importLines(deps, [line]);
    await deleteProfile(deps, A, { requestId: "test" });
    await importLines(deps, [{ address: A, slug: "another" }]);
    const held = (await deps.store.profiles.find(A))!;
    assertEquals([held.paidSlug, held.boughtSlug], [true, boughtSlug], name);
    assertEquals(isSlugPaid(held, null), false, name);
    const back = { ...held, slug: "ada-l" };
    assertEquals(isSlugPaid(back, null), boughtSlug !== undefined, name);
  }
});

Deno.test("an invalid line is rejected with its number and reason, and the others are imported", async (t) => {
  using deps = await testDeps();
  await importLines(deps, [
    {
      address: B,
      slug: "taken",
      socials: [{ kind: "x", handle: "taken", verifiedAt: AT }],
    },
    {
      address: C,
      donations: [{ to: B, usdc: "1", at: AT, txHash: TX }],
      socials: [{ kind: "x", handle: "carol", verifiedAt: AT }],
    },
  ]);
  const later = "2026-11-22T00:00:00Z";
  const social = { kind: "x", handle: "ada", verifiedAt: AT };
  const gift = { to: B, usdc: "1", at: AT, txHash: TX };
  const cases: [line: Line, reason: RegExp][] = [
    ["{", /^the line is not JSON$/],
    ["[]", /^line: a JSON object with address, displayName, /],
    ["null", /^line: a JSON object with address, displayName, /],
    [{}, /^line\.address: /],
    [{ address: "0x12" }, /^line\.address: a C-Chain address/],
    [{ address: A, verifiedHuman: false }, /true, or nothing/],
    [
      { address: A, name: "Ada" },
      /^line\.name: expected one of address, displayName, /,
    ],
    [{ address: A, displayName: 1 }, /^line\.displayName: a text$/],
    [{ address: A, slug: null }, /^line\.slug: a text$/],
    [{ address: A, paidSlug: "yes" }, /^line\.paidSlug: true or false$/],
    [{ address: A, socials: {} }, /^line\.socials: an array of JSON objects$/],
    [{ address: A, follows: [B] }, /follows\.0: a JSON object with address/],
    [{ address: A, slug: "admin" }, /reserved/],
    [{ address: A, slug: "t-aken" }, /another profile has this slug/],
    [{ address: A, displayName: "\u202e" }, /U\+202E/],
    [{ address: A, premiumMonths: 1.5 }, /months/],
    [{ address: A, premiumMonths: -1 }, /months/],
    [
      { address: A, socials: [{ ...social, kind: "myspace" }] },
      /socials\.0\.kind: one of x, github, farcaster, /,
    ],
    [
      { address: A, socials: [{ ...social, handle: 7 }] },
      /socials\.0\.handle: a text/,
    ],
    [
      { address: A, socials: [{ ...social, url: "" }] },
      /socials\.0\.url: expected one of kind, handle, id, verifiedAt/,
    ],
    [
      { address: A, socials: [{ ...social, handle: "a b" }] },
      /^invalid x handle "a b"$/,
    ],
    [
      {
        address: A,
        socials: [{ ...social, kind: "domain", handle: "www.firn.network" }],
      },
      /a registered domain without a subdomain: firn\.network$/,
    ],
    [
      { address: A, socials: [{ ...social, handle: "taken" }] },
      /another profile/,
    ],
    [{ address: A, socials: [social, social] }, /two accounts of one kind/],
    [
      { address: A, socials: [{ ...social, verifiedAt: later }] },
      /verification time in the future$/,
    ],
    [{ address: C, socials: [social] }, /already has another x account$/],
    [{ address: A, follows: [{ address: A, at: AT }] }, /itself/],
    [{ address: A, follows: [{ address: B, at: later }] }, /later than now/],
    [
      { address: A, follows: [{ address: B, at: "soon" }] },
      /follows\.0\.at: an instant/,
    ],
    [{ address: A, follows: [{ address: B }] }, /follows\.0\.at/],
    [{ address: C, donations: [{ ...gift, usdc: "2" }] }, /another amount/],
    [{ address: C, donations: [{ ...gift, at: later }] }, /in the future$/],
    [
      { address: C, donations: [{ ...gift, usdc: "1e3" }] },
      /at most 6 decimals/,
    ],
    [{ address: C, donations: [{ ...gift, usdc: "0.0000001" }] }, /decimals/],
    [{ address: C, donations: [{ ...gift, usdc: -1 }] }, /decimals/],
    [
      { address: C, donations: [{ ...gift, txHash: "0x1" }] },
      /transaction hash/,
    ],
    [
      { address: A, displayName: "x".repeat(2 ** 20) },
      /expected at most 1048576 characters$/,
    ],
  ];
  const good = { address: address(9), follows: [{ address: B, at: AT }] };
  for (const [line, reason] of cases) {
    await t.step(String(reason), async () => {
      const report = await importLines(deps, ["", line, good]);
      assertEquals([report.lines, report.refusedCount], [3, 1]);
      assertEquals(report.refused[0]?.line, 2);
      assertMatch(report.refused[0]!.reason, reason);
      assertEquals(report.follows.added + report.follows.unchanged, 1);
    });
  }
  assertEquals((await deps.store.profiles.find(A))?.slug, undefined);
});

Deno.test("all rejected lines are counted, and the first hundred are listed in order", async () => {
  using deps = await testDeps();
  const bad = Array.from(
    { length: 6_000 },
    (_, nth): Line =>
      nth % 2 === 0
        ? {
          address: A,
          follows: [{ address: A, at: AT }, { address: A, at: AT }],
        }
        : "x",
  );
  const { refused, refusedCount } = await importLines(deps, bad);
  assertEquals(refusedCount, 6_000);
  assertEquals(refused.length, 100);
  const lines = refused.map(({ line }) => line);
  assertEquals(lines, lines.toSorted((a, b) => a - b));
});

Deno.test("importProfiles() cuts a reason after 200 characters, and takes a line of 1,048,576", async () => {
  using deps = await testDeps();
  const handle = `a ${"x".repeat(300)}`;
  const social = { kind: "x", handle, verifiedAt: AT };
  const whole = JSON.stringify({ address: A }).padEnd(2 ** 20);
  const { refused } = await importLines(deps, [
    { address: B, socials: [social] },
    whole,
    `${whole} `,
  ]);
  assertEquals(refused, [
    { line: 1, reason: `invalid x handle "${handle}"`.slice(0, 200) },
    {
      line: 3,
      reason: "the line is too long: expected at most 1048576 characters",
    },
  ]);
});

// Imports that are interrupted: kills, database errors and checkpoints.

Deno.test("a killed import resumes and has the same result", async () => {
  const lines = Array.from(
    { length: 2_500 },
    (_, nth): Line =>
      nth % 200 === 7 ? "not JSON" : {
        address: address(nth),
        displayName: `Nr. ${nth}`,
        follows: [{ address: address(nth + 1), at: AT }],
      },
  );
  using whole = await testDeps();
  const expected = await importLines(whole, lines);
  assertEquals(expected.refusedCount, 13);

  using deps = await testDeps();
  const { profileImports } = deps.store;
  const dying = dyingAfter(1, profileImports.put);
  const dead = {
    ...deps,
    store: {
      ...deps.store,
      profileImports: { ...profileImports, put: dying.call },
    },
  };
  importProfiles(dead, fileOf(lines));
  await dying.died;
  const report = await importLines(deps, lines);
  assert(report.resumedAfter > 500 && report.resumedAfter < 1_500);
  assertEquals(report.lines, expected.lines);
  assertEquals(report.refused, expected.refused);
  assertEquals(report.refusedCount, expected.refusedCount);
  // These have names made by chance.
  const rooms = new Set<unknown>(["audit", "graph_changes"]);
  const data = async (held: TestDeps) =>
    (await dump(held)).filter(({ key }) => !rooms.has(key[0]))
      .map(({ key, value }) => ({ key, value }));
  assertEquals(await data(deps), await data(whole));
});

Deno.test("a database error ends the import and rejects no line", async () => {
  using deps = await testDeps();
  const store = {
    ...deps.store,
    profiles: {
      ...deps.store.profiles,
      change: () => Promise.reject(new Error("disk is full")),
    },
  };
  await assertRejects(
    () => importProfiles({ ...deps, store }, fileOf([{ address: A }])),
    Error,
    "disk is full",
  );
});

Deno.test("a checkpoint writes the follows before it, once", async () => {
  using deps = await testDeps();
  const lines = [
    { address: A, follows: [{ address: B, at: AT }] },
    // A profile counts as 41 units of work, and 40,000 make a checkpoint.
    ...Array.from({ length: 980 }, () => ({ address: C })),
  ];
  const checkpoints: number[] = [];
  const report = await importProfiles(
    deps,
    fileOf(lines),
    ({ lines }) => checkpoints.push(lines),
  );
  assertEquals(report.follows, { added: 1, unchanged: 0 });
  assertEquals(checkpoints, [977]);
});

// One imported line: instants, defaults, and which accounts are the same.

Deno.test("importProfiles() takes an account or a donation of this instant, and none of the next millisecond", async () => {
  using deps = await testDeps();
  const now = Date.parse(START);
  const lineAt = (at: number) => [
    { address: A, socials: [{ kind: "x", handle: "ada", verifiedAt: at }] },
    { address: B, donations: [{ to: A, usdc: 1, at, txHash: TX }] },
  ];
  assertEquals((await importLines(deps, lineAt(now + 1))).refused, [
    { line: 1, reason: "the x account has a verification time in the future" },
    { line: 2, reason: "a donation has a time in the future" },
  ]);
  assertEquals(await deps.store.profiles.find(A), null);
  assertEquals(await deps.store.profiles.find(B), null);
  assertEquals((await importLines(deps, lineAt(now))).refused, []);
});

Deno.test("importProfiles() compares an account by its id if both sides have one, else by its handle", async (t) => {
  const account = (id: string | undefined, handle: string) => ({
    kind: "github",
    verifiedAt: AT,
    handle,
    ...id && { id },
  });
  const cases: [
    name: string,
    held: object,
    imported: object,
    isSame: boolean,
  ][] = [
    ["one id, renamed", account("7", "ada"), account("7", "new"), true],
    ["two ids, one name", account("7", "ada"), account("8", "ada"), false],
    ["no id held", account(undefined, "ada"), account("7", "ada"), true],
    ["no id imported", account("7", "ada"), account(undefined, "ada"), true],
    ["no id, renamed", account("7", "ada"), account(undefined, "new"), false],
  ];
  for (const [name, held, imported, isSame] of cases) {
    await t.step(name, async () => {
      using deps = await testDeps();
      await importLines(deps, [{ address: A, socials: [held] }]);
      const before = await deps.store.profiles.find(A);
      const { refused } = await importLines(deps, [
        { address: A, socials: [imported] },
      ]);
      const reason = "the profile already has another github account";
      assertEquals(refused, isSame ? [] : [{ line: 1, reason }]);
      assertEquals(await deps.store.profiles.find(A), before);
    });
  }
});
