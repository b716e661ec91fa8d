/** Rows by column, and the fingerprint that says whether a file must be written anew. */
import { assertEquals, assertNotEquals } from "@std/assert";
import type { Column } from "../../../services/downloads/downloads_schema.ts";
import {
  fingerprintOf,
  groupOf,
  type RowGroup,
} from "../../../services/downloads/row_groups.ts";

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
