/** Random published histories and random windows over them. */
import { createApp } from "../../../routes/app.ts";
import { C_CHAIN } from "../../../services/chain_data/catalogue/metrics_schema.ts";
import { formatDay, parseDay } from "../../../services/platform/days.ts";
import { type TestDeps, testDeps } from "../deps.ts";
import { putSeries } from "../series.ts";
import { fc } from "../properties.ts";

const TODAY = "2026-11-21";

/** The newest day of the C-Chain. */
export const PUBLISHED = parseDay("2026-11-19");

/** Days before the newest day of the C-Chain that a history can begin. */
export const SPAN = 120;

/** Values of consecutive days, and how many days they end before the C-Chain's. */
export interface History {
  readonly values: readonly (number | null)[];
  readonly daysBehind: number;
}

/** A history of some values, zeroes and gaps. */
export const history = (value: fc.Arbitrary<number>): fc.Arbitrary<History> =>
  fc.record({
    values: fc.array(fc.oneof(value, fc.constant(0), fc.constant(null)), {
      maxLength: 60,
    }),
    daysBehind: fc.oneof(
      fc.integer({ min: 0, max: 12 }),
      fc.integer({ min: 0, max: 60 }),
    ),
  });

/** The days of a query. */
export const windows = fc.oneof(
  fc.constantFrom("range=30d", "range=90d", "range=1y", "range=all"),
  fc.tuple(
    fc.integer({ min: -3, max: SPAN }),
    fc.integer({ min: -3, max: SPAN }),
  ).map(([a, b]) => {
    const ageOf = (age: number) => formatDay(parseDay(TODAY) - age);
    const [older, newer] = [Math.max(a, b, 0), Math.max(Math.min(a, b), 0)];
    return `from=${ageOf(older)}&to=${ageOf(newer)}`;
  }),
);

/** Opens dependencies in which the C-Chain has published up to `PUBLISHED`. */
export async function publishedDeps(): Promise<TestDeps> {
  const deps = await testDeps({ start: `${TODAY}T08:00:00.000Z` });
  await putSeries(deps, { subject: C_CHAIN, metric: "txCount" }, {
    from: formatDay(PUBLISHED - SPAN),
    values: Array<number>(SPAN + 1).fill(1_000),
  });
  await createApp(deps).request("/api/chain-data/chains");
  return deps;
}
