/** The documents of a release: fields say their unit, and whether they may be empty. */
import { assertEquals } from "@std/assert";
import { makeDocuments } from "../../../../services/chain_data/downloads/data_package.ts";
import {
  CHAINS_TABLE,
  columnsOf,
  OVERVIEW_TABLE,
} from "../../../../services/chain_data/downloads/downloads_schema.ts";

Deno.test("makeDocuments() gives each field of a schema the unit and the constraint of its column", () => {
  const documents = makeDocuments([], { publicUrl: "http://a", sources: [] });
  const subjects = [
    ["schema-txCount.json", { of: "metric", metric: "txCount", year: 0 }],
    ["schema-avgTps.json", { of: "metric", metric: "avgTps", year: 0 }],
    [`schema-${CHAINS_TABLE}.json`, { of: "chains" }],
    [`schema-${OVERVIEW_TABLE}.json`, { of: "overview" }],
  ] as const;
  for (const [name, subject] of subjects) {
    const { text } = documents.find((document) => document.name === name)!;
    const fields = JSON.parse(text).fields as Record<string, unknown>[];
    const columns = columnsOf(subject);
    assertEquals(
      fields.map(({ name, unit, constraints }) => [name, unit, constraints]),
      columns.map(({ name, unit, isNullable }) => [
        name,
        unit,
        isNullable ? undefined : { required: true },
      ]),
      name,
    );
  }
});
