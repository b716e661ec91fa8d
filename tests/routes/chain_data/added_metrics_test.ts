/** The metrics beyond the contract's thirteen, as the API answers them. */
import { assertEquals, assertMatch } from "@std/assert";
import { C_CHAIN } from "../../../simnet/chains.ts";
import { dayOf } from "../../../simnet/series/days.ts";
import {
  countTxs,
  DAILY_METRICS,
  RUNNING_TOTALS,
} from "../../../simnet/series/series.ts";
import { askMetrics, PATH } from "../../support/chain_data/metrics_answers.ts";
import { createApp } from "../../../routes/app.ts";
import { testDeps } from "../../support/deps.ts";
import { putSeries } from "../../support/series.ts";

const DAYS = ["2026-10-01", "2026-10-02", "2026-10-03"];

Deno.test("each metric beyond the thirteen has the values of the simulated chain, and says whether it is derived", async () => {
  using deps = await testDeps();
  const oracles = {
    avgGasPrice: [DAILY_METRICS.avgGasPrice, undefined],
    maxGasPrice: [DAILY_METRICS.maxGasPrice, undefined],
    newAddresses: [
      RUNNING_TOTALS.cumulativeAddresses.adds,
      "cumulativeAddresses",
    ],
    newContracts: [DAILY_METRICS.contracts, "cumulativeContracts"],
    newDeployers: [
      RUNNING_TOTALS.cumulativeDeployers.adds,
      "cumulativeDeployers",
    ],
  } as const;
  for (const [metric, [valueOf, derivedFrom]] of Object.entries(oracles)) {
    const { body } = await askMetrics(
      deps,
      `metric=${metric}&from=${DAYS[0]}&to=${DAYS[2]}`,
    );
    const expected = DAYS.map((name) => {
      const day = dayOf(name);
      const txCount = countTxs(C_CHAIN, day);
      const value = valueOf({ chain: C_CHAIN, day, txCount });
      return { day: name, value, complete: true };
    });
    assertEquals(body.series, expected, metric);
    assertEquals([body.derivedFrom, body.kind], [derivedFrom, "per day"]);
  }
});

/** The units of pages: each metric with the size of its unit and the unit's name. */
const SHOWN_UNITS = [
  ["avgGasPrice", 1e9, "gwei"],
  ["gasUsed", 1e9, "Ggas"],
  ["maxGps", 1e6, "Mgas/s"],
] as const;

for (const [metric, size, unit] of SHOWN_UNITS) {
  Deno.test(`${metric} is in ${unit} on pages and pictures, and in the unit of the catalogue in answers, files and on the page of a day`, async () => {
    using deps = await testDeps();
    const app = createApp(deps);
    const days = `metric=${metric}&from=${DAYS[0]}&to=${DAYS[0]}`;
    const { body } = await askMetrics(deps, days);
    const { value } = body.series[0]!;
    await putSeries(deps, { subject: 43114, metric }, {
      from: DAYS[0]!,
      values: [value, value],
    });
    const shown = `${Number((value / size).toPrecision(5))}`;
    const shows = async (path: string) => {
      const response = await app.request(path);
      const text = await response.text();
      // Not the decimals of the value in the unit of pages.
      const whole = new RegExp(`(?<![.\\d])${[...`${value}`].join(",?")}`);
      return [
        response.status,
        text.includes(shown),
        text.toLowerCase().includes(unit.toLowerCase()),
        whole.test(text),
      ];
    };
    for (
      const path of [
        `/?${days.replace("&", "&chainId=43114&")}&interval=day`,
        "/chains/43114",
        `/chart/${metric}.svg?from=${DAYS[0]}&to=${DAYS[0]}`,
      ]
    ) {
      assertEquals(await shows(path), [200, true, true, false], path);
    }
    // The page of a day shows the value that answers have.
    for (
      const path of [
        `${PATH}?${days}&format=csv`,
        `/days/${metric}/43114/${DAYS[0]}`,
      ]
    ) {
      assertEquals(await shows(path), [200, false, false, true], path);
    }
  });
}

Deno.test("a derived day is complete when both totals are, a fall is a gap with its reason, and CSV stays as it is", async () => {
  using deps = await testDeps();
  const day = (nth: number) => `2026-11-0${nth}`;
  for (
    const metric of ["cumulativeAddresses", "cumulativeContracts"] as const
  ) {
    await putSeries(deps, { subject: 43114, metric }, {
      from: day(1),
      values: [10, 12, 11, 15, 20],
    });
  }
  const seriesOf = async (metric: string, to: string) => {
    const { body } = await askMetrics(
      deps,
      `metric=${metric}&from=2026-10-30&to=${to}`,
      { headers: { "Cache-Control": "max-stale" } },
    );
    const { series, gaps } = body;
    return [
      series.map(({ day, value, complete }) => [day, value, complete]),
      gaps,
    ];
  };
  const gap = (nth: number) => [{
    from: day(nth),
    to: day(nth),
    reason: "the running total falls",
  }];
  assertEquals(await seriesOf("newAddresses", day(5)), [
    [[day(2), 2, true], [day(4), 4, true], [day(5), 5, false]],
    gap(3),
  ]);
  assertEquals(await seriesOf("newContracts", day(4)), [
    [[day(1), 2, true], [day(3), 4, true], [day(4), 5, false]],
    gap(2),
  ]);
  const csv = await createApp(deps).request(
    `${PATH}?metric=newAddresses&from=${day(2)}&to=${day(2)}&format=csv`,
    { headers: { "Cache-Control": "max-stale" } },
  );
  assertMatch(
    await csv.text(),
    /^period,newAddresses,complete\r?\n2026-11-02,2,true\r?\n$/,
  );
});

Deno.test("/revisions of a derived metric has those of its running total", async () => {
  using deps = await testDeps();
  for (const values of [[10, 12, 15, 20], [10, 13, 15, 20]]) {
    await putSeries(deps, { subject: 43114, metric: "cumulativeAddresses" }, {
      from: "2026-11-01",
      values,
    });
    deps.advance(60_000);
  }
  const response = await createApp(deps).request(
    "/api/chain-data/revisions?metric=newAddresses",
  );
  const { revisions } = await response.json();
  assertEquals(
    [revisions.length, revisions[0].metric, revisions[0].newValue],
    [1, "cumulativeAddresses", 13],
  );
});
