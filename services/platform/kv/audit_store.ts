/** What was done in the name of a wallet, when, and by which request. */
import type { AuditEvent } from "./audit_events_schema.ts";
import * as keys from "./keys.ts";

/** What happened; facts of its own kind stand beside these fields. */
export interface AuditEntry {
  /** Epoch ms. */
  readonly at: number;
  readonly event: AuditEvent;
  /** Null where no request was the cause: a job, or the operator. */
  readonly requestId: string | null;
  readonly [fact: string]: string | number | null;
}

/** Entries that a list has at most. */
const MOST_LISTED = 100;

/** Adds an entry to the transaction of what it records: both are written, or neither. */
export function withAudit(
  atomic: Deno.AtomicOperation,
  wallet: string,
  entry: AuditEntry,
): Deno.AtomicOperation {
  const key = keys.auditEntry(wallet, entry.at, crypto.randomUUID());
  return atomic.set(key, entry, { expireIn: keys.COLLECTIONS.audit.expireMs });
}

/** Audit trails in a store. */
export function auditStore(kv: Deno.Kv) {
  return {
    /** Lists the last hundred entries of a wallet, newest first. */
    async list(wallet: string): Promise<AuditEntry[]> {
      const found = await Array.fromAsync(
        kv.list<AuditEntry>({ prefix: keys.auditTrail(wallet) }, {
          limit: MOST_LISTED,
          reverse: true,
        }),
      );
      // Entries of one millisecond come in the order they were written.
      return found.toSorted((a, b) =>
        b.value.at - a.value.at ||
        (a.versionstamp < b.versionstamp ? 1 : -1)
      ).map(({ value }) => value);
    },
  };
}
