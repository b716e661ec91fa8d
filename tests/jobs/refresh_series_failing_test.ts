/** Chains of which upstream answers nothing, beside chains that it serves. */
import { assert, assertEquals } from "@std/assert";
import { STORED_METRICS } from "../../services/chain_data/catalogue/metrics_schema.ts";
import { isSweepDue } from "../../services/chain_data/series/refresh_plan.ts";
import { testDeps } from "../support/deps.ts";
import { runNamed, succeed } from "../support/jobs.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

Deno.test("refresh-series reads the other chains, and ends its sweep, while upstream fails for many", async () => {
  using deps = await testDeps({ chains: 14, start: "2026-11-21T22:00:00Z" });
  await succeed(deps, "refresh-series");
  const { chains } = (await deps.store.chains.find())!;
  const l1s = chains.map(({ chainId }) => chainId)
    .filter((chainId) => chainId !== 43114);
  const failing = new Set(l1s.slice(0, 12));
  const { metrics } = deps.upstream;
  let failed = 0;
  const readDaily: typeof metrics.readDaily = (id, options) => {
    const fails = failing.has(id.subject as number);
    if (fails) failed++;
    return metrics.readDaily(
      fails ? { ...id, subject: -1 } as typeof id : id,
      options,
    );
  };
  const upstream = { ...deps.upstream, metrics: { ...metrics, readDaily } };
  const served = { subject: l1s.at(-1)!, metric: "txCount" } as const;
  for (const day of ["first", "second"]) {
    deps.advance((day === "first" ? 3 : 23) * HOUR_MS);
    const publishedAfter = deps.now().getTime();
    for (let minute = 0; minute < 80; minute++) {
      deps.advance(MINUTE_MS);
      await runNamed({ ...deps, upstream }, "refresh-series");
    }
    const { fetchedAt } = (await deps.store.series.find(served))!;
    assert(fetchedAt > publishedAfter, `${day}: the last chain is read`);
    const { publications } = deps.store;
    const publication = (await publications.find())!;
    const sweep = await publications.findSweep();
    assertEquals(isSweepDue(publication, sweep), false, `${day}: it ended`);
  }
  assert(failed > 12 * STORED_METRICS.length, "failed ones are tried again");
});
