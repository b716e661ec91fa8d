/** Refuses a store that an interrupted import has filled in part. */
import type { PlatformDeps } from "./platform/open/deps.ts";
import { StartError } from "./start_error.ts";

/**
 * Returns the dependencies if the store is whole. While an import is unfinished, a
 * ledger may be there without its plan: a payment would overwrite an entry, and the
 * rest of the import would overwrite the payment.
 */
export async function requireWholeStore<
  Deps extends Pick<PlatformDeps, "store">,
>(deps: Deps): Promise<Deps> {
  if (await deps.store.entries.findImport() === null) return deps;
  throw new StartError(
    "the import of a backup is unfinished; run operator import again with the same file",
  );
}
