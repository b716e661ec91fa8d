/** When Verified Human numbers are granted. */
import { SERVICE } from "../../../services/platform/rate_limit/call_budget.ts";
import { assertEquals } from "@std/assert";
import { type SocialKind } from "../../../services/model/score_terms_schema.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import {
  evidenceFor,
  newProfile,
  type Profile,
  showEvidence,
  signalsOf,
} from "../../../services/profiles/profile.ts";
import { readBatch, readScore } from "../../../services/scores/scores.ts";
import {
  linkSocial,
  unlinkSocial,
} from "../../../services/profiles/socials.ts";
import {
  grantByStoredSignals,
  isNumberDue,
  missingConditions,
} from "../../../services/profiles/verified_humans.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { type AccountFacts } from "../../../services/model/signals.ts";

const requestId = "test";
const USED = { createdAt: 0, publicWork: 100 };

/** Claims a profile and links accounts to it. */
async function claim(deps: TestDeps, address: string) {
  const at = deps.now().getTime();
  await deps.store.profiles.change(address, () => ({
    profile: newProfile(at),
    audit: { at, event: "profile.update", requestId },
  }));
  return {
    link: (kind: SocialKind) =>
      linkSocial(deps, address, {
        kind,
        id: null,
        handle: `h${address}`,
        verifiedAt: at - 365 * DAY_MS,
        account: kind === "github" ? USED : null,
        requestId,
      }),
    unlink: (kind: SocialKind) =>
      unlinkSocial(deps, address, { kind, requestId }),
    number: async () =>
      (await deps.store.profiles.find(address))?.verifiedHuman ?? null,
  };
}

Deno.test("linking the third kind of account grants a number to an old enough wallet", async () => {
  using deps = await testDeps();
  const address = exampleOf("ordinary");
  await readScore(deps, address, { requester: SERVICE });
  const calls = deps.upstreams.explorer.calls.length;
  const { link, unlink, number } = await claim(deps, address);
  await link("github");
  await link("domain");
  assertEquals(await number(), null);
  await link("x");
  assertEquals(await number(), 1);
  assertEquals(deps.upstreams.explorer.calls.length, calls, "no call for it");
  for (const kind of ["github", "domain", "x"] as const) await unlink(kind);
  assertEquals(await number(), 1, "it stays");
  await link("x");
  await link("email");
  assertEquals(await number(), 1);
  const score = await readScore(deps, address, { requester: SERVICE });
  assertEquals(score.verifiedHuman, 1);
  const [trail] = (await deps.store.audit.list(address))
    .filter(({ event }) => event === "human.grant");
  assertEquals([trail?.number, trail?.requestId], [1, requestId]);
});

Deno.test("a score read grants the number if the age was unknown or too low before", async () => {
  using deps = await testDeps();
  const unknown = await claim(deps, exampleOf("ordinary"));
  await unknown.link("github");
  await unknown.link("domain");
  await unknown.link("discord");
  assertEquals(await unknown.number(), null);
  const { verifiedHuman } = await readScore(deps, exampleOf("ordinary"), {
    requester: SERVICE,
  });
  assertEquals(verifiedHuman, 1);
  assertEquals(await unknown.number(), 1);
});

Deno.test("a score read grants the number from day 90 on, and a batch never does", async () => {
  using deps = await testDeps();
  const address = exampleOf("ordinary");
  await readScore(deps, address, { requester: SERVICE });
  const stored = (await deps.store.signals.findAll([address]))[0]!;
  const now = deps.now().getTime();
  const firstTxAt = now - 90 * DAY_MS + 2_000;
  await deps.store.signals.put(address, {
    ...stored,
    signals: { ...stored.signals, firstTxAt },
  });
  const { link, number } = await claim(deps, address);
  for (const kind of ["github", "domain", "x"] as const) await link(kind);
  assertEquals(
    (await readScore(deps, address, { requester: SERVICE })).verifiedHuman,
    null,
  );
  deps.advance(2_000);
  const batch = await readBatch(deps, [address]);
  assertEquals(batch.results[0]?.verifiedHuman, null);
  assertEquals(await number(), null);
  assertEquals(
    (await readScore(deps, address, { requester: SERVICE })).verifiedHuman,
    1,
  );
  const again = await readBatch(deps, [address]);
  assertEquals(again.results[0]?.verifiedHuman, 1);
});

