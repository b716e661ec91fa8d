import { assert, assertEquals } from "@std/assert";
import { P_CHAIN_PATH } from "../../simnet/platform_chain.ts";
import { STAKING_METRICS, stakingOn } from "../../simnet/series/staking.ts";
import type { StakingMetric } from "../../simnet/series/staking.ts";
import { type Json, testNet, TODAY } from "./support.ts";

const net = testNet();

async function call(method: string, params: unknown = {}): Promise<Json> {
  const body = { jsonrpc: "2.0", id: 1, method, params };
  return (await net.rpc(P_CHAIN_PATH, body)).result;
}

Deno.test("platform.getCurrentValidators matches the staking series", async () => {
  const { validators } = await call("platform.getCurrentValidators");
  const sum = (field: string) =>
    validators.reduce(
      (total: number, row: Json) => total + Number(row[field]),
      0,
    );
  const totals: Record<StakingMetric, number> = {
    validatorCount: validators.length,
    validatorWeight: sum("weight"),
    delegatorCount: sum("delegatorCount"),
    delegatorWeight: sum("delegatorWeight"),
  };
  for (const metric of Object.keys(STAKING_METRICS) as StakingMetric[]) {
    for (const day of [TODAY, TODAY - 2]) {
      const allowed = day === TODAY || metric.endsWith("Weight") ? 0.003 : 0.01;
      const difference = Math.abs(totals[metric] / stakingOn(metric, day) - 1);
      assert(difference < allowed, `${metric} ${difference}`);
    }
  }
});

Deno.test("platform.getCurrentValidators returns numbers as strings", async () => {
  const { validators } = await call("platform.getCurrentValidators");
  assert(Math.abs(validators.length - 1_100) < 30);
  for (const { weight, delegatorWeight, delegatorCount } of validators) {
    for (const text of [weight, delegatorWeight, delegatorCount]) {
      assertEquals(`${BigInt(text)}`, text);
    }
    assert(BigInt(weight) >= 2_000n * 10n ** 9n);
  }
  const bytes = JSON.stringify(validators).length / validators.length;
  assert(bytes > 1_000 && bytes < 1_600, `${bytes}`);
  const ids = new Set(validators.map(({ nodeID }: Json) => nodeID));
  assertEquals(ids.size, validators.length);
});

Deno.test("platform.getCurrentValidators filters by node and subnet", async () => {
  const { validators } = await call("platform.getCurrentValidators");
  const { nodeID } = validators[3];
  const one = await call("platform.getCurrentValidators", {
    nodeIDs: [nodeID],
  });
  assertEquals(one.validators, [validators[3]]);
  const none = await call("platform.getCurrentValidators", [{ subnetID: "x" }]);
  assertEquals(none.validators, []);
});

Deno.test("platform.getHeight and platform.getTimestamp follow the clock", async () => {
  assert(Number((await call("platform.getHeight")).height) > 2e7);
  const { timestamp } = await call("platform.getTimestamp");
  assertEquals(timestamp, "2026-11-21T09:30:00Z");
});
