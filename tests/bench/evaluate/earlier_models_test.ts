/** The models before, which an evaluation compares with, score as they did in the service. */
import { assertEquals } from "@std/assert";
import {
  type EarlierChain,
  earlierComposite,
} from "../../../bench/evaluate/models/earlier_model.ts";
import { legacyScoreOf } from "../../../bench/evaluate/models/legacy_score.ts";
import { S4_2026_1 } from "../../../bench/evaluate/models/s4_2026_1.ts";
import { S4_2026_2 } from "../../../bench/evaluate/models/s4_2026_2.ts";
import { NO_GRAPH, NO_PROFILE } from "../../../services/model/signals.ts";
import { DAY_MS, dayAt } from "../../../services/platform/days.ts";

const NOW = Date.UTC(2022, 0, 1, 12);

const CHAIN: EarlierChain = {
  firstTxAt: NOW - 400 * DAY_MS,
  recentTxAt: [1, 1, 30, 400].map((days) => NOW - days * DAY_MS),
  nonce: 4,
  gasAvax: 0.05,
  alike: 0,
  use: {
    count: 4,
    days: [
      { day: dayAt(NOW) - 1, gasAvax: 0.03, varied: 2 },
      { day: dayAt(NOW) - 30, gasAvax: 0.01, varied: 1 },
      { day: dayAt(NOW) - 400, gasAvax: 0.01, varied: 1 },
    ],
    months: 3,
    slots: 4,
    targets: 3,
    methods: 2,
  },
};

Deno.test("the earlier models give the scores that they gave in the service", () => {
  const signals = { chain: CHAIN, profile: NO_PROFILE, graph: NO_GRAPH };
  assertEquals(earlierComposite(signals, NOW, S4_2026_1), 13.46);
  assertEquals(earlierComposite(signals, NOW, S4_2026_2), 30.13);
  assertEquals(legacyScoreOf(signals, NOW), {
    score: 13.1,
    tier: "rising",
    tierLabel: "Rising",
  });
});
