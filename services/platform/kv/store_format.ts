/**
 * The number of the store's format: a newer version migrates an older store, and refuses
 * a newer one. Also the store's id, and probes of its database.
 */
import { checkAndSet } from "./commit.ts";
import type { StoredRecords } from "./store_rule.ts";
import { HOUR_MS } from "../days.ts";

/** The format that this version reads and writes. */
export const FORMAT = 4;

/** The format of a store, and how far its migration to the next one is. */
export interface StoreFormat {
  readonly format: number;
  /** Where the migration continues; null before its first step. */
  readonly cursor: unknown;
}

/** What one step of a migration writes, and where the next one continues. */
interface Step {
  readonly write: (atomic: Deno.AtomicOperation) => Deno.AtomicOperation;
  /** Null after the last step. */
  readonly next: unknown;
}

/** Migrates a store to a format from the previous one. */
export interface Migration {
  readonly to: number;
  /** Reads the next records. The cursor is that of the previous step, null at first. */
  readonly step: (kv: Deno.Kv, cursor: unknown) => Promise<Step>;
}

/** Records of a step. */
const STEP_RECORDS = 500;

/**
 * Format 2 packs score histories: older ones are read as they are, and packed when
 * they change. Cohorts have shorter keys since; the older ones are not read any more.
 */
const PACKED_HISTORIES: Migration = {
  to: 2,
  async step(kv, cursor) {
    const prefix = ["cohorts"];
    const entries = await Array.fromAsync(kv.list(
      Array.isArray(cursor) ? { prefix, start: [...cursor, 0] } : { prefix },
      { limit: STEP_RECORDS },
    ));
    return {
      write: (atomic) =>
        entries.filter(({ key }) => key.length > 2)
          .reduce((atomic, { key }) => atomic.delete(key), atomic),
      next: entries.length < STEP_RECORDS ? null : entries.at(-1)!.key,
    };
  },
};

/**
 * Format 3 keeps the newest days of a series in its head. A series without them is read as it
 * is, and gets them when it is written. The last sweep names the chains that it settled.
 */
const SERIES_TAILS: Migration = {
  to: 3,
  step: () => Promise.resolve({ write: (atomic) => atomic, next: null }),
};

/** Records of a step that checks each of them: a transaction has at most 100 checks. */
const CHECKED_RECORDS = 50;

/** Format 4 lists paid time by its end. */
const PLAN_ENDS: Migration = {
  to: 4,
  async step(kv, cursor) {
    const prefix = ["plans"];
    const plans = await Array.fromAsync(
      kv.list<
        { entitlements: { times: readonly { readonly paidUntil: number }[] } }
      >(
        typeof cursor === "string"
          ? { prefix, start: ["plans", cursor, 0] }
          : { prefix },
        { limit: CHECKED_RECORDS },
      ),
    );
    return {
      write(atomic) {
        for (const plan of plans) {
          const { times } = plan.value.entitlements;
          const wallet = plan.key[1]!;
          for (const { paidUntil } of times.slice(-1)) {
            atomic.set(["plan_ends", paidUntil, wallet], times);
          }
          atomic.check(plan);
        }
        return atomic;
      },
      next: plans.length < CHECKED_RECORDS ? null : plans.at(-1)!.key[1],
    };
  },
};

/** All migrations. Format 1 is the first. */
const MIGRATIONS: readonly Migration[] = [
  PACKED_HISTORIES,
  SERIES_TAILS,
  PLAN_ENDS,
];

/** A store of a newer version. */
export class NewerStore extends Error {}

/** The key of the number of the store's format. */
export const FORMAT_KEY = ["format"] as const;

/** The key of the id of the store. */
const STORE_ID_KEY = ["store_id"];

/**
 * Brings a store to the format of this version. Each step and its progress are one
 * transaction, so an interrupted migration continues, and concurrent processes
 * apply no step twice. Throws `NewerStore` for a format of a newer version.
 */
export async function prepareStore(
  kv: Deno.Kv,
  migrations: readonly Migration[] = MIGRATIONS,
  format: number = FORMAT,
): Promise<void> {
  let isReady = false;
  while (!isReady) {
    isReady = await checkAndSet<StoreFormat, boolean>(
      kv,
      FORMAT_KEY,
      async ({ value }) => {
        // The first start numbers a store before anything else is written.
        const held = value ?? { format, cursor: null };
        if (held.format > format) throw newer(held.format, format);
        const isCurrent = held.format === format;
        if (isCurrent && value !== null) return { value: true };
        if (isCurrent) {
          return {
            value: true,
            write: (atomic) => atomic.set(FORMAT_KEY, held),
          };
        }
        const migration = migrations.find(({ to }) => to === held.format + 1);
        if (migration === undefined) {
          throw new Error(
            `Cannot migrate the store from format ${held.format}`,
          );
        }
        const { write, next } = await migration.step(kv, held.cursor);
        const reached: StoreFormat = next === null
          ? { format: migration.to, cursor: null }
          : { format: held.format, cursor: next };
        return {
          value: reached.format === format,
          write: (atomic) => write(atomic).set(FORMAT_KEY, reached),
        };
      },
    );
  }
}

/**
 * Gives a store an id, if it has none, and returns the id. On Deno Deploy the service
 * starts only on a store with an id: without an attached database the platform may give
 * a new store in memory to each process, and it would lose keys and paid plans.
 */
async function initStore(kv: Deno.Kv): Promise<string> {
  await kv.atomic()
    .check({ key: STORE_ID_KEY, versionstamp: null })
    .set(STORE_ID_KEY, crypto.randomUUID())
    .commit();
  return (await findStoreId(kv))!;
}

/** Returns the id of a store; null if it has none. */
export async function findStoreId(kv: Deno.Kv): Promise<string | null> {
  return (await kv.get<string>(STORE_ID_KEY)).value;
}

/** The identity of a store. */
export function storeIdentity(kv: Deno.Kv) {
  return {
    /** Gives the store an id, if it has none, and returns the id. */
    init: () => initStore(kv),
  };
}

function newer(found: number, known: number): NewerStore {
  return new NewerStore(
    `the store has format ${found}: expected at most ${known}`,
  );
}

/** The collections and the rules. */
export const FORMAT_RECORDS: StoredRecords = {
  collections: {
    format: { isLeftOut: true, isUnchecked: true },
    // Not copied: the copy is another store.
    store_id: { isLeftOut: true, isUnchecked: true },
  },
  rules: [],
};

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
