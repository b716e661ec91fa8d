/** Store rules of scores: each record that breaks one, and its neighbours that do not. */
import { packTimestamps } from "../../../services/platform/bytes.ts";
import { packDays } from "../../../services/scores/signals/signals_store.ts";
import { RULES } from "../../../services/stores.ts";
import { assertRules } from "../../support/kv/rule_cases.ts";

const ADDRESS = `0x${"ab".repeat(20)}`;

const points = (...days: number[]) => ({
  points: days.map((day) => ({ day })),
});
const numbers = (count: number) =>
  Array.from({ length: count }, (_, nth) => nth);
const members = (addresses: readonly unknown[]) => ({
  members: addresses.map((address) => ({ address })),
});

const signals = {
  firstTxAt: null,
  nonce: 0,
  gasAvax: 9,
  version: 2,
  use: { count: 1 },
  days: packDays([{ day: 1, gasUnits: 20_000_000, varied: 1 }]),
  recentTx: packTimestamps([]),
  isContract: false,
  isPartial: false,
};
const earlier = { ...signals, version: undefined, gasAvax: 0.5 };
const follower = { claimed: false, hasHistory: false, gasAvax: 0.5 };
const graph = (known: unknown): [Deno.KvKey, unknown][] => [
  [["graphs", ADDRESS], { known }],
];

Deno.test("rules of scores hold for sound records, and for no others", () =>
  assertRules(RULES, [
    {
      rule: "score-history",
      key: ["score_histories", ADDRESS],
      cases: [
        ["without a point", true, points()],
        ["90 days", true, points(...numbers(90))],
        ["91 days", false, points(...numbers(91))],
        ["a day twice", false, points(1, 1)],
        ["days out of order", false, points(2, 1)],
      ],
    },
    {
      rule: "waiting-scores",
      key: ["waiting_scores"],
      cases: [
        ["nobody waits", true, []],
        ["500 addresses", true, numbers(500)],
        ["501 addresses", false, numbers(501)],
        ["an address twice", false, ["0x1", "0x2", "0x1"]],
      ],
    },
    {
      rule: "cohort-members",
      key: ["cohorts", ADDRESS],
      cases: [
        ["48 wallets", true, members(numbers(48))],
        ["49 wallets", false, members(numbers(49))],
        ["a wallet twice", false, members(["0x1", "0x1"])],
      ],
    },
    {
      rule: "hub",
      key: ["hubs", ADDRESS],
      cases: [
        ["a person", true, { nonce: 0, isContract: false }],
        ["a contract", true, { nonce: 1, isContract: true }],
        ["a part of a transaction", false, { nonce: 0.5, isContract: false }],
        ["less than none", false, { nonce: -1, isContract: false }],
        ["not known whether it is a contract", false, { nonce: 1 }],
      ],
    },
    {
      rule: "signals-known",
      key: ["signals", ADDRESS],
      cases: [
        ["known as scored", true, signals, graph(follower)],
        ["known as scored before", true, earlier, graph(follower)],
        ["not known", false, signals],
        ["nothing known", false, signals, graph(null)],
        ["other gas", false, signals, graph({ ...follower, gasAvax: 0.6 })],
        ["claimed since", true, signals, graph({ ...follower, claimed: true })],
        [
          "a nonce read since: unknown",
          true,
          signals,
          graph({ ...follower, hasHistory: null }),
        ],
        [
          "more history than scored",
          false,
          signals,
          graph({ ...follower, hasHistory: true }),
        ],
        [
          "history",
          true,
          { ...signals, nonce: 1 },
          graph({ ...follower, hasHistory: true }),
        ],
        [
          "less history than scored",
          false,
          { ...signals, nonce: 1 },
          graph(follower),
        ],
        [
          "less is known than was scored",
          false,
          { ...signals, nonce: 1 },
          graph({ ...follower, hasHistory: null }),
        ],
        [
          "partial signals, nothing sent",
          true,
          { ...signals, isPartial: true },
          graph(follower),
        ],
        [
          "partial signals, unknown",
          true,
          { ...signals, isPartial: true },
          graph({ ...follower, hasHistory: null }),
        ],
      ],
    },
  ]));
