/** Store rules of accounts: each record that breaks one, and its neighbours that do not. */
import {
  type CallLogRecord,
  pack as packCalls,
} from "../../../services/accounts/call_log_store.ts";
import type {
  Period,
  WalletUsage,
} from "../../../services/accounts/quota/quota.ts";
import { pack } from "../../../services/accounts/quota/usage_store.ts";
import { RULES } from "../../../services/stores.ts";
import { CLOCK_SKEW_MS } from "../../../services/platform/clock.ts";
import { assertRules } from "../../support/kv/rule_cases.ts";

const NOW = 1_000_000;
const WALLET = "0xa";
const key = ["api_keys", "hash"];
const list = ["wallet_keys", WALLET];
const record = {
  id: "id",
  wallet: WALLET,
  revokedAt: null,
  expiresAt: null,
  limits: { expiresAt: null },
};
const listed = { hash: "hash", expiresAt: null, limitedTo: null };
const justExpired = NOW + CLOCK_SKEW_MS;

/** A log of calls at these instants. */
function logOf(at: readonly number[], endpoint = "GET /usage"): CallLogRecord {
  const calls = at.map((at) => ({
    at,
    endpoint,
    keyId: "id",
    status: 200,
    units: 0,
    requestId: "r",
  }));
  return packCalls({ calls, lastUsed: { id: 1 } }, []);
}

const usageOf = (usage: Partial<WalletUsage>) =>
  pack({
    period: { hours: { since: 0, units: [] }, days: {} },
    bursts: {},
    keys: {},
    ...usage,
  }, []);

/** Usage from an hour on, with its units by endpoint and by key. */
const during = (
  since: number,
  units: readonly number[],
  days: Period["days"],
  keys: WalletUsage["keys"] = {},
) => usageOf({ period: { hours: { since, units }, days }, keys });

const spent = (units: number) => during(0, [units], {});

const burstOf = (single: readonly number[], batch: readonly number[]) =>
  usageOf({ bursts: { id: { single, batch } } });

const rising = (count: number) => Array.from({ length: count }, (_, n) => n);

const entry = ["ledgers", WALLET, 0];

