/** What a database holds, to compare with what it held before. */
import type { Deps } from "../../../services/deps.ts";

/** Collections that tell how things went, and nothing that anybody is answered. */
const BOOKKEEPING = ["budgets", "series_failures", "usage", "waiting_scores"];

/** Returns all entries but bookkeeping, as text: values by key. */
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