Deno.test("grantByStoredSignals() reads signals only for a profile that lacks nothing but the number, and returns the profile with it", async (t) => {
  using deps = await testDeps();
  const address = exampleOf("ordinary");
  const account = (kind: SocialKind) =>
    ({ kind, id: null, handle: "ada", verifiedAt: 1 }) as const;
  const kinds = ["x", "discord", "telegram"] as const;
  const two = {
    ...newProfile(1),
    socials: kinds.slice(0, 2).map(account),
  };
  const three = { ...two, socials: kinds.map(account) };
  await deps.store.profiles.change(address, () => ({
    profile: three,
    audit: { at: 1, event: "profile.update", requestId },
  }));
  const now = deps.now().getTime();
  const cases: [
    name: string,
    profile: typeof three,
    firstTxAt: number | null,
    reads: number,
    number: number | null,
  ][] = [
    ["two accounts", two, 1, 0, null],
    ["a number already", { ...three, verifiedHuman: 7 }, 1, 0, 7],
    ["no history", three, null, 1, null],
    ["a young wallet", three, now, 1, null],
    ["all that is needed", three, 1, 1, 1],
  ];
  for (const [name, profile, firstTxAt, reads, number] of cases) {
    await t.step(name, async () => {
      let read = 0;
      const findFirstTxAt = () => (read++, Promise.resolve(firstTxAt));
      const found = await grantByStoredSignals(
        { ...deps, findFirstTxAt },
        address,
        { profile, requestId },
      );
      assertEquals([read, found.verifiedHuman], [reads, number]);
      const evidence = {
        rule: "accounts",
        kinds: [...kinds],
        at: now,
      } as const;
      assertEquals(found, {
        ...profile,
        verifiedHuman: number,
        ...number === 1 && { numberEvidence: evidence },
      });
    });
  }
});

// The conditions for a Verified Human number, and what one rests on.

const NOW = Date.parse("2026-11-21T08:00:00Z");
const ago = (days: number) => NOW - days * DAY_MS;

/** A used GitHub account of two years. */
const LONG_USED: AccountFacts = { createdAt: ago(730), publicWork: 10 };

/** Links accounts, a year ago. */
function profileWith(
  kinds: readonly SocialKind[],
  more: Partial<Profile> = {},
  { days = 365, account = LONG_USED } = {},
): Profile {
  const socials = kinds.map((kind, nth) => ({
    kind,
    id: null,
    handle: `h${nth}`,
    verifiedAt: ago(days),
    account: kind === "github" ? account : null,
  }));
  return { ...newProfile(NOW), socials, ...more };
}

const proof = (until = NOW + 1) =>
  ({ kind: "worldId", strength: 1, until }) as const;
const THREE: SocialKind[] = ["github", "domain", "x"];

