/** Scores of many addresses, from stored signals. */
import { minuteOf } from "../platform/instants.ts";
import type { ScoresDeps } from "./deps.ts";
import { scoreOf, type ScoreSignals } from "../model/model.ts";
import type { ModelsAt } from "../model/model_schedule.ts";
import type { BatchAnswer, BatchItem } from "../model/score_lists_schema.ts";
import { fetchedAtOf, modelsOf, nextOf, scoreSignalsOf } from "./scores.ts";
import { findSignals } from "./signals/address_signals.ts";
import { findServiceSignals } from "./signals/service_signals.ts";

/** Scores addresses from stored signals only, in the order given. */
export async function readBatch(
  deps: Pick<ScoresDeps, "modelSchedule" | "now" | "store" | "upstream">,
  addresses: readonly string[],
): Promise<BatchAnswer> {
  const [chain, service] = await Promise.all([
    findSignals(deps, addresses),
    Promise.all(addresses.map((address) => findServiceSignals(deps, address))),
  ]);
  const now = deps.now().getTime();
  const at = { now, ...modelsOf(deps, now) };
  const results = addresses.map((address, index) => {
    const known = scoreSignalsOf(chain[index] ?? null, service[index]!, now);
    return batchItemOf(address, known, at);
  });
  return {
    count: results.length,
    results,
    fetchedAt: fetchedAtOf(now),
    model: at.current.id,
  };
}

/** Scores an address of a batch at an instant. */
export function batchItemOf(
  address: string,
  known: ScoreSignals,
  { now, current, next }: { readonly now: number } & ModelsAt,
): BatchItem {
  const scored = scoreOf(known, minuteOf(now), current);
  const { headline, score, tier, tierLabel, s4, graph } = scored;
  const { verifiedHuman, costToFake } = scored;
  const signals = known.freshness;
  const isScored = signals !== "none";
  return {
    address,
    headline: isScored ? headline : null,
    score,
    tier,
    tierLabel,
    s4,
    graph,
    verifiedHuman,
    costToFake: isScored ? costToFake : null,
    signals,
    ...isScored && next !== null ? nextOf(known, now, next) : {},
  };
}
