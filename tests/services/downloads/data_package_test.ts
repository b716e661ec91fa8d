/** The documents of a release: fields say their unit, and whether they may be empty. */
import { assertEquals } from "@std/assert";
import { makeDocuments } from "../../../services/downloads/data_package.ts";

Deno.test("makeDocuments() gives each field of a schema its unit, and marks those that are never empty as required", () => {
  const documents = makeDocuments([], { publicUrl: "http://a", sources: [] });
  const fieldsOf = (name: string) => {
    const { text } = documents.find((one) => one.name === `schema-${name}`)!;
    return JSON.parse(text).fields as Record<string, unknown>[];
  };
  const unitsOf = (name: string) =>
    Object.fromEntries(
      fieldsOf(name).flatMap(({ name, unit }) => unit ? [[name, unit]] : []),
    );
  const optionalOf = (name: string) =>
    fieldsOf(name).flatMap(({ name, constraints }) => constraints ? [] : name);
  const rows: [name: string, units: object, optional: string[]][] = [
    ["txCount.json", { value: "count" }, ["revisedAt"]],
    ["avgTps.json", { value: "tps" }, ["revisedAt"]],
    ["chains.json", {}, ["token"]],
    ["chains-overview.json", {
      agreementPct: "percent",
      txCount: "count",
      changePct: "percent",
      sharePct: "percent",
      ageDays: "days",
    }, [
      "token",
      "since",
      "agreementPct",
      "day",
      "txCount",
      "changePct",
      "noChange",
      "sharePct",
      "liveSince",
      "ageDays",
    ]],
  ];
  for (const [name, units, optional] of rows) {
    assertEquals(unitsOf(name), units, name);
    assertEquals(optionalOf(name), optional, name);
  }
  assertEquals(fieldsOf("chains.json")[0]!.constraints, { required: true });
});
