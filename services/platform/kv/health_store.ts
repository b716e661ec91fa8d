/** Probes of the database. */
import * as keys from "./keys.ts";

/** Size of the written probe: several pages of SQLite, so that a full disk shows. */
const PING_BYTES = 16_384;

/** Probes of a database. */
export function healthProbes(kv: Deno.Kv) {
  return {
    /** Reads once. Rejects if the database does not answer. */
    async ping(): Promise<void> {
      await kv.get(keys.ping());
    },

    /** Writes once and deletes what it wrote. Rejects if the database has no room. */
    async pingWrite(): Promise<void> {
      const expireIn = keys.COLLECTIONS.ping.expireMs;
      await kv.set(keys.ping(), new Uint8Array(PING_BYTES), { expireIn });
      await kv.delete(keys.ping());
    },
  };
}

/** Probes of a database. */
export type HealthProbes = ReturnType<typeof healthProbes>;
