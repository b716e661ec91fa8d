/** Store rules of profiles: each record that breaks one, and its neighbours that do not. */
import { newProfile } from "../../../services/profiles/profile.ts";
import { RULES } from "../../../services/stores.ts";
import { assertRules } from "../../support/kv/rule_cases.ts";

const ADDRESS = "0xa";
const key = ["profiles", ADDRESS];
const profile = newProfile(1);
const github = { kind: "github", id: "7", handle: "ada", verifiedAt: 1 };
const x = { kind: "x", id: "8", handle: "bob", verifiedAt: 1 };
const slugged = { ...profile, slug: "ada" };
const linked = { ...profile, socials: [github] };
const remains = { claimedAt: null, verifiedHuman: null };
const holder = { address: ADDRESS, id: null };
const byId = ["socials", "github", "#7"];
const byHandle = ["socials", "github", "@ada"];

const graphOf = (claimed: boolean) =>
  [[["graphs", ADDRESS], { known: { claimed } }]] as const;

const given = (amounts: readonly (readonly [number, bigint])[]) =>
  amounts.map(([at, amount]) => ({ at, amount }));
const many = (count: number) =>
  given(Array.from({ length: count }, (_, nth) => [nth, 1n] as const));
const donor = (donated: bigint) => [[key, { ...profile, donated }]] as const;

const proofOf = (readAt: number | null, proof: object) => ({
  reads: { world: { readAt, proof } },
});

