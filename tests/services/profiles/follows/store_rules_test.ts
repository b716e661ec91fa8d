/** Store rules of the follow graph: each record that breaks one, and its neighbours that do not. */
import {
  EMPTY_RECORD,
  weigh,
} from "../../../../services/profiles/follows/follow_edges.ts";
import { RULES } from "../../../../services/stores.ts";
import { HOUR_MS } from "../../../../services/platform/days.ts";
import { assertRules } from "../../../support/kv/rule_cases.ts";

const [A, B, C] = ["0xa", "0xb", "0xc"] as const;
/** The last hour of range 999; ranges have two weeks. */
const LAST_HOUR = 335_999;

const edge = {
  at: LAST_HOUR * HOUR_MS,
  mutual: false,
  paidWeight: 11,
  sharedWeight: 4,
  freeWeight: 2,
  thin: true,
};
const mutual = {
  at: (LAST_HOUR + 1) * HOUR_MS,
  mutual: true,
  paidWeight: 7,
  sharedWeight: 3,
  freeWeight: 5,
  thin: false,
};
const known = { claimed: true, hasHistory: true, gasAvax: 5 };
const record = {
  ...EMPTY_RECORD,
  known,
  following: 1,
  followers: 2,
  mutual: 1,
  thin: 1,
  paidWeight: 18,
  sharedWeight: 7,
  freeWeight: 7,
  mutualPaidWeight: 7,
  mutualFreeWeight: 5,
  peaks: Float64Array.of(999, 1, 11, 2, 1_000, 2, 18, 7),
};
const hours = (range: number, ...row: number[]) =>
  [["graphs", A, "hours", range], Float64Array.from(row)] as const;
const first = hours(999, LAST_HOUR, 1, 11, 2);
const second = hours(1_000, LAST_HOUR + 1, 1, 7, 5);
/** B and C follow A, which follows B. An edge without an index is not counted. */
const edges = [
  [["graphs", A, "followers", C], true],
  [["graphs", C, "follows", A], edge],
  [["graphs", A, "followers", B], true],
  [["graphs", B, "follows", A], mutual],
  [["graphs", A, "follows", B], { ...mutual, at: 1 }],
  [["graphs", B, "followers", A], true],
  [["graphs", A, "follows", "0xd"], edge],
  [["graphs", A, "followers", "0xe"], true],
] as const;

const light = { ...edge, paidWeight: 0, sharedWeight: 0, freeWeight: 0 };
const manyEdges = Array.from({ length: 1_001 }, (_, nth) =>
  [
    [["graphs", A, "followers", `0x${nth}`], true],
    [["graphs", `0x${nth}`, "follows", A], light],
    [["graphs", A, "follows", `0x${nth}`], light],
    [["graphs", `0x${nth}`, "followers", A], true],
  ] as const).flat();
const followedByMany = {
  ...EMPTY_RECORD,
  following: 1_001,
  followers: 1_001,
  thin: 1_001,
  peaks: Float64Array.of(999, 1_001, 0, 0),
};

const weighed = { ...edge, ...weigh(known, 2) };
const wrongSums = Object.keys(record)
  .filter((name) => !["known", "peaks", "isLeaving"].includes(name))
  .map((name) =>
    [`another ${name}`, false, {
      ...record,
      [name]: record[name as "thin"] + 1,
    }, [...edges, first, second]] as const
  );

Deno.test("rules of follows hold for sound records, and for no others", () =>
  assertRules(RULES, [
    {
      rule: "follow",
      key: ["graphs", C, "follows", A],
      cases: [
        ["indexed", true, edge, [[["graphs", A, "followers", C], true]]],
        ["not indexed", false, edge],
        ["followed back", true, mutual, [
          [["graphs", A, "followers", C], true],
          [["graphs", A, "follows", C], mutual],
        ]],
        ["mutual, but not followed back", false, mutual, [
          [["graphs", A, "followers", C], true],
        ]],
        ["followed back, but not mutual", false, edge, [
          [["graphs", A, "followers", C], true],
          [["graphs", A, "follows", C], mutual],
        ]],
      ],
    },
    {
      rule: "follow-weight",
      key: ["graphs", C, "follows", A],
      cases: [
        ["of its follower", true, weighed, [
          [["graphs", C], { known, following: 2 }],
        ]],
        ["of another number of follows", false, weighed, [
          [["graphs", C], { known, following: 50_000 }],
        ]],
        ["another", false, edge, [[["graphs", C], { known, following: 2 }]]],
        ["another, with an update", true, edge, [
          [["graphs", C], { known, following: 2 }],
          [["graph_changes", C], true],
        ]],
        ["of an unknown follower", true, { ...edge, ...weigh(null, 0) }],
        ["of an unknown one with a weight", false, weighed],
      ],
    },
    {
      rule: "follower",
      key: ["graphs", A, "followers", C],
      cases: [
        ["with an edge", true, true, [[["graphs", C, "follows", A], edge]]],
        ["without an edge", false, true],
      ],
    },
    {
      rule: "unknown-follower",
      key: ["unknown_followers", edge.at, C, A],
      cases: [
        ["of its edge", true, true, [[["graphs", C, "follows", A], edge]]],
        ["of an edge of another time", false, true, [
          [["graphs", C, "follows", A], mutual],
        ]],
        ["without an edge", false, true],
      ],
    },
    {
      rule: "follow-sums",
      key: ["graphs", A],
      cases: [
        ["of its edges", true, record, [...edges, first, second]],
        ["leaving", true, { ...record, isLeaving: true }, [
          ...edges,
          first,
          second,
        ]],
        ...wrongSums,
        ["other peaks", false, { ...record, peaks: null }, [
          ...edges,
          first,
          second,
        ]],
        ["an hour missing", false, record, [...edges, first]],
        ["other hours", false, record, [
          ...edges,
          first,
          hours(1_000, LAST_HOUR + 1, 1, 7, 6),
        ]],
        ["no edges", true, EMPTY_RECORD],
        ["no edges, with peaks", false, {
          ...EMPTY_RECORD,
          peaks: new Float64Array(),
        }],
        ["many edges", true, followedByMany, [
          ...manyEdges,
          hours(999, LAST_HOUR, 1_001, 0, 0),
        ]],
      ],
    },
    {
      rule: "follow-leaving",
      key: ["graphs", A],
      cases: [
        ["stays", true, EMPTY_RECORD],
        ["leaves", true, { ...record, isLeaving: true }, [
          [["graph_changes", A], true],
        ]],
        ["leaves without an update", false, { ...record, isLeaving: true }],
        ["leaves nobody", false, { ...EMPTY_RECORD, isLeaving: true }, [
          [["graph_changes", A], true],
        ]],
      ],
    },
    {
      rule: "follow-hours",
      key: first[0],
      cases: [
        ["with followers", true, first[1], [[["graphs", A], record]]],
        ["with one follower", true, first[1], [
          [["graphs", A], { ...record, followers: 1 }],
        ]],
        ["without followers", false, first[1], [
          [["graphs", A], EMPTY_RECORD],
        ]],
        ["without a record", false, first[1]],
      ],
    },
  ]));
