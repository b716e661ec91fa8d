/** Takes the daily snapshot of the validator set. */
import type { ChainDataDeps } from "../deps.ts";
import type { CallOptions } from "../../platform/rate_limit/call_budget.ts";
import { dayAt } from "../../platform/days.ts";

/** Takes the snapshot of today. Returns false if today already has one. */
export async function takeSnapshot(
  { now, store, upstream }: Pick<ChainDataDeps, "now" | "store" | "upstream">,
  options: CallOptions,
): Promise<boolean> {
  const today = dayAt(now().getTime());
  if (await store.validatorDays.has(today)) return false;
  const { body, source } = await upstream.platformChain.readValidators(options);
  const takenAt = now().getTime();
  return await store.validatorDays.add({
    ...body,
    day: dayAt(takenAt),
    takenAt,
    source,
  });
}
