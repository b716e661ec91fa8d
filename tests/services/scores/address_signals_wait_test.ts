import { assert, assertEquals, assertRejects } from "@std/assert";
import { readSignals } from "../../../services/scores/address_signals.ts";
import { Fault } from "../../../services/platform/fault.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { testDeps } from "../../support/deps.ts";
import { timeoutsOf } from "../../support/timeouts.ts";

const ADDRESS = exampleOf("ordinary");

const down = (read: () => Promise<unknown>) =>
  assertRejects(read, Fault).then(({ failure }) => failure.kind);

Deno.test("a slow explorer delays nobody longer than the maximum wait", async (t) => {
  const waitMs = 300;
  const rows: [name: string, explorer: boolean, rpc: boolean][] = [
    ["the explorer", true, false],
    ["both", true, true],
  ];
  for (const [name, explorer, rpc] of rows) {
    await t.step(name, async () => {
      using deps = await testDeps();
      const slow = { mode: "slow", delayMs: 30_000 } as const;
      if (explorer) deps.upstreams.explorer.switch.set(slow);
      if (rpc) deps.upstreams.cChainRpc.switch.set(slow);
      const start = performance.now();
      const kinds = await Promise.all(Array.from(
        { length: 20 },
        () => down(() => readSignals(deps, ADDRESS, { waitMs })),
      ));
      assertEquals(new Set(kinds), new Set(["upstreamDown"]));
      const tookMs = performance.now() - start;
      assert(tookMs < 10 * waitMs, `${tookMs} ms`);
      assertEquals(deps.upstreams.explorer.calls.length, 1);
    });
  }
  await t.step("an explorer that ignores the abort", async () => {
    const fetch = () => Promise.withResolvers<Response>().promise;
    using deps = await testDeps({ fetch });
    const read = () => readSignals(deps, ADDRESS, { waitMs });
    assertEquals(await down(read), "upstreamDown");
    assertEquals(await deps.store.signals.find(ADDRESS), null);
  });
});

Deno.test("people wait ten seconds for signals, nine of them for upstreams", async () => {
  using deps = await testDeps();
  deps.upstreams.explorer.switch.set({ mode: "refuse" });
  const read = () => readSignals(deps, ADDRESS);
  const [ofAll] = await timeoutsOf(() => down(read));
  assertEquals(ofAll, 9_000);
});

Deno.test("a slow RPC costs its part alone, within the same wait", async () => {
  using deps = await testDeps();
  const { cChainRpc } = deps.upstreams;
  cChainRpc.switch.set({ mode: "slow", delayMs: 30_000 });
  const { signals } = await readSignals(deps, ADDRESS, { waitMs: 1_500 });
  assertEquals([signals.isPartial, signals.nonce], [true, 78]);
});
