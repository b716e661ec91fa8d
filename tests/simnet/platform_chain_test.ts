import { assert } from "@std/assert";
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
