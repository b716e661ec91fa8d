/** How the clients of all upstreams are opened. */
import { SERVICE } from "../../services/platform/rate_limit/requesters.ts";
import { assertEquals, assertRejects } from "@std/assert";
import { CANARY } from "../../services/chain_data/series/series_freshness.ts";
import { Fault } from "../../services/platform/fault.ts";
import { exampleOf } from "../../simnet/accounts.ts";
import { testDeps } from "../support/deps.ts";
import { timeoutsOf } from "../support/timeouts.ts";
import { CALL_OPTIONS } from "../support/upstreams.ts";

Deno.test("openUpstreams() reads from the first node, and confirms with all of them", async () => {
  const asked: string[] = [];
  using deps = await testDeps({
    settings: { C_CHAIN_RPC_URL: "http://one.test/rpc, http://two.test/rpc" },
    fetch(input, init) {
      asked.push(new Request(input, init).url);
      return Promise.resolve(new Response(null, { status: 500 }));
    },
  });
  const { cChain, transfers, signatures } = deps.upstream;
  await assertRejects(() => cChain.findFirstBlock(0, [], CALL_OPTIONS), Fault);
  assertEquals(asked, ["http://one.test/rpc"]);
  const both = ["one.test", "two.test"];
  assertEquals(transfers.map(({ host }) => host), both);
  assertEquals(signatures.length, both.length);
});

Deno.test("every upstream has eight seconds for a call", async () => {
  using deps = await testDeps();
  const { cChain, domains, explorer, metrics, platformChain, transfers } =
    deps.upstream;
  const options = {
    priority: "job",
    signal: new AbortController().signal,
    requester: SERVICE,
  } as const;
  const address = exampleOf("ordinary");
  const calls = {
    metrics: () =>
      metrics.readDaily(CANARY, { ...options, fromDay: undefined }),
    explorer: () => explorer.readAccount(address, options),
    cChain: () => cChain.announce(address).read(options),
    platformChain: () => platformChain.readValidators(options),
    transfers: () => transfers[0]!.readHead(options),
    domains: () => domains.readTexts("_firn.example.com", options),
  };
  for (const [name, call] of Object.entries(calls)) {
    const timeouts = await timeoutsOf(() => call());
    assertEquals(new Set(timeouts), new Set([8_000]), name);
  }
});
