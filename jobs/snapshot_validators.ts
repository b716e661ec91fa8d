/** Job: records the validator set of the Primary Network once per day. */
import { recordDisputes } from "../services/chain_data/checks/disputes.ts";
import type { ChainDataDeps } from "../services/chain_data/overview/deps.ts";
import { jobCallOptions } from "../services/platform/cache/read_through.ts";
import type { CallOptions } from "../services/platform/rate_limit/call_budget.ts";
import { dayAt } from "../services/platform/days.ts";

/** Takes the snapshot of today if there is none. */
export async function snapshotValidators(deps: ChainDataDeps): Promise<string> {
  const taken = await takeSnapshot(deps, jobCallOptions());
  if (taken) await recordDisputes(deps);
  return taken ? "snapshot taken" : "today has its snapshot";
}

/** Takes the snapshot of today. Returns false if today already has one, whole. */
export async function takeSnapshot(
  { log, now, store, upstream }: Pick<
    ChainDataDeps,
    "log" | "now" | "store" | "upstream"
  >,
  options: CallOptions,
): Promise<boolean> {
  const today = dayAt(now().getTime());
  if (await store.validatorDays.has(today)) return false;
  const { body, unread, source } = await upstream.platformChain
    .readValidators(options);
  const takenAt = now().getTime();
  const of = "current validators";
  const [reason] = unread;
  if (reason === undefined) await store.setAside.remove(of);
  else {
    const setAside = { of, rows: unread.length, reason };
    log("source.rows_set_aside", setAside);
    await store.setAside.put({ ...setAside, foundAt: takenAt });
  }
  return await store.validatorDays.add({
    ...body,
    day: dayAt(takenAt),
    takenAt,
    source,
  });
}
