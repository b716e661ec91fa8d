/** Audit trail: what a wallet did, when, and by which request. */
import type { AuditEvent } from "./audit_events_schema.ts";
import { addReceipt } from "./commit.ts";
import { DAY_MS } from "../days.ts";
import {
  ANY,
  ANY_NUMBER,
  numberAt,
  type Rule,
  type StoredRecords,
} from "./store_rule.ts";

/** Keys. */
const keys = {
  /** The audit trail of a wallet. */
  auditTrail: (wallet: string) => ["audit", wallet],
  /** An entry of an audit trail. */
  auditEntry: (
    wallet: string,
    at: number,
    id: string,
  ) => ["audit", wallet, at, id],
};

/** How long an entry is kept. */
const EXPIRE_MS = 800 * DAY_MS;

/** An entry. Each event adds fields of its own. */
export interface AuditEntry {
  /** Epoch ms. */
  readonly at: number;
  readonly event: AuditEvent;
  /** Null if a job or the operator caused it. */
  readonly requestId: string | null;
  readonly [fact: string]: string | number | null;
}

/** Maximum number of entries in a list. */
const MAX_LISTED = 100;

/** Adds an entry to the transaction of the change that it records. */
export function withAudit(
  atomic: Deno.AtomicOperation,
  wallet: string,
  entry: AuditEntry,
): Deno.AtomicOperation {
  const key = keys.auditEntry(wallet, entry.at, crypto.randomUUID());
  addReceipt(atomic, key);
  return atomic.set(key, entry, { expireIn: EXPIRE_MS });
}

/** Audit trails in a store. */
export function auditStore(kv: Deno.Kv) {
  return {
    /** Lists the last hundred entries of a wallet, newest first. */
    async list(wallet: string): Promise<AuditEntry[]> {
      const found = await Array.fromAsync(
        kv.list<AuditEntry>({ prefix: keys.auditTrail(wallet) }, {
          limit: MAX_LISTED,
          reverse: true,
        }),
      );
      // Entries of the same millisecond are sorted by commit.
      return found.toSorted((a, b) =>
        b.value.at - a.value.at ||
        (a.versionstamp < b.versionstamp ? 1 : -1)
      ).map(({ value }) => value);
    },
  };
}

const auditEntry: Rule<AuditEntry> = {
  name: "audit-order",
  of: keys.auditEntry(ANY, ANY_NUMBER, ANY),
  invariant: "the key of an audit entry contains the entry's time",
  holds: ({ key, value: { at } }) => numberAt(key, 2) === at,
};

/** The collections and the rules. */
export const AUDIT_RECORDS: StoredRecords = {
  collections: { audit: { expireMs: EXPIRE_MS } },
  rules: [auditEntry],
};
