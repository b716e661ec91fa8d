/** Sessions: a record under the hash of each token. */
import { type AuditEntry, withAudit } from "../platform/kv/audit_store.ts";
import { checkAndSet } from "../platform/kv/commit.ts";
import * as keys from "./keys.ts";

/** A session; times in epoch ms. */
export interface SessionRecord {
  readonly wallet: string;
  readonly createdAt: number;
  readonly expiresAt: number;
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
      const expireIn = keys.COLLECTIONS.sessions.expireMs;
      const key = keys.session(hash);
      await checkAndSet<SessionRecord, void>(kv, key, () => ({
        value: undefined,
        write(atomic) {
          if (replaces !== null) atomic.delete(keys.session(replaces));
          atomic.set(key, session, { expireIn });
          return withAudit(atomic, session.wallet, audit);
        },
      }));
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
