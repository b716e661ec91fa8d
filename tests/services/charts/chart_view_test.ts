import { assertEquals, assertThrows } from "@std/assert";
import {
  METRIC_NAMES,
  METRICS,
} from "../../../services/chain_data/catalogue/metrics_schema.ts";
import { resolveView } from "../../../services/charts/chart_view.ts";
import {
  type GivenView,
  MetricChartQuery,
  PLAIN_VIEW,
} from "../../../services/charts/charts_schema.ts";
import { Fault } from "../../../services/platform/fault.ts";

const ONE = { name: "txCount", chainCount: 1, interval: "day" } as const;
const MANY = { ...ONE, chainCount: 3 } as const;
const INDEX = { ...PLAIN_VIEW, values: "index", base: "first" } as const;

Deno.test("resolveView draws one chain as values and several as an index by default", () => {
  assertEquals(resolveView({}, ONE, "all"), PLAIN_VIEW);
  assertEquals(resolveView({}, MANY, "all"), INDEX);
  const given = { values: "share", average: "7", scale: "log" } as const;
  assertEquals(resolveView(given, MANY, "all"), { ...PLAIN_VIEW, ...given });
});

Deno.test("resolveView refuses options that a chart does not have, or replaces them by the default", () => {
  const rows: [
    given: GivenView,
    viewed: typeof ONE | typeof MANY,
    error: string,
  ][] = [
    [
      { base: "7" },
      ONE,
      'Invalid base "7": expected values=index together with it',
    ],
    [{ layout: "panels" }, ONE, 'layout "panels": expected several chains'],
    [{ values: "share" }, ONE, "absolute, index for one chain"],
    [{ values: "total", layout: "panels" }, MANY, 'Invalid layout "panels"'],
  ];
  for (const [given, viewed, error] of rows) {
    assertThrows(() => resolveView(given, viewed, "all"), Fault, error);
    resolveView(given, viewed, "none");
  }
  const weeks = { ...ONE, interval: "week" } as const;
  const total = { ...ONE, name: "cumulativeTxCount" } as const;
  for (const viewed of [weeks, total]) {
    const given = { average: "7" } as const;
    assertEquals(resolveView(given, viewed, "none"), PLAIN_VIEW);
    assertThrows(
      () => resolveView(given, viewed, "all"),
      Fault,
      "interval=day",
    );
  }
  const checked = { ...ONE, name: "validators", chainCount: 0 } as const;
  assertEquals(resolveView({ values: "index" }, checked, "none"), PLAIN_VIEW);
});

Deno.test("only metrics whose values add up across chains have shares and totals; the others say why", () => {
  const drawn = (refused: "all" | "none") =>
    METRIC_NAMES.filter((name) => {
      try {
        resolveView({ values: "total" }, { ...MANY, name }, refused);
        return true;
      } catch (error) {
        const { message } = error as Error;
        assertEquals(
          /^Invalid values "total": \w+ of several chains does not add up, because .+; expected one of index, absolute, or metric txCount or gasUsed or newContracts( or \w+)*$/
            .test(message),
          true,
          message,
        );
        return false;
      }
    });
  assertEquals(drawn("all").slice(0, 3), [
    "txCount",
    "gasUsed",
    "newContracts",
  ]);
  assertEquals(drawn("all").includes("feesPaid"), false);
  assertEquals(drawn("none"), METRIC_NAMES);
  assertEquals([METRICS.txCount.fold, METRICS.gasUsed.fold], ["sum", "sum"]);
});

Deno.test("the query of a chart accepts up to ten different chains and a valid base", () => {
  const ids = Array.from({ length: 11 }, (_, at) => String(at + 1));
  const parse = (query: Record<string, unknown>) =>
    MetricChartQuery.safeParse(query);
  assertEquals(parse({}).data?.chainId, [43114]);
  assertEquals(parse({ chainId: "7" }).data?.chainId, [7]);
  assertEquals(parse({ chainId: ids.slice(1) }).data?.chainId.length, 10);
  const refused = [
    { chainId: ids },
    { chainId: ["1", "1"] },
    { base: "1" },
    { base: "366" },
    { base: "2026-02-30" },
    { base: "last" },
    { average: "8" },
  ];
  for (const query of refused) {
    assertEquals(parse(query).success, false, JSON.stringify(query));
  }
  for (const base of ["first", "2", "365", "2026-02-28"]) {
    assertEquals(parse({ base }).success, true, base);
  }
});
