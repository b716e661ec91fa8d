/** The evaluation on simulated populations whose truth is known. */
import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertThrows,
} from "@std/assert";
import { NOW } from "../../../bench/attack/honest_life.ts";
import { evaluate } from "../../../bench/evaluate/evaluation.ts";
import { simulatedLabels } from "../../../bench/evaluate/farm.ts";
import { readLabels } from "../../../bench/evaluate/labelled.ts";
import {
  aucOf,
  brierOf,
  estimate,
  precisionAt,
  reliabilityOf,
} from "../../../bench/evaluate/measures.ts";
import { reliabilityPlot } from "../../../bench/evaluate/report.ts";
import { S4_2026_3 } from "../../../services/model/s4_2026_3.ts";
import { randomFrom } from "../../support/random.ts";

/** Returns a normally distributed number. */
function normal(random: () => number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random()));
  return radius * Math.cos(2 * Math.PI * random());
}

Deno.test("aucOf() is right to 0.01 where the truth is known", () => {
  const random = randomFrom(1);
  // Of two normal distributions one apart, the AUC is Φ(1/√2) = 0.7602.
  const scored = Array.from({ length: 40_000 }, (_, nth) => ({
    isHuman: nth % 2 === 0,
    score: normal(random) + Number(nth % 2 === 0),
  }));
  assertAlmostEquals(aucOf(scored), 0.7602, 0.01);
});

Deno.test("aucOf() counts pairs, and a tie as half of one", () => {
  const random = randomFrom(2);
  const scored = Array.from({ length: 200 }, () => ({
    isHuman: random() < 0.4,
    score: Math.floor(8 * random()),
  }));
  const [humans, sybils] = [true, false].map((side) =>
    scored.filter(({ isHuman }) => isHuman === side)
  ) as [typeof scored, typeof scored];
  let won = 0;
  for (const human of humans) {
    for (const sybil of sybils) {
      won += human.score > sybil.score
        ? 1
        : human.score < sybil.score
        ? 0
        : 0.5;
    }
  }
  assertAlmostEquals(aucOf(scored), won / humans.length / sybils.length, 1e-12);
});

Deno.test("precision, intervals and calibration equal values that were computed by hand", () => {
  const scored = [
    { score: 1, isHuman: false },
    { score: 2, isHuman: true },
    { score: 3, isHuman: false },
    { score: 4, isHuman: true },
  ];
  assertEquals(precisionAt(scored, 2), 2 / 3);
  assertEquals(precisionAt(scored, 5), NaN);
  const predictions = [
    { probability: 0.9, isTrue: true },
    { probability: 0.95, isTrue: false },
    { probability: 0.1, isTrue: false },
  ];
  assertAlmostEquals(brierOf(predictions), (0.01 + 0.9025 + 0.01) / 3);
  const bins = reliabilityOf(predictions);
  assertEquals(bins.map(({ count, frequency }) => [count, frequency]), [
    [1, 0],
    [2, 0.5],
  ]);
  const coin = Array.from({ length: 400 }, (_, nth) => nth % 2);
  const mean = (some: readonly number[]) =>
    some.reduce((sum, one) => sum + one, 0) / some.length;
  const { value, low, high } = estimate(coin, mean, randomFrom(3));
  assertEquals(value, 0.5);
  // The standard error is 0.025.
  assertAlmostEquals(low, 0.451, 0.01);
  assertAlmostEquals(high, 0.549, 0.01);
});

Deno.test("an evaluation of simulated farms counts every address", () => {
  const labelled = simulatedLabels({ humans: 400, sybilsEach: 80 });
  const at = { now: NOW, random: randomFrom(4) };
  const after = evaluate(labelled, S4_2026_3, at);
  assert(after.auc.low <= after.auc.value && after.auc.value <= after.auc.high);
  assertEquals(after.precision.starter.value, 400 / 640);
  assert(after.precision.rising.value > after.precision.starter.value);
  assertEquals(Object.keys(after.withoutList).length, 5);
  const counted = Object.values(after.tiers)
    .flatMap((tiers) => Object.values(tiers));
  assertEquals(counted.reduce((sum, count) => sum + count), labelled.length);
  assert(reliabilityPlot(after.reliability).startsWith("<svg "));
});

Deno.test("readLabels() reads labels, and names the line that it cannot read", () => {
  const address = `0x${"Aa".repeat(20)}`;
  assertEquals(readLabels(`address,label,list\n${address},sybil,hop\n`), [
    { address: address.toLowerCase(), isHuman: false, list: "hop" },
  ]);
  assertThrows(() => readLabels("wallet\n"), Error, 'Invalid header "wallet"');
  assertThrows(
    () => readLabels(`address,label,list\n${address},bot,hop`),
    Error,
    "Invalid line 2",
  );
});
