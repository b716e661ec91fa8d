/** How the records of each collection are copied and checked. */
import { assertEquals, assertStrictEquals } from "@std/assert";
import type { Collection } from "../../services/platform/kv/store_rule.ts";
import { COLLECTIONS } from "../../services/stores.ts";

/** Returns the names of the collections with a property. */
function namesWith(property: keyof Collection): string[] {
  return Object.entries<Collection>(COLLECTIONS)
    .filter(([, collection]) => collection[property])
    .map(([name]) => name).sort();
}

Deno.test("a backup leaves out what is short-lived, is built again, belongs to one process, or is no longer read", () => {
  assertEquals(namesWith("isLeftOut"), [
    "budgets",
    "call_logs",
    "challenges",
    "domain_claims",
    "download_build",
    "download_chunks",
    "download_garbage",
    "download_release",
    "download_staged",
    "download_tables",
    "format",
    "human_proof_queue",
    "import",
    "job_leases",
    "last_export",
    "oauth_states",
    "ping",
    "profile_reports",
    "read_queue",
    "score_refreshes",
    "sessions",
    "set_aside",
    "store_id",
    "traffic_receipts",
    "unsettled_units",
  ]);
});

Deno.test("a key of an outdated backup waits for its owner unless it is revoked", () => {
  const { change } = COLLECTIONS.api_keys!.whenOutdated!;
  const live = { revokedAt: null };
  assertEquals(change(live as never), { ...live, isWaiting: true });
  const revoked = { revokedAt: 7 };
  assertStrictEquals(change(revoked as never), revoked);
});

Deno.test("the counter of an outdated backup skips 1,000 Verified Human numbers", () => {
  const { change, says } = COLLECTIONS.human_count!.whenOutdated!;
  assertEquals([change(0 as never), change(41 as never)], [1_000, 1_041]);
  assertEquals(
    says,
    "counter of Verified Human numbers skips 1000 numbers, which may have been granted after the backup",
  );
});
