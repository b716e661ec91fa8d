/** Probes of the database. */
import { HOUR_MS } from "../days.ts";
import type { StoredRecords } from "./store_rule.ts";

/** The key of the probe. */
const PING = ["ping"];

/** How long a probe is kept that was not deleted. */
const EXPIRE_MS = HOUR_MS;

/** Size of the written probe: several pages of SQLite, so that a full disk shows. */
const PING_BYTES = 16_384;

/** Probes of a database. */
export function healthProbes(kv: Deno.Kv) {
  return {
    /** Reads once. Rejects if the database does not answer. */
    async ping(): Promise<void> {
      await kv.get(PING);
    },

    /** Writes once and deletes what it wrote. Rejects if the database has no room. */
    async pingWrite(): Promise<void> {
      await kv.set(PING, new Uint8Array(PING_BYTES), { expireIn: EXPIRE_MS });
      await kv.delete(PING);
    },
  };
}

/** Probes of a database. */
export type HealthProbes = ReturnType<typeof healthProbes>;

/** The collections and the rules. */
export const PING_RECORDS: StoredRecords = {
  collections: {
    ping: { expireMs: EXPIRE_MS, isLeftOut: true, isUnchecked: true },
  },
  rules: [],
};
