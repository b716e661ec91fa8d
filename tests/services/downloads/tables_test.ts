/** Tables of the checked series: which there are, and what happens to one whose source fails. */
import {
  assertEquals,
  assertNotEquals,
  assertRejects,
  assertStrictEquals,
} from "@std/assert";
import {
  CHECK_NAMES,
  CHECKS,
} from "../../../services/chain_data/catalogue/cross_checks_schema.ts";
import {
  CHECKED_COLUMNS,
  type Column,
} from "../../../services/downloads/downloads_schema.ts";
import {
  fingerprintOf,
  groupOf,
  readCheckedTables,
  type RowGroup,
} from "../../../services/downloads/tables.ts";
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

const COLUMNS = [
  { name: "chainId", type: "integer" },
  { name: "chainName", type: "text" },
  { name: "complete", type: "boolean" },
] as Column[];

const ITEMS = [
  { chainId: 1, chainName: "One", complete: true },
  { chainId: 2, chainName: null, complete: false },
  {},
];

const fingerprint = (...groups: RowGroup[]) =>
  fingerprintOf({ name: "chains", columns: COLUMNS, groups: () => groups });

Deno.test("groupOf() has a value of each item for each column, NaN or null for none", () => {
  assertEquals(groupOf(COLUMNS, ITEMS), {
    rows: 3,
    values: [
      Float64Array.of(1, 2, NaN),
      ["One", null, null],
      Float64Array.of(1, 0, NaN),
    ],
  });
});

Deno.test("fingerprintOf() is the same for the same rows, also in a later version of the program", () => {
  const all = groupOf(COLUMNS, ITEMS);
  assertEquals(fingerprint(all), {
    fingerprint:
      "b06339ba5d5e7e2889531a232fe0a0e454a8f82433e791e59c3cf63f9c604a90",
    rows: 3,
  });
  const parts = [
    groupOf(COLUMNS, ITEMS.slice(0, 1)),
    groupOf(COLUMNS, ITEMS.slice(1)),
  ];
  assertEquals(fingerprint(...parts).rows, 3);
  assertNotEquals(
    fingerprint(...parts).fingerprint,
    fingerprint(all).fingerprint,
  );
  assertEquals(fingerprint().rows, 0);
});
