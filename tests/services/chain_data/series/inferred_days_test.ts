import { assertEquals } from "@std/assert";
import {
  inferableThrough,
  isInferable,
  lastActiveDay,
  withInferredDays,
  withSecondSource,
} from "../../../../services/chain_data/series/inferred_days.ts";
import { GENESIS_DAY } from "../../../../services/chain_data/catalogue/fields_schema.ts";
import { parseDay } from "../../../../services/platform/days.ts";
import { EMPTY_SERIES } from "../../../../services/chain_data/series/series.ts";
import { seriesFrom } from "../../../support/series.ts";

const published = seriesFrom(100, [7, null, 9]);
const rule = { kind: "per day", txCount: published, through: 105 } as const;

Deno.test("a day is inferred once the C-Chain is seven days past it", () => {
  assertEquals(inferableThrough(112), 105);
});

Deno.test("lastActiveDay ignores zeroes and gaps", () => {
  assertEquals(lastActiveDay(seriesFrom(100, [0, 3, null, 0])), 101);
  assertEquals(lastActiveDay(seriesFrom(100, [0, 0])), null);
  assertEquals(lastActiveDay(EMPTY_SERIES), null);
});

Deno.test("days after the last published one are 0, and the last one is final", () => {
  const { firstDay, values, ...marks } = withInferredDays(published, rule);
  assertEquals([firstDay, ...values], [100, 7, NaN, 9, 0, 0, 0]);
  assertEquals(marks, { inferredAfter: 102, isClosed: true });
});

Deno.test("a running total keeps its last value", () => {
  const running = { ...rule, kind: "running total" } as const;
  const { values } = withInferredDays(published, running);
  assertEquals([...values], [7, NaN, 9, 9, 9, 9]);
});

Deno.test("a chain that may just publish late is left as it is", () => {
  assertEquals(
    withInferredDays(published, { ...rule, through: 101 }),
    published,
  );
  const { values, ...marks } = withInferredDays(published, {
    ...rule,
    through: 102,
  });
  assertEquals([...values], [7, NaN, 9]);
  assertEquals(marks, { firstDay: 100, inferredAfter: 102, isClosed: true });
});

Deno.test("a day with transactions, or inside a gap of theirs, is not inferred", () => {
  const txCount = seriesFrom(100, [7, null, 9, 0, 5, null, 0]);
  const { values, ...marks } = withInferredDays(published, {
    ...rule,
    txCount,
    through: 108,
  });
  assertEquals([...values], [7, NaN, 9, 0, NaN, NaN, 0, 0, 0]);
  assertEquals(marks, { firstDay: 100, inferredAfter: 102, isClosed: false });
});

Deno.test("a chain without any day has zeroes since the genesis", () => {
  const genesis = parseDay(GENESIS_DAY);
  const { firstDay, values, inferredAfter } = withInferredDays(EMPTY_SERIES, {
    ...rule,
    txCount: EMPTY_SERIES,
    through: genesis + 3,
  });
  assertEquals([firstDay, ...values], [genesis, 0, 0, 0, 0]);
  assertEquals(inferredAfter, -Infinity);
});

Deno.test("a metric without any day begins with the chain's transactions", () => {
  const { firstDay, values } = withInferredDays(EMPTY_SERIES, {
    ...rule,
    txCount: seriesFrom(103, [0, 0]),
  });
  assertEquals([firstDay, ...values], [103, 0, 0, 0]);
});

Deno.test("nothing is inferred while a second source has transactions after the last active day", () => {
  const cases: readonly [second: readonly number[], inferred: boolean][] = [
    [[7, 1, 9], true],
    [[7, 1, 9, 0, 0], true],
    [[7, 1, 9, 5], true],
    [[7, 1, 9, 5, 5], false],
    [[7, 1, 9, 0, 0, 0, 0, 5], false],
  ];
  for (const [values, isInferred] of cases) {
    const txCount = withSecondSource(published, seriesFrom(100, values));
    const series = withInferredDays(published, { ...rule, txCount });
    assertEquals(series.values.length, isInferred ? 6 : 3, `${values}`);
    assertEquals(isInferable(txCount, 104), isInferred);
  }
  const zeroes = withSecondSource(
    seriesFrom(100, [7, 0, 0, 0, 0, 0]),
    seriesFrom(100, [7, 5, 5]),
  );
  assertEquals(lastActiveDay(zeroes), 102);
  assertEquals(
    withInferredDays(published, { ...rule, txCount: zeroes }),
    published,
  );
  const never = withSecondSource(EMPTY_SERIES, seriesFrom(100, [0, 3]));
  assertEquals(lastActiveDay(never), 101);
  assertEquals(withSecondSource(published, null), published);
});