Deno.test("isNumberDue() requires a proof or three old and used accounts, 90 days, and no number yet", async (t) => {
  const old = ago(90);
  const three = profileWith(THREE);
  const bare = profileWith([]);
  const cases: [
    name: string,
    profile: Profile | null,
    firstTxAt: number | null,
    isDue: boolean,
    proofs?: ReturnType<typeof proof>[],
  ][] = [
    ["a proof", bare, old, true, [proof()]],
    ["an expired proof", bare, old, false, [proof(NOW)]],
    ["a proof without a profile", null, old, false, [proof()]],
    ["three accounts", three, old, true],
    [
      "a GitHub account and a domain",
      profileWith(THREE.slice(0, 2)),
      old,
      false,
    ],
    ["no account", bare, old, false],
    ["three of one kind", profileWith(["x", "x", "x"]), old, false],
    ["two and an email", profileWith(["x", "domain", "email"]), old, false],
    ["linked too late", profileWith(THREE, {}, { days: 364 }), old, false],
    [
      "a new GitHub account",
      profileWith(THREE, {}, {
        account: { ...LONG_USED, createdAt: ago(729) },
      }),
      old,
      false,
    ],
    [
      "an unused GitHub account",
      profileWith(THREE, {}, { account: { ...LONG_USED, publicWork: 9 } }),
      old,
      false,
    ],
    ["one spent", { ...three, spentKinds: ["github"] }, old, false],
    ["a day too young", three, ago(89), false],
    ["a millisecond too young", three, old + 1, false],
    ["never sent anything", three, null, false],
    ["from tomorrow", three, ago(-1), false],
    ["has one", profileWith(THREE, { verifiedHuman: 3 }), old, false],
  ];
  for (const [name, profile, firstTxAt, isDue, proofs = []] of cases) {
    await t.step(name, () => {
      assertEquals(
        isNumberDue(profile, { firstTxAt, now: NOW, proofs }),
        isDue,
      );
    });
  }
});

Deno.test("missingConditions() lists what a wallet lacks for a number", () => {
  const [firstTxAt, now] = [ago(90), NOW];
  const list = (
    profile: Profile | null,
    at: number | null = firstTxAt,
    proofs: ReturnType<typeof proof>[] = [],
  ) => missingConditions(profile, { firstTxAt: at, now, proofs });
  assertEquals(list(null, null), ["profile", "evidence", "walletHistory"]);
  assertEquals(list(profileWith(["github"])), ["evidence"]);
  const three = profileWith(THREE);
  assertEquals(list({ ...three, spentKinds: ["domain"] }), ["evidence"]);
  assertEquals(list(three, null), ["walletHistory"]);
  assertEquals(list(three), []);
  assertEquals(list(profileWith([]), firstTxAt, [proof()]), []);
  assertEquals(list(profileWith([], { verifiedHuman: 3 }), null), []);
});

Deno.test("a number is shown with what it rests on, and is held to the rule that it was given by", () => {
  const at = { proofs: [proof()], now: NOW };
  const none: typeof at = { proofs: [], now: NOW };
  const numbered = (
    kinds: readonly SocialKind[],
    rule?: "uniqueHuman" | "accounts" | "operator",
  ) =>
    profileWith(kinds, {
      verifiedHuman: 3,
      ...rule && { numberEvidence: { rule, kinds: ["worldId"], at: NOW } },
    }, { days: 0 });
  assertEquals(evidenceFor(numbered([]), at), {
    rule: "uniqueHuman",
    kinds: ["worldId"],
  });
  assertEquals(evidenceFor(profileWith(THREE), none), {
    rule: "accounts",
    kinds: THREE,
  });
  const isHuman = (profile: Profile, given = none) =>
    signalsOf(profile, null, given).isHumanNow;
  const two = THREE.slice(0, 2);
  assertEquals(isHuman(numbered(two)), true, "the rule of its time");
  assertEquals(isHuman(numbered(two, "operator")), true);
  assertEquals(isHuman(numbered(two, "uniqueHuman")), false);
  assertEquals(isHuman(numbered(two, "accounts")), false);
  assertEquals(isHuman(numbered([], "uniqueHuman"), at), true);
  assertEquals(isHuman(numbered(["x"])), false);
  assertEquals(isHuman(numbered(["x"]), at), true);
  assertEquals(showEvidence(numbered(two)), {
    rule: "earlier",
    kinds: two,
    since: null,
  });
  assertEquals(showEvidence(numbered(two, "uniqueHuman")), {
    rule: "uniqueHuman",
    kinds: ["worldId"],
    since: new Date(NOW).toISOString(),
  });
  assertEquals(showEvidence(profileWith(THREE)), null);
  assertEquals(showEvidence(null), null);
});
