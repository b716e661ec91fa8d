import { assertEquals, assertRejects } from "@std/assert";
import { Fault } from "../../services/platform/fault.ts";
import { testDeps } from "../support/deps.ts";
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
