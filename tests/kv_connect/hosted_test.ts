/**
 * Tests that also run over hosted databases, through Deno's own KV Connect client:
 * the stores, and what several processes do at once.
 */
import { useHostedDatabases } from "../support/kv/hosted.ts";

await useHostedDatabases();

const SERVICES = [
  "accounts/api_keys_store_test.ts",
  "accounts/challenges_store_test.ts",
  "accounts/quota/usage_store_test.ts",
  "chain_data/catalogue/chains_test.ts",
  "chain_data/series/publications_store_test.ts",
  "chain_data/series/series_store_test.ts",
  "payments/payments_store_test.ts",
  "operator/backup_test.ts",
  "platform/jobs/jobs_store_test.ts",
  "platform/kv/audit_store_test.ts",
  "platform/kv/batched_writes_test.ts",
  "platform/kv/reads_test.ts",
  "platform/kv/store_rule_test.ts",
  "platform/rate_limit/call_budgets_store_test.ts",
  "profiles/donations_store_test.ts",
  "profiles/follows/follows_store_test.ts",
  "profiles/follows/pending_follows_store_test.ts",
  "profiles/profiles_store_test.ts",
  "profiles/verified_humans_store_test.ts",
  "scores/scores_store_test.ts",
  "scores/signals/signals_store_test.ts",
].map((file) => `services/${file}`);

const PROCESSES = [
  "processes/payment_processes_test.ts",
  "processes/quota_processes_test.ts",
].map((file) => `e2e/${file}`);

/**
 * Tests of thousands of steps one after the other, because here each step is a request.
 * `tests/long/hosted_killed_test.ts` runs those of several processes.
 */
const LONG = new Set([
  "every call that a killed process answered is counted",
  "find-payments, killed at several points, credits every payment once",
  "following a hundred addresses with years of followers takes more than one transaction",
  "four processes with 5,000 calls at a limit of 2,500 admit and count exactly 2,500",
  "a full list accepts no address until one is removed",
  "a wallet that takes one new key after the other keeps a small record, and others are served with it",
  "check() finds no violation in what the service writes, and reports a record that no rule knows",
  "entitlements equal a replay of the ledger after random credits, grants and revocations, concurrent or not",
  "following a hundred popular addresses at once takes more than one transaction",
  "the newest 90 points are kept",
  "two concurrent donations in opposite directions count nothing",
]);

const test = Deno.test as unknown as (...given: unknown[]) => void;
const left = new Set(LONG);
Object.defineProperty(Deno, "test", {
  value(first: string | Deno.TestDefinition, ...rest: unknown[]) {
    const name = typeof first === "string" ? first : first.name;
    if (!left.delete(name)) test(first, ...rest);
  },
});

for (const file of [...SERVICES, ...PROCESSES]) {
  await import(import.meta.resolve(`../${file}`));
}

if (left.size > 0) throw new Error(`No such tests: ${[...left].join("; ")}`);
