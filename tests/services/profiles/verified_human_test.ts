/** The conditions for a Verified Human number. */
import { assertEquals } from "@std/assert";
import type { SocialKind } from "../../../services/model/score_terms_schema.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import {
  newProfile,
  type Profile,
} from "../../../services/profiles/profile.ts";
import {
  isNumberDue,
  missingConditions,
} from "../../../services/profiles/verified_human.ts";

const NOW = Date.parse("2026-11-21T08:00:00Z");

function profileWith(
  kinds: readonly SocialKind[],
  more: Partial<Profile> = {},
): Profile {
  const socials = kinds.map((kind, nth) => ({
    kind,
    id: null,
    handle: `h${nth}`,
    verifiedAt: NOW,
  }));
  return { ...newProfile(NOW), socials, ...more };
}

Deno.test("isNumberDue() requires two kinds of accounts, 90 days, and no number yet", async (t) => {
  const old = NOW - 90 * DAY_MS;
  const two = profileWith(["github", "domain"]);
  const cases: [
    name: string,
    profile: Profile | null,
    firstTxAt: number | null,
    isDue: boolean,
  ][] = [
    ["both", two, old, true],
    ["no profile", null, old, false],
    ["no social", profileWith([]), old, false],
    ["one social", profileWith(["github"]), old, false],
    ["two of one kind", profileWith(["github", "github"]), old, false],
    ["a day too young", two, old + DAY_MS, false],
    ["a millisecond too young", two, old + 1, false],
    ["never sent anything", two, null, false],
    ["from tomorrow", two, NOW + DAY_MS, false],
    ["one spent", { ...two, spentKinds: ["github"] }, old, false],
    ["has one", profileWith(["x", "email"], { verifiedHuman: 3 }), old, false],
  ];
  for (const [name, profile, firstTxAt, isDue] of cases) {
    await t.step(name, () => {
      assertEquals(isNumberDue(profile, { firstTxAt, now: NOW }), isDue);
    });
  }
});

Deno.test("missingConditions() lists what a wallet lacks for a number", () => {
  const [firstTxAt, now] = [NOW - 90 * DAY_MS, NOW];
  const list = (profile: Profile | null, at: number | null = firstTxAt) =>
    missingConditions(profile, { firstTxAt: at, now });
  assertEquals(list(null, null), ["profile", "accounts", "walletHistory"]);
  assertEquals(list(profileWith(["github"])), ["accounts"]);
  const two = profileWith(["github", "domain"]);
  assertEquals(list({ ...two, spentKinds: ["domain"] }), ["accounts"]);
  assertEquals(list(two, null), ["walletHistory"]);
  assertEquals(list(two), []);
  assertEquals(list(profileWith([], { verifiedHuman: 3 }), null), []);
});
