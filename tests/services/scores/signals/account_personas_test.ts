import { assert, assertEquals } from "@std/assert";
import { cChainAccounts } from "../../../../services/scores/signals/c_chain_accounts_client.ts";
import { explorerAccounts } from "../../../../services/scores/signals/explorer_accounts_client.ts";
import { exampleOf, type Persona } from "../../../../simnet/accounts.ts";
import { simulateUpstreams } from "../../../../simnet/upstreams.ts";
import { CALL_OPTIONS, httpThat } from "../../../support/upstreams.ts";

const BASE_URL = "http://up.test/v2/network/mainnet/evm/43114/etherscan/api";

Deno.test("every persona of simnet has one history at both upstreams", async () => {
  const now = () => new Date("2026-11-21T08:00:00Z");
  const { explorer, cChainRpc } = simulateUpstreams({ now });
  const index = explorerAccounts(
    httpThat(explorer.handle, { timeoutMs: 30_000 }).http,
    BASE_URL,
  );
  const chain = cChainAccounts(
    httpThat(cChainRpc.handle, { timeoutMs: 5_000 }).http,
    "http://up.test/ext/bc/C/rpc",
    { chainId: 43114 },
  );
  const calls: Record<Persona, number> = {
    unused: 1,
    new: 1,
    dormant: 1,
    ordinary: 1,
    delegated: 1,
    contract: 1,
    heavy: 3,
  };
  for (const [persona, count] of Object.entries(calls)) {
    const address = exampleOf(persona as Persona);
    const state = await chain.announce(address).read(CALL_OPTIONS);
    const before = explorer.calls.length;
    const countSent = () => Promise.resolve(state.isContract ? 0 : state.nonce);
    const { body, source } = await index.readAccount(address, {
      ...CALL_OPTIONS,
      countSent,
    });
    assertEquals(explorer.calls.length - before, count, persona);
    assertEquals(source, "simulated (simnet in place of the explorer index)");
    assertEquals(body.isPartial, false, persona);
    assertEquals(state.isContract, persona === "contract", persona);
    if (!state.isContract) assertEquals(body.nonce, state.nonce, persona);
    assertEquals(body.firstTxAt === null, body.nonce === 0, persona);
    assert((body.firstTxAt ?? 0) <= (body.recentTxAt.at(-1) ?? 0), persona);
    assertEquals(body.gasAvax > 0, body.nonce > 0, persona);
  }
});
