/** The resources of the MCP server. */
import { assertEquals } from "@std/assert";
import { findResource, listResources } from "../../../routes/mcp/resources.ts";
import { METRIC_NAMES } from "../../../services/chain_data/catalogue/metrics_schema.ts";
import type { Guide } from "../../../routes/docs/guides.ts";

const GUIDES = [{
  slug: "limits",
  title: "Limits",
  description: "About limits",
  source: "# Limits",
}] as unknown as Guide[];

const textOf = (uri: string) => findResource(GUIDES, uri)?.text ?? null;
const jsonOf = (uri: string) => JSON.parse(textOf(uri)!);

Deno.test("listResources() names the definitions and each guide", () => {
  assertEquals(
    listResources(GUIDES).map(({ uri, name, mimeType }) => [
      uri,
      name,
      mimeType,
    ]),
    [
      ["firn://metrics", "metrics", "application/json"],
      ["firn://reasons", "reasons", "application/json"],
      ["firn://guides/limits", "limits", "text/markdown"],
    ],
  );
});

Deno.test("findResource() finds a list, one definition or a guide, and nothing else", () => {
  const metrics = jsonOf("firn://metrics");
  assertEquals(metrics.length, METRIC_NAMES.length);
  const avgTps = metrics.find(({ metric }: { metric: string }) =>
    metric === "avgTps"
  );
  assertEquals(jsonOf("firn://metrics/avgTps"), avgTps);
  assertEquals([avgTps.aggregation, avgTps.summable], ["mean", false]);
  const { aggregation, summable } = jsonOf("firn://metrics/txCount");
  assertEquals([aggregation, summable], ["sum", true]);
  const reasons = jsonOf("firn://reasons");
  assertEquals(jsonOf("firn://reasons/DORMANT").code, "DORMANT");
  assertEquals(
    reasons.some(({ code }: { code: string }) => code === "DORMANT"),
    true,
  );
  assertEquals(findResource(GUIDES, "firn://guides/limits"), {
    uri: "firn://guides/limits",
    mimeType: "text/markdown",
    text: "# Limits",
  });
  for (
    const uri of [
      "firn://metrics/none",
      "firn://reasons/none",
      "firn://guides",
      "firn://guides/none",
      "firn://other",
      "other",
    ]
  ) assertEquals(textOf(uri), null, uri);
});
