/** Score signals of a profile. */
import { assertEquals } from "@std/assert";
import {
  isSlugPaid,
  newProfile,
  signalsOf,
} from "../../../services/profiles/profile.ts";
import { NO_PROFILE } from "../../../services/model/signals.ts";

/** No proofs, at any instant. */
const NOTHING = { proofs: [], now: 0 };

Deno.test("signalsOf() adds purchases to imported months", () => {
  const verifiedAt = Date.parse("2026-11-01T00:00:00Z");
  const profile = {
    ...newProfile(0),
    socials: [{ kind: "x", id: "12", handle: "ada", verifiedAt } as const],
    premiumMonths: 5,
    donated: 12_345_678n,
    selfDonated: true,
    verifiedHuman: 7,
  };
  assertEquals(signalsOf(profile, { premiumMonths: 3, slugs: [] }, NOTHING), {
    claimed: true,
    socials: [{ kind: "x", verifiedAt }],
    proofs: [],
    premiumMonths: 8,
    paidSlug: false,
    donatedUsdc: 12.345678,
    selfDonated: true,
    verifiedHuman: 7,
    isHumanNow: false,
  });
});

Deno.test("signalsOf() of an unclaimed address ignores purchases", () => {
  const purchases = { premiumMonths: 3, slugs: ["ada"] };
  assertEquals(signalsOf(null, purchases, NOTHING), NO_PROFILE);
});

Deno.test("a changed slug keeps the paid signal but is not shown as paid", () => {
  const profile = { ...newProfile(0), slug: "ada" };
  const purchases = { premiumMonths: 0, slugs: ["ada"] };
  const renamed = { ...profile, slug: "countess" };
  assertEquals(
    [profile, renamed].map((held) => [
      signalsOf(held, purchases, NOTHING).paidSlug,
      isSlugPaid(held, purchases),
    ]),
    [[true, true], [true, false]],
  );
  assertEquals(isSlugPaid({ ...profile, slug: null }, purchases), false);
  const imported = { ...profile, paidSlug: true, boughtSlug: "ada" };
  assertEquals(signalsOf(imported, null, NOTHING).paidSlug, true);
  assertEquals(
    [imported, { ...imported, slug: "countess" }, { ...imported, slug: null }]
      .map((held) => isSlugPaid(held, null)),
    [true, false, false],
  );
});
