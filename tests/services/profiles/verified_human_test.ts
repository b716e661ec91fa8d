/** The conditions for a Verified Human number, and what one rests on. */
import { assertEquals } from "@std/assert";
import type { SocialKind } from "../../../services/model/score_terms_schema.ts";
import type { AccountFacts } from "../../../services/model/signals.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import {
  evidenceFor,
  showEvidence,
} from "../../../services/profiles/human_evidence.ts";
import {
  newProfile,
  type Profile,
  signalsOf,
} from "../../../services/profiles/profile.ts";
import {
  isNumberDue,
  missingConditions,
} from "../../../services/profiles/verified_humans.ts";

const NOW = Date.parse("2026-11-21T08:00:00Z");
const ago = (days: number) => NOW - days * DAY_MS;

/** A used GitHub account of two years. */
const USED: AccountFacts = { createdAt: ago(730), publicWork: 10 };

/** Links accounts, a year ago. */
function profileWith(
  kinds: readonly SocialKind[],
  more: Partial<Profile> = {},
  { days = 365, account = USED } = {},
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
      profileWith(THREE, {}, { account: { ...USED, createdAt: ago(729) } }),
      old,
      false,
    ],
    [
      "an unused GitHub account",
      profileWith(THREE, {}, { account: { ...USED, publicWork: 9 } }),
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
