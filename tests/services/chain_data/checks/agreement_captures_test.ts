/** Agreement of the sources on the captured days of July 2025. */
import { assert, assertEquals } from "@std/assert";
import {
  compareDays,
  compareValues,
  pairDays,
} from "../../../../services/chain_data/checks/agreement.ts";
import { INDEX_CHECKS } from "../../../../services/chain_data/catalogue/check_rules_schema.ts";
import { formatDay, parseDay } from "../../../../services/platform/days.ts";
import {
  type DailySeries,
  EMPTY_SERIES,
  newestDay,
  seriesOf,
  valueOn,
} from "../../../../services/chain_data/series/series.ts";
import {
  type CapturedSource,
  readCaptured,
  readCapturedChains,
} from "../../../support/captured.ts";
import {
  compare,
  daysOf,
  EVER,
} from "../../../support/chain_data/agreement.ts";

Deno.test("the captured days of July 2025", async (t) => {
  const ours = seriesOf(await readCaptured("metrics-api", 1));
  const second = seriesOf(await readCaptured("routescan-aggregations", 0));
  const today = parseDay("2025-07-09");
  const days = ["2025-07-03", "2025-07-04", "2025-07-05", "2025-07-06"];
  const figures: [value: number, crossCheckValue: number][] = [
    [1_345_570, 1_342_844],
    [1_309_091, 1_310_378],
    [1_303_694, 1_302_317],
    [1_302_496, 1_305_197],
  ];

  await t.step("four of nine are compared: ours end with a part", () => {
    const { disputedDays: _, ...rest } = compare(ours, second, { today });
    assertEquals(rest, {
      checkedThrough: parseDay("2025-07-06"),
      comparedDayCount: 4,
      notComparedDayCount: 5,
      agreementPct: 100,
      recentAgreementPct: 100,
    });
  });
  await t.step("each day agrees at 0.5 %", () => {
    assertEquals(daysOf(compare(ours, second, { today })), []);
  });
  await t.step("each day is disputed at 0.05 %, with both values", () => {
    const agreement = compare(ours, second, { today, tolerancePct: 0.05 });
    assertEquals(daysOf(agreement), days);
    assertEquals(
      agreement.disputedDays.map(({ value, crossCheckValue }) => [
        value,
        crossCheckValue,
      ]),
      figures,
    );
    assertEquals(
      agreement.disputedDays.map(({ differencePct }) => differencePct),
      [-0.2026, 0.0983, -0.1056, 0.2074],
    );
    assertEquals(agreement.agreementPct, 0);
  });
  await t.step("the sum agrees at 0.05 %", () => {
    const [sum, crossCheckSum] = [0, 1].map((side) =>
      figures.reduce((total, pair) => total + pair[side]!, 0)
    );
    assertEquals(compareValues(sum!, crossCheckSum!, 0.05), {
      differencePct: -0.0022,
      agrees: true,
    });
  });
});

Deno.test("the tolerance of addresses is above what the cut of a day explains, and below the change from day to day", async () => {
  const { txCount, activeAddresses } = INDEX_CHECKS;
  const today = parseDay("2025-07-09");
  const second = await readCapturedChains("routescan-aggregations");
  const differences: number[] = [];
  for (const [chainId, ours] of await readCapturedChains("metrics-api")) {
    const other = seriesOf(second.get(chainId) ?? []);
    for (const pair of pairDays(seriesOf(ours), other, today)) {
      const { value, crossCheckValue } = pair;
      const { tolerancePct, slack } = txCount;
      // Of smaller days, the slack is more than the tolerance.
      const isSmall = !(value! * tolerancePct / 100 > slack);
      if (!crossCheckValue || isSmall) continue;
      const { differencePct, agrees } = compareValues(
        value!,
        crossCheckValue,
        tolerancePct,
      );
      if (agrees) differences.push(Math.abs(differencePct!));
    }
  }
  const cutPct = Math.max(...differences);
  assertEquals(Math.round(100 * cutPct), 46, "percent of the transactions");
  // Of the C-Chain in the index's capture of 2025-07-09, over seven days.
  const [transactions, addresses] = [8_260_436, 2_437_354];
  const explainedPct = cutPct * 2 * transactions / addresses;
  assertEquals(Math.round(10 * explainedPct), 32, "percent of the addresses");
  assert(explainedPct < activeAddresses.tolerancePct);

  const { results } = JSON.parse(
    await Deno.readTextFile(
      new URL(
        "../../../fixtures/activeAddresses_43114_2024-08.json",
        import.meta.url,
      ),
    ),
  ) as { results: { value: number }[] };
  const changes = results.slice(1).map(({ value }, nth) =>
    compareValues(value, results[nth]!.value, activeAddresses.tolerancePct)
  );
  const seen = changes.filter(({ agrees }) => !agrees);
  assertEquals([seen.length, changes.length], [24, 29]);
});

Deno.test("of the captures of July 2025, only days are disputed that differ in their final values", async () => {
  const read = async (source: CapturedSource, captures: readonly number[]) =>
    await Promise.all(
      captures.map(async (capture) =>
        seriesOf(await readCaptured(source, capture))
      ),
    );
  const sources = [
    await read("metrics-api", [0, 1]),
    await read("routescan-aggregations", [0, 1, 2, 3]),
  ];
  /** The value of a day in the last capture that has it, where it is not the newest day. */
  const finalOf = (captures: readonly DailySeries[], day: number) =>
    valueOn(
      captures.findLast((series) =>
        !Number.isNaN(valueOn(series, day)) && day !== newestDay(series)
      ) ?? EMPTY_SERIES,
      day,
    );
  const tolerancePct = 0.5;
  let comparedDayCount = 0;
  for (const [own, other] of [[0, 1], [1, 0], [0, 0], [1, 1]] as const) {
    for (const ours of sources[own]!) {
      for (const second of sources[other]!) {
        const pairs = pairDays(ours, second, parseDay("2025-07-18"));
        const result = compareDays(pairs, { window: EVER, tolerancePct });
        comparedDayCount += result.comparedDayCount;
        for (const { day } of result.disputedDays) {
          const [value, crossCheckValue] = [own, other].map((source) =>
            finalOf(sources[source]!, day)
          );
          assert(
            !compareValues(value!, crossCheckValue!, tolerancePct).agrees,
            formatDay(day),
          );
        }
      }
    }
  }
  assertEquals(comparedDayCount, 76);
});
