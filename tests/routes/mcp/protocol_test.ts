/** `/mcp` with the official client, over HTTP, in both revisions of the protocol. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { METRIC_NAMES } from "../../../services/chain_data/catalogue/metrics_schema.ts";
import { REASON_CODES } from "../../../services/model/reasons_schema.ts";
import { GUIDE_SLUGS } from "../../../routes/docs/guides.ts";
import { SIGNING } from "../../support/attestations.ts";
import { checkDaily } from "../../support/jobs.ts";
import { enrol } from "../../support/callers.ts";
import { testDeps } from "../../support/deps.ts";
import { claim } from "../../support/graph.ts";
import { serve } from "../../support/loopback.ts";
import { connectTo, type Revision, REVISIONS } from "../../support/mcp.ts";

const ADDRESS = "0x52908400098527886E0F7030069857D2E4169EE7";

/** Every tool with arguments of a call that works. */
const CALLS: Readonly<Record<string, Record<string, unknown>>> = {
  get_chain_data: {},
  get_chains: {},
  get_metrics: { metric: "avgTps", range: "30d" },
  get_monthly_transactions: { interval: "month" },
  get_transaction_fees: {},
  get_block_production: {},
  get_validators: { range: "30d" },
  get_quality: {},
  get_disputes: {},
  get_revisions: { chainId: 43114, metric: "txCount", limit: 10 },
  get_scoring: {},
  get_score: { address: ADDRESS },
  post_batch: { addresses: [ADDRESS] },
  get_history: { address: ADDRESS },
  get_usage: {},
  get_signed: { address: ADDRESS },
  get_profile: { addressOrSlug: ADDRESS },
};

for (const revision of Object.keys(REVISIONS) as Revision[]) {
  Deno.test(`/mcp answers every tool and resource to the official client of ${revision}`, async () => {
    using deps = await testDeps({
      settings: { ...SIGNING, METRICS_CALLS_PER_MINUTE: "800" },
    });
    await checkDaily(deps, 2);
    await claim(deps, [ADDRESS.toLowerCase()]);
    const { key } = await enrol(deps, { plan: "growth" });
    await using server = serve(deps);
    await using mcp = await connectTo(`${server.url}/mcp`, {
      revision,
      headers: { "X-Api-Key": key },
    });
    const { client } = mcp;
    assertEquals(client.getNegotiatedProtocolVersion(), revision);
    assertEquals(client.getServerCapabilities(), { tools: {}, resources: {} });
    assertEquals(client.getServerVersion()?.name, "firn");

    const { tools } = await client.listTools();
    assertEquals(
      tools.map(({ name }) => name).toSorted(),
      [...Object.keys(CALLS), "verify_attestation"].toSorted(),
    );
    for (const { name, annotations } of tools) {
      // A client may repeat an idempotent call unasked, and calls with a key may cost units.
      const isFree = !/score$|batch|history|usage|signed/.test(name);
      assertEquals(annotations?.idempotentHint, isFree, name);
      assertEquals(annotations?.readOnlyHint, isFree, name);
    }
    for (const [name, given] of Object.entries(CALLS)) {
      const { answer, text, isError } = await mcp.call(name, given);
      assertEquals(isError, false, `${name}: ${text}`);
      assertEquals(JSON.parse(text), answer, name);
    }

    const { resources } = await client.listResources();
    assertEquals(resources.map(({ uri }) => uri), [
      "firn://metrics",
      "firn://reasons",
      ...GUIDE_SLUGS.map((slug) => `firn://guides/${slug}`),
    ]);
    const { resourceTemplates } = await client.listResourceTemplates();
    const named = resourceTemplates.flatMap(({ uriTemplate }) => [
      ...METRIC_NAMES.map((name) => uriTemplate.replace("{metric}", name)),
      ...REASON_CODES.map((code) => uriTemplate.replace("{code}", code)),
    ]).filter((uri) => !uri.includes("{"));
    assertEquals(named.length, METRIC_NAMES.length + REASON_CODES.length);
    for (const uri of [...resources.map(({ uri }) => uri), ...named]) {
      const { contents: [content] } = await client.readResource({ uri });
      assert(content && "text" in content && content.text.length > 0, uri);
      const name = named.includes(uri) ? `"${uri.split("/").at(-1)}"` : "";
      assert(content.text.includes(name), uri);
    }
  });

  Deno.test(`an unknown tool or resource is an error of the protocol in ${revision}`, async () => {
    using deps = await testDeps();
    await using server = serve(deps);
    await using mcp = await connectTo(`${server.url}/mcp`, { revision });
    await assertRejects(
      () => mcp.call("transfer"),
      Error,
      'Unknown tool "transfer": expected one of get_chain_data,',
    );
    const names = [
      ...["metrics/price", "reasons/none", "guides/none", "guides", "none"],
      ...["metrics/", "metrics-txCount", "metrics/txCount/more"],
    ];
    for (const name of names) {
      const uri = `firn://${name}`;
      await assertRejects(
        () => mcp.client.readResource({ uri }),
        Error,
        `Resource not found: ${uri}`,
      );
    }
  });
}

Deno.test("the schema of a tool's arguments is that of the HTTP endpoint, without its format", async () => {
  using deps = await testDeps();
  await using server = serve(deps);
  await using mcp = await connectTo(`${server.url}/mcp`);
  const { tools } = await mcp.client.listTools();
  const document = await (await fetch(`${server.url}/openapi.json`)).json();
  const { parameters } = document.paths["/api/chain-data/metrics"].get;
  const { inputSchema } = tools.find(({ name }) => name === "get_metrics")!;
  const { cursor, ...properties } = inputSchema.properties!;
  assert(cursor);
  assertEquals(
    properties,
    Object.fromEntries(
      // deno-lint-ignore no-explicit-any -- the document is JSON.
      parameters.filter(({ name }: any) => name !== "format")
        // deno-lint-ignore no-explicit-any -- the document is JSON.
        .map(({ name, schema }: any) => [name, schema]),
    ),
  );
});

Deno.test("the guide and /llms.txt name the server and every tool", async () => {
  using deps = await testDeps();
  await using server = serve(deps);
  await using mcp = await connectTo(`${server.url}/mcp`);
  const { tools } = await mcp.client.listTools();
  const guide = await (await fetch(`${server.url}/docs/mcp.md`)).text();
  assertEquals(tools.filter(({ name }) => !guide.includes(`\`${name}\``)), []);
  const llms = await (await fetch(`${server.url}/llms.txt`)).text();
  assert(llms.includes("/mcp)"));
});