Deno.test("rules of profiles hold for sound records, and for no others", () =>
  assertRules(RULES, [
    {
      rule: "profile-names",
      key,
      cases: [
        ["no names", true, profile],
        ["an indexed slug", true, slugged, [[["slugs", "ada"], holder]]],
        ["a slug without an index", false, slugged],
        ["a slug of another", false, slugged, [
          [["slugs", "ada"], { ...holder, address: "0xb" }],
        ]],
        ["an account by id and handle", true, linked, [
          [byId, { ...holder, id: "7" }],
          [byHandle, { ...holder, id: "7" }],
        ]],
        ["a handle that another account has now", true, linked, [
          [byId, { ...holder, id: "7" }],
          [byHandle, { address: "0xb", id: "9" }],
        ]],
        ["a handle that another account had", true, linked, [
          [byId, { ...holder, id: "7" }],
        ]],
        ["a handle of another, without an id", false, linked, [
          [byId, { ...holder, id: "7" }],
          [byHandle, { address: "0xb", id: null }],
        ]],
        ["an account without an id of its own", false, linked, [
          [byHandle, { ...holder, id: "7" }],
        ]],
        ["a deleted profile", true, remains],
      ],
    },
    {
      rule: "profile-accounts",
      key,
      cases: [
        ["one of each kind", true, { ...profile, socials: [github, x] }],
        ["two of a kind", false, { ...profile, socials: [github, github] }],
        ["a deleted profile", true, remains],
      ],
    },
    {
      rule: "profile-known",
      key,
      cases: [
        ["claimed and marked", true, profile, graphOf(true)],
        ["claimed and not marked", false, profile, graphOf(false)],
        ["claimed without a record", false, profile],
        ["deleted and marked", false, remains, graphOf(true)],
        ["deleted without a record", true, remains],
      ],
    },
    {
      rule: "profile-number",
      key,
      cases: [
        ["no number", true, profile],
        ["an indexed number", true, { ...profile, verifiedHuman: 3 }, [
          [["humans", 3], ADDRESS],
        ]],
        ["a number of another", false, { ...profile, verifiedHuman: 3 }, [
          [["humans", 3], "0xb"],
        ]],
        ["a number without an index", false, { ...profile, verifiedHuman: 3 }],
      ],
    },
    {
      rule: "slug",
      key: ["slugs", "ada"],
      cases: [
        ["of its profile", true, holder, [[key, slugged]]],
        ["without a profile", false, holder],
        ["of a deleted profile", false, holder, [
          [key, { ...slugged, claimedAt: null }],
        ]],
        ["of a profile without a slug", false, holder, [[key, profile]]],
        ["of a profile with another", false, holder, [
          [key, { ...profile, slug: "bob" }],
        ]],
      ],
    },
    {
      rule: "account",
      key: byHandle,
      cases: [
        ["of its profile", true, holder, [[key, linked]]],
        ["without a profile", false, holder],
        ["of a deleted profile", false, holder, [
          [key, { ...linked, claimedAt: null }],
        ]],
        ["of another kind", false, holder, [
          [key, { ...profile, socials: [{ ...github, kind: "x" }] }],
        ]],
        ["beside another kind", true, holder, [
          [key, { ...profile, socials: [x, github] }],
        ]],
        ["of another handle", false, holder, [
          [key, { ...profile, socials: [{ ...github, handle: "bob" }] }],
        ]],
      ],
    },
    {
      rule: "account",
      key: byId,
      cases: [
        ["by its id", true, holder, [[key, linked]]],
        ["by another id", false, holder, [
          [key, { ...profile, socials: [{ ...github, id: "9" }] }],
        ]],
      ],
    },
    {
      rule: "human",
      key: ["humans", 3],
      cases: [
        ["counted", true, ADDRESS, [
          [key, { ...profile, verifiedHuman: 3 }],
          [["human_count"], 3],
        ]],
        ["above the count", false, ADDRESS, [
          [key, { ...profile, verifiedHuman: 3 }],
          [["human_count"], 2],
        ]],
        ["without a count", false, ADDRESS, [
          [key, { ...profile, verifiedHuman: 3 }],
        ]],
        ["of a profile with another", false, ADDRESS, [
          [key, { ...profile, verifiedHuman: 2 }],
          [["human_count"], 3],
        ]],
        ["without a profile", false, ADDRESS, [[["human_count"], 3]]],
      ],
    },
    {
      rule: "human",
      key: ["humans", 1],
      cases: [
        ["the first without a count", false, ADDRESS, [
          [key, { ...profile, verifiedHuman: 1 }],
        ]],
      ],
    },
    {
      rule: "human-count",
      key: ["human_count"],
      cases: [
        ["none", true, 0],
        ["all", true, 2, [[["humans", 1], "0xa"], [["humans", 2], "0xb"]]],
        ["as many skipped as an import skips", true, 1_001, [
          [["humans", 1], "0xa"],
        ]],
        ["one skipped besides them", false, 1_002, [[["humans", 1], "0xa"]]],
        ["one missing at the end", false, 2, [[["humans", 1], "0xa"]]],
        ["one missing at the start", false, 2, [[["humans", 2], "0xa"]]],
        ["one too many, which the rule of a number reports", true, 1, [
          [["humans", 1], "0xa"],
          [["humans", 2], "0xb"],
        ]],
      ],
    },
    {
      rule: "human-evidence",
      key: ["human_evidence", "github", "#7"],
      cases: [
        ["of a number", true, { number: 3 }, [[["humans", 3], ADDRESS]]],
        ["of no number", false, { number: 3 }],
      ],
    },
    {
      rule: "donation",
      key: ["donations", "0x1", ADDRESS, "0xb"],
      cases: [
        ["all counted", true, { amount: 5n, counted: 5n }, donor(5n)],
        ["nothing counted", true, { amount: 5n, counted: 0n }, donor(0n)],
        ["too much counted", false, { amount: 5n, counted: 6n }, donor(6n)],
        ["less than nothing", false, { amount: 5n, counted: -1n }, donor(0n)],
        ["nothing remains of the giver", true, { amount: 5n, counted: 5n }],
        [
          "a giver below nothing",
          false,
          { amount: 5n, counted: 0n },
          donor(
            -1n,
          ),
        ],
      ],
    },
    {
      rule: "donation",
      key: ["donations", "0x1", ADDRESS, ADDRESS],
      cases: [
        ["to itself", true, { amount: 5n, counted: 0n }, [
          [key, { ...profile, selfDonated: true }],
        ]],
        ["to itself and counted", false, { amount: 5n, counted: 1n }, [
          [key, { ...profile, selfDonated: true }],
        ]],
        ["to itself, not marked", false, { amount: 5n, counted: 0n }, [
          [key, profile],
        ]],
      ],
    },
    {
      rule: "donation-flows",
      key: ["donation_flows", ADDRESS],
      cases: [
        ["in the profile", true, {
          given: given([[1, 2n], [1, 3n]]),
          received: given([[4, 1n]]),
        }, donor(5n)],
        ["more than the profile counts", false, {
          given: given([[1, 2n], [2, 3n]]),
          received: [],
        }, donor(4n)],
        ["without a profile", false, {
          given: given([[1, 1n]]),
          received: [],
        }],
        ["only received", true, {
          given: [],
          received: given([[1, 1n]]),
        }],
        ["nothing given", false, {
          given: given([[1, 0n]]),
          received: [],
        }, donor(1n)],
        ["out of order", false, {
          given: given([[2, 1n], [1, 1n]]),
          received: [],
        }, donor(2n)],
        ["received out of order", false, {
          given: [],
          received: given([[2, 1n], [1, 1n]]),
        }],
        ["as many as are remembered", true, {
          given: [],
          received: many(500),
        }],
        ["one more", false, { given: [], received: many(501) }],
      ],
    },
    {
      rule: "profile-import",
      key: ["profile_imports", "hash"],
      cases: [
        ["all refused", true, { lines: 1, refusedCount: 1, refused: [1] }],
        ["some not listed", true, { lines: 2, refusedCount: 2, refused: [1] }],
        ["more than lines", false, { lines: 1, refusedCount: 2, refused: [] }],
        ["more listed", false, { lines: 3, refusedCount: 1, refused: [1, 2] }],
      ],
    },
    {
      rule: "human-proofs",
      key: ["human_proofs", ADDRESS],
      cases: [
        ["none", true, { reads: {} }],
        ["read", true, proofOf(5, { strength: 1 })],
        ["at no time", false, proofOf(null, { strength: 1 })],
        ["too strong", false, proofOf(5, { strength: 1.1 })],
        ["negative", false, proofOf(5, { strength: -0.1 })],
      ],
    },
  ]));