Deno.test("rules of accounts hold for sound records, and for no others", () =>
  assertRules(RULES, [
    {
      rule: "key-listed",
      key,
      cases: [
        ["listed", true, record, [[list, { id: listed }]]],
        ["not listed", false, record, [[list, {}]]],
        ["without a list", false, record],
        ["under another hash", false, record, [
          [list, { id: { ...listed, hash: "other" } }],
        ]],
        ["with another end", false, record, [
          [list, { id: { ...listed, expiresAt: 5 } }],
        ]],
        ["with another limit", false, record, [
          [list, { id: { ...listed, limitedTo: 5 } }],
        ]],
        ["revoked", true, { ...record, revokedAt: 1 }, [[list, {}]]],
        ["revoked and listed", false, { ...record, revokedAt: 1 }, [
          [list, { id: listed }],
        ]],
        ["replaced long ago", true, { ...record, expiresAt: justExpired }],
        ["replaced just now", false, {
          ...record,
          expiresAt: justExpired + 1,
        }],
        ["limited long ago", true, {
          ...record,
          expiresAt: justExpired + 1,
          limits: { expiresAt: justExpired },
        }],
      ],
    },
    {
      rule: "key-owner",
      key,
      cases: [
        ["of the wallet", true, record, [[["api_key_owners", "id"], WALLET]]],
        ["of another", false, record, [[["api_key_owners", "id"], "0xb"]]],
        ["of none", false, record],
        ["revoked", true, { ...record, revokedAt: 1 }],
        ["revoked, of the wallet", false, { ...record, revokedAt: 1 }, [
          [["api_key_owners", "id"], WALLET],
        ]],
      ],
    },
    {
      rule: "listed-key",
      key: list,
      cases: [
        ["none", true, {}],
        ["with a record", true, { id: listed }, [[key, record]]],
        ["without a record", false, { id: listed }],
        ["with another id", false, { other: listed }, [[key, record]]],
        ["of another wallet", false, { id: listed }, [
          [key, { ...record, wallet: "0xb" }],
        ]],
        ["one of two without a record", false, {
          id: listed,
          no: { ...listed, hash: "none" },
        }, [[key, record]]],
      ],
    },
    {
      rule: "call-log",
      key: ["call_logs", WALLET],
      cases: [
        ["newest first", true, logOf([3, 2, 2])],
        ["oldest first", false, logOf([2, 3])],
        ["a hundred", true, logOf(rising(100).toReversed())],
        ["one more", false, logOf(rising(101).toReversed())],
        ["with an address", false, logOf([1], "GET /score/0xAb")],
      ],
    },
    {
      rule: "usage-sums",
      key: ["usage", WALLET],
      cases: [
        [
          "three whole days",
          true,
          during(0, Array(72).fill(1), {
            score: { since: 0, units: [24, 24, 24] },
          }),
        ],
        [
          "a day of one endpoint",
          true,
          during(23, [9, 2, 3], { score: { since: 0, units: [1, 5] } }),
        ],
        [
          "a day of two endpoints",
          true,
          during(0, [...Array(24).fill(0), 2, 3], {
            score: { since: 1, units: [1] },
            batch: { since: 0, units: [0, 4] },
          }),
        ],
        [
          "the first day may be cut",
          true,
          during(0, [9], { score: { since: 0, units: [5] } }),
        ],
        [
          "the second day is not the sum",
          false,
          during(23, [9, 2, 3], { score: { since: 0, units: [9, 6] } }),
        ],
        [
          "the last hour of a day belongs to it",
          false,
          during(24, [...Array(24).fill(0), 1], {
            score: { since: 1, units: [0, 0] },
          }),
        ],
        [
          "a day that no endpoint counted",
          false,
          during(0, [...Array(47).fill(0), 1], {}),
        ],
        [
          "a day after the one that was counted too high",
          false,
          during(0, Array(72).fill(1), {
            score: { since: 0, units: [24, 25, 24] },
          }),
        ],
      ],
    },
    {
      rule: "usage-limit",
      key: ["usage", WALLET],
      cases: [
        ["all of the free plan", true, spent(2_500)],
        ["more than the free plan", false, spent(2_501)],
        ["all of a granted plan", true, spent(25_000), [
          [entry, { kind: "grant", plan: "builder" }],
        ]],
        ["more than a granted plan", false, spent(25_001), [
          [entry, { kind: "grant", plan: "builder" }],
        ]],
        ["all of a bought plan", true, spent(250_000), [
          [entry, { kind: "payment", order: { product: "growth" } }],
        ]],
        ["a payment without an order", false, spent(2_501), [
          [entry, { kind: "payment", order: null }],
        ]],
        ["a plan that a deduction names", false, spent(2_501), [
          [entry, {
            kind: "deduction",
            plan: "scale",
            order: { product: "scale" },
          }],
        ]],
        ["the larger of two", true, spent(250_000), [
          [entry, { kind: "grant", plan: "growth" }],
          [["ledgers", WALLET, 1], {
            kind: "grant",
            plan: "builder",
          }],
        ]],
      ],
    },
    {
      rule: "usage-burst",
      key: ["usage", WALLET],
      cases: [
        ["in order", true, burstOf([1, 1, 2], [1])],
        ["single requests out of order", false, burstOf([2, 1], [1])],
        ["batches out of order", false, burstOf([1], [2, 1])],
        ["the last one out of order", false, burstOf([1, 3, 2], [1])],
        [
          "one of two keys out of order",
          false,
          usageOf({
            bursts: {
              one: { single: [1], batch: [1] },
              two: { single: [2, 1], batch: [1] },
            },
          }),
        ],
        ["all of a minute", true, burstOf(rising(60), rising(10))],
        ["too many single requests", false, burstOf(rising(61), [])],
        ["too many batches", false, burstOf([], rising(11))],
      ],
    },
    {
      rule: "usage-keys",
      key: ["usage", WALLET],
      cases: [
        [
          "all by keys",
          true,
          during(0, [], {
            score: { since: 1, units: [2] },
            batch: { since: 1, units: [3] },
          }, {
            one: { since: 1, units: [4] },
            two: { since: 1, units: [1] },
          }),
        ],
        [
          "more by keys",
          false,
          during(0, [], { score: { since: 1, units: [2] } }, {
            one: { since: 1, units: [1] },
            two: { since: 1, units: [2] },
          }),
        ],
        [
          "days that an endpoint has dropped",
          true,
          during(0, [], {
            score: { since: 5, units: [2] },
            batch: { since: 3, units: [0, 0, 1] },
          }, { one: { since: 4, units: [9, 3] } }),
        ],
      ],
    },
    {
      rule: "session",
      key: ["sessions", "hash"],
      cases: [
        ["with time", true, { createdAt: 1, expiresAt: 2 }],
        ["without time", false, { createdAt: 1, expiresAt: 1 }],
      ],
    },
  ], NOW));
