import { SERVICE } from "../../../../services/platform/rate_limit/requesters.ts";
import { assertEquals, assertRejects } from "@std/assert";
import { readSignals } from "../../../../services/scores/signals/address_signals.ts";
import { Fault } from "../../../../services/platform/fault.ts";
import { exampleOf } from "../../../../simnet/accounts.ts";
import { testDeps } from "../../../support/deps.ts";
import { timeoutsOf, withTimeoutAt } from "../../../support/timeouts.ts";

const ADDRESS = exampleOf("ordinary");

/** The time in which upstreams are called; the tests end it themselves. */
const CALLING_MS = 9_000;

const AS_SERVICE = { requester: SERVICE };

/** Far more than any wait. */
const SLOW = { mode: "slow", delayMs: 600_000 } as const;

const down = (read: () => Promise<unknown>) =>
  assertRejects(read, Fault).then(({ failure }) => failure.kind);

Deno.test("a slow explorer delays nobody longer than the maximum wait", async (t) => {
  const rows: [name: string, explorer: boolean, rpc: boolean][] = [
    ["the explorer", true, false],
    ["both", true, true],
  ];
  for (const [name, explorer, rpc] of rows) {
    await t.step(name, async () => {
      using deps = await testDeps();
      const { upstreams } = deps;
      if (explorer) upstreams.explorer.switch.set(SLOW);
      if (rpc) upstreams.cChainRpc.switch.set(SLOW);
      const kinds = await withTimeoutAt(
        CALLING_MS,
        () =>
          upstreams.explorer.calls.length > 0 &&
          upstreams.cChainRpc.calls.length > 0,
        () =>
          Promise.all(Array.from(
            { length: 20 },
            () => down(() => readSignals(deps, ADDRESS, AS_SERVICE)),
          )),
      );
      assertEquals(new Set(kinds), new Set(["upstreamDown"]));
      assertEquals(upstreams.explorer.calls.length, 1);
    });
  }
});

Deno.test("the calls of a read have nine seconds, which begin with its turn", async () => {
  using deps = await testDeps();
  deps.upstreams.explorer.switch.set({ mode: "refuse" });
  const read = () => readSignals(deps, ADDRESS, { requester: SERVICE });
  const [ofAll] = await timeoutsOf(() => down(read));
  assertEquals(ofAll, 9_000);
});

Deno.test("a slow RPC costs its part alone, within the same wait", async () => {
  using deps = await testDeps();
  deps.upstreams.cChainRpc.switch.set(SLOW);
  const { explorer } = deps.upstream;
  let isRead = false;
  const readAccount: typeof explorer.readAccount = async (...call) => {
    const account = await explorer.readAccount(...call);
    isRead = true;
    return account;
  };
  const upstream = {
    ...deps.upstream,
    explorer: { ...explorer, readAccount },
  };
  const { signals } = await withTimeoutAt(
    CALLING_MS,
    () => isRead,
    () => readSignals({ ...deps, upstream }, ADDRESS, AS_SERVICE),
  );
  assertEquals([signals.isPartial, signals.nonce], [true, 78]);
});
