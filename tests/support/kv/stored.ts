/** Dumps a database, to compare it with an earlier dump. */
import type { Deps } from "../../../services/deps.ts";

/** Collections that no answer depends on. */
const BOOKKEEPING = [
  "budgets",
  "read_queue",
  "series_failures",
  "set_aside",
  "traffic_days",
  "traffic_receipts",
  "usage",
  "waiting_scores",
];

/** Returns all other entries as text, by key. */
export async function dumpOf(
  { store }: Pick<Deps, "store">,
): Promise<Record<string, string>> {
  const dump: Record<string, string> = {};
  for await (const { key, value } of store.entries.list()) {
    if (!BOOKKEEPING.includes(String(key[0]))) {
      dump[key.join("/")] = Deno.inspect(value, { iterableLimit: Infinity });
    }
  }
  return dump;
}
