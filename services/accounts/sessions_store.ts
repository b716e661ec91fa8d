/** Sessions: a record under the hash of each token. */
import { type AuditEntry, withAudit } from "../platform/kv/audit_store.ts";
import { checkAndSet } from "../platform/kv/commit.ts";
import { DAY_MS } from "../platform/days.ts";
import {
  ANY,
  type Rule,
  type StoredRecords,
} from "../platform/kv/store_rule.ts";

/** Keys. */
const keys = {
  /** A session, under the hash of its token. */
  session: (hash: string) => ["sessions", hash],
};

/** How long a session is kept. */
const EXPIRE_MS = DAY_MS;

/** A session; times in epoch ms. */
interface SessionRecord {
  readonly wallet: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** What the contract of a smart account must still accept; null for a key pair. */
  readonly byContract: ContractProof | null;
}

/** The message that a smart account signed in with, and when its contract last accepted it. */
interface ContractProof {
  readonly message: string;
  readonly signature: string;
  /** Epoch ms. */
  readonly confirmedAt: number;
}

/** Sessions in a store. */
export function sessionStore(kv: Deno.Kv) {
  return {
    /** Finds a session by the hash of its token, expired or not. */
    async find(hash: string): Promise<SessionRecord | null> {
      return (await kv.get<SessionRecord>(keys.session(hash))).value;
    },

    /** Starts a session and ends the previous one of the same client. */
    async start(
      hash: string,
      session: SessionRecord,
      { replaces, audit }: { replaces: string | null; audit: AuditEntry },
    ): Promise<void> {
      const key = keys.session(hash);
      await checkAndSet<SessionRecord, void>(kv, key, () => ({
        value: undefined,
        write(atomic) {
          if (replaces !== null) atomic.delete(keys.session(replaces));
          atomic.set(key, session, { expireIn: EXPIRE_MS });
          return withAudit(atomic, session.wallet, audit);
        },
      }));
    },

    /** Notes when the contract of a session's wallet accepted its signature. A session that has ended stays ended. */
    markConfirmed(hash: string, confirmedAt: number): Promise<void> {
      const key = keys.session(hash);
      return checkAndSet<SessionRecord, void>(kv, key, ({ value: session }) => {
        if (!session?.byContract) return { value: undefined };
        const byContract = { ...session.byContract, confirmedAt };
        const confirmed: SessionRecord = { ...session, byContract };
        return {
          value: undefined,
          write: (atomic) =>
            atomic.set(key, confirmed, { expireIn: EXPIRE_MS }),
        };
      });
    },

    /** Ends a session; false if it has ended already. */
    end(hash: string, audit: AuditEntry): Promise<boolean> {
      const key = keys.session(hash);
      return checkAndSet<SessionRecord, boolean>(
        kv,
        key,
        ({ value: session }) => {
          if (session === null) return { value: false };
          return {
            value: true,
            write: (atomic) =>
              withAudit(atomic.delete(key), session.wallet, audit),
          };
        },
      );
    },
  };
}

const session: Rule<SessionRecord> = {
  name: "session",
  of: keys.session(ANY),
  invariant: "a session expires after it was created",
  holds: ({ value: { createdAt, expiresAt } }) => createdAt < expiresAt,
};

/** The collections and the rules. */
export const SESSION_RECORDS: StoredRecords = {
  collections: { sessions: { expireMs: EXPIRE_MS, isLeftOut: true } },
  rules: [session],
};
