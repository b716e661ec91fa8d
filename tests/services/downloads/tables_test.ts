/** Tables of the checked series: which there are, and what happens to one whose source fails. */
import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import {
  CHECK_NAMES,
  CHECKS,
} from "../../../services/chain_data/catalogue/cross_checks_schema.ts";
import { CHECKED_COLUMNS } from "../../../services/downloads/downloads_schema.ts";
import { readCheckedTables } from "../../../services/downloads/tables.ts";
import { Fault } from "../../../services/platform/fault.ts";
import { testDeps } from "../../support/deps.ts";
import { putSeries } from "../../support/series.ts";

Deno.test("readCheckedTables() leaves out the values of a source that fails, and passes a bug on", async () => {
  using deps = await testDeps();
  const id = { subject: 43114, metric: "txCount" } as const;
  await putSeries(deps, id, { from: "2026-11-10", values: [1, 2, 3] });
  const read = (error: Error) => {
    const { metrics } = deps.upstream;
    const failing = { ...metrics, readDaily: () => Promise.reject(error) };
    const upstream = { ...deps.upstream, metrics: failing };
    return readCheckedTables({ ...deps, upstream });
  };
  const down = new Fault("down", {
    kind: "upstreamDown",
    upstream: "metrics",
    retryAfterMs: 1,
  });
  const tables = await read(down);
  assertEquals(
    tables.map(({ name, table }) => [name, table?.name ?? null]),
    [
      ["checked-transactions", "checked-transactions"],
      ["checked-fees", null],
      ["checked-blocks", "checked-blocks"],
      ["checked-stake", null],
    ],
  );
  deps.advance(60_000);
  const bug = new TypeError("a bug");
  assertStrictEquals(await assertRejects(() => read(bug)), bug);
});

Deno.test("the file of a checked series has the fields that its other tables show of a day", () => {
  for (const name of CHECK_NAMES) {
    const ofDays = CHECKS[name].columns
      .filter((field) => !/^(?:month|year)Over/.test(field));
    assertEquals(
      CHECKED_COLUMNS[name].map((column) => column.name),
      ["day", ...ofDays, "complete"],
    );
  }
});
