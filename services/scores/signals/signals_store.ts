/**
 * On-chain signals: one record per address, a few KiB at most. The days of use are packed
 * into bytes: about four bytes a day instead of forty.
 */
import {
  type GraphRecord,
  SIGNALS_EXPIRE_MS,
  withSignals,
} from "../../profiles/follows/follow_edges.ts";
import { isCut, withKept } from "./kept_history.ts";
import { type Cohort, type HubFacts, LEAST_TIES } from "./cohort.ts";
import { supersedes } from "./signal_freshness.ts";
import type { ActiveDay, ChainSignals } from "../../model/signals.ts";
import { cohortKeys, countTies, prepareCohort } from "./cohorts_store.ts";
import { boundedCache } from "../../platform/cache.ts";
import { checkAndSet } from "../../platform/kv/commit.ts";
import {
  type ReadKey,
  rememberedRecords,
  sharedReads,
} from "../../platform/kv/reads.ts";
import {
  graphKeys,
  prepareFollowerUpdate,
} from "../../profiles/follows/pending_follows_store.ts";
import {
  packTimestamps,
  putVarint,
  readVarints,
  unpackTimestamps,
} from "../../platform/bytes.ts";
import { DAY_MS } from "../../platform/days.ts";
import {
  ANY,
  isSame,
  type Rule,
  type StoredRecords,
  textAt,
} from "../../platform/kv/store_rule.ts";
import { TABLES } from "../../model/s4_2026_3.ts";

/** Keys. */
const keys = {
  /** The on-chain signals of an address. */
  signals: (address: string) => ["signals", address.toLowerCase()],
  /** What a node said about a funder or a sweep target. */
  hub: (address: string) => ["hubs", address],
};

/** How long what a node said about an account is kept. */
const HUB_EXPIRE_MS = 30 * DAY_MS;

/** Expiry of signals that the index no longer shows as a whole: they cannot be read again. */
const CUT_EXPIRE_MS = 2 * 365 * DAY_MS;

/** Signals and their upstream. */
interface StoredSignals {
  readonly signals: ChainSignals;
  /** Base URL of the upstream of the history. */
  readonly origin: string;
  /** Whether the record holds less than is read today, so that it counts as stale. */
  readonly isEarlier?: boolean;
}

/**
 * A thousand packed times take 2,000 bytes instead of 9,000. The SQLite backend
 * reads a record of more than 1,000 bytes again for every lookup of a nearby key.
 */
interface SignalsRecord
  extends Omit<ChainSignals, "recentTxAt" | "use" | "origin"> {
  /** Absent in records that hold the gas of days in nAVAX, and nothing from before the first use. */
  readonly version?: typeof VERSION;
  readonly origin: string;
  readonly beforeUse: ChainSignals["origin"];
  readonly use: Omit<ChainSignals["use"], "days">;
  readonly days: Uint8Array<ArrayBuffer>;
  readonly recentTx: Uint8Array<ArrayBuffer>;
  /** Whether the last read missed transactions: what earlier reads showed of them cannot be read again. */
  readonly isCut: boolean;
}

const VERSION = 2;

/** A record that is written in the transaction that stores signals. */
export interface StoredWith {
  readonly key: Deno.KvKey;
  /** The record as it was read before; absent if it was not. */
  readonly found?: Deno.KvEntryMaybe<unknown> | undefined;
  /** Returns the value to write; the stored one for no change. Called again after a conflict. */
  readonly next: (stored: unknown, signals: ChainSignals) => unknown;
  readonly expireIn: number;
  /** Adds what is written with the value. */
  readonly also: (
    atomic: Deno.AtomicOperation,
    written: unknown,
    signals: ChainSignals,
  ) => Deno.AtomicOperation;
  /** Called with the value that was written. */
  readonly onCommit: (written: unknown) => void;
}

/** The records that `put` compares new signals with: the stored signals, and the address as a follower. */
export type HeldSignals = readonly [
  signals: Deno.KvEntryMaybe<SignalsRecord>,
  follower: Deno.KvEntryMaybe<GraphRecord>,
];

/** Options of `put`. */
export interface PutOptions {
  /** A record to write in the same transaction. */
  readonly storedWith?: StoredWith | undefined;
  /** The stored records, if they were read before the signals were fetched. */
  readonly held?: HeldSignals | undefined;
  /** Whether neither the funder nor the sweep target is a hub. Ties count only then. */
  readonly areTied?: boolean;
  /** What a node said about accounts, to be stored in the same transaction. */
  readonly hubs?: readonly (readonly [account: string, facts: HubFacts])[];
}

/** Addresses whose puts are counted. */
const MAX_PUTS = 1_000;

/** Cohorts that a process remembers, of at most 8 KiB each. */
const MAX_REMEMBERED = 256;

/** Signals in a store. */
export function signalStore(kv: Deno.Kv, read: ReadKey = sharedReads(kv)) {
  // Made by the first put: a store is opened for each tracked read.
  let puts: ReturnType<typeof boundedCache<{ count: number }>> | undefined;
  /** Cohorts. */
  let remembered: ReturnType<typeof rememberedRecords> | undefined;

  function countPuts(address: string): number {
    return puts?.get(address)?.count ?? 0;
  }

  function countPut(address: string): void {
    puts ??= boundedCache(MAX_PUTS);
    puts.set(address, { count: countPuts(address) + 1 });
  }

  async function find(address: string): Promise<StoredSignals | null> {
    const { value } = await read<SignalsRecord>(keys.signals(address));
    return value && unpack(value);
  }

  /** Returns a cohort as this process remembers it, else as one without members: the commit checks it. */
  function guessCohort(key: Deno.KvKey): Deno.KvEntryMaybe<unknown> {
    return remembered?.find([key])?.[0] ??
      { key, value: null, versionstamp: null };
  }

  return {
    /** Finds the records that `put` compares new signals with. */
    findHeld: (address: string): Promise<HeldSignals> =>
      Promise.all([
        read<SignalsRecord>(keys.signals(address)),
        read<GraphRecord>(graphKeys.graph(address)),
      ]),

    /** Returns whether enough wallets are tied to an address that hubs have to be looked up. */
    async isTieDue(
      address: string,
      signals: Pick<ChainSignals, "funding" | "sweptTo">,
    ): Promise<boolean> {
      const [key] = cohortKeys(signals);
      if (key === undefined || signals.sweptTo === null) return false;
      const { value } = await read<Cohort>(key);
      return countTies(value, address, signals) >= LEAST_TIES;
    },

    /** Finds what nodes said about accounts in the last 30 days; null where nothing is known. */
    async findHubs(
      addresses: readonly string[],
    ): Promise<(HubFacts | null)[]> {
      const found = await Promise.all(
        addresses.map((address) => read<HubFacts>(keys.hub(address))),
      );
      return found.map(({ value }) => value);
    },

    /** Finds the signals of addresses, of any age and in their order. */
    findAll(addresses: readonly string[]): Promise<(StoredSignals | null)[]> {
      return Promise.all(addresses.map(find));
    },

    /**
     * Stores the signals of an address, and adds the address to its cohort. Returns
     * the signals with `alike`, and with the days of a long history that only the
     * stored signals show. Returns null, and writes nothing, if the stored signals are
     * better; those of another upstream never are. Needs one round if the held records
     * are unchanged and the cohort is new or known to this process; otherwise two.
     */
    put(
      address: string,
      { signals, origin }: StoredSignals,
      { storedWith, held, areTied = false, hubs = [] }: PutOptions = {},
    ): Promise<ChainSignals | null> {
      const key = keys.signals(address);
      const extraKeys = storedWith ? [storedWith.key] : [];
      const extraFound = storedWith?.found ? [storedWith.found] : [];
      const joinedKeys = cohortKeys(signals);
      const known = held && extraFound.length === extraKeys.length
        ? [...held, ...extraFound, ...joinedKeys.map(guessCohort)]
        : undefined;
      return checkAndSet<SignalsRecord, ChainSignals | null>(kv, key, async (
        { value: stored },
        [follower, ...others],
      ) => {
        const [extras, cohorts] = [
          others.slice(0, extraKeys.length),
          others.slice(extraKeys.length),
        ];
        const previous = stored?.origin === origin ? stored : null;
        if (previous !== null && !supersedes(signals, previous)) {
          return { value: null };
        }
        const kept = previous === null
          ? signals
          : withKept(signals, unpack(previous).signals);
        const joined = kept.funding === signals.funding
          ? cohorts
          // The funder is known from an earlier read only.
          : await kv.getMany<unknown[]>(cohortKeys(kept));
        const { ties, join, after } = prepareCohort(
          (joined as Deno.KvEntryMaybe<Cohort>[])[0],
          address,
          kept,
        );
        const learned = prepareFollowerUpdate(
          follower as Deno.KvEntryMaybe<GraphRecord>,
          address,
          (follower) => withSignals(follower, kept),
        );
        const counted = { ...kept, alike: areTied ? ties : 0 };
        const written = extras.map((entry) => ({
          entry,
          value: storedWith!.next(entry.value, counted),
        })).filter(({ entry, value }) => value !== entry.value);
        return {
          value: counted,
          write(atomic) {
            const record = pack(counted, origin, isCut(signals));
            const expireIn = record.isCut ? CUT_EXPIRE_MS : SIGNALS_EXPIRE_MS;
            atomic.set(key, record, { expireIn });
            for (const { entry, value } of written) {
              const { expireIn } = storedWith!;
              atomic.check(entry).set(entry.key, value, { expireIn });
              storedWith!.also(atomic, value, counted);
            }
            for (const [account, facts] of hubs) {
              const expireIn = HUB_EXPIRE_MS;
              atomic.set(keys.hub(account), facts, { expireIn });
            }
            return join(learned(atomic));
          },
          onCommit(versionstamp) {
            countPut(address);
            remembered ??= rememberedRecords(MAX_REMEMBERED);
            remembered.put(after(versionstamp));
            for (const { value } of written) storedWith!.onCommit(value);
          },
        };
      }, {
        also: [graphKeys.graph(address), ...extraKeys, ...joinedKeys],
        known,
        isGuess: joinedKeys.length > 0,
      });
    },

    /** Returns how often this process stored the signals of an address, as far as it remembers. */
    countPuts,
  };
}

function pack(
  signals: ChainSignals,
  origin: string,
  isCut: boolean,
): SignalsRecord {
  const { recentTxAt, use: { days, ...use }, origin: beforeUse, ...rest } =
    signals;
  return {
    ...rest,
    version: VERSION,
    origin,
    beforeUse,
    use,
    days: packDays(days),
    recentTx: packTimestamps(recentTxAt),
    isCut,
  };
}

/** Returns the signals of a record. */
function unpack(record: SignalsRecord): StoredSignals {
  const { version, origin, beforeUse, recentTx, days, use, isCut: _, ...rest } =
    record;
  const isEarlier = version !== VERSION;
  const { count } = use;
  return {
    signals: {
      ...rest,
      alike: isEarlier ? 0 : rest.alike,
      origin: beforeUse ?? null,
      use: { count, days: (isEarlier ? unpackPaidDays : unpackDays)(days) },
      recentTxAt: unpackTimestamps(recentTx),
    },
    origin,
    ...isEarlier && { isEarlier },
  };
}

const known: Rule<SignalsRecord> = {
  name: "signals-known",
  of: keys.signals(ANY),
  invariant:
    "the follow graph has the current signals of an address, or its newer nonce",
  async holds({ key, value }, { find }) {
    const record = await find<GraphRecord>(graphKeys.graph(textAt(key, 1)));
    const { signals, isEarlier } = unpack(value);
    const held = record?.known;
    const known = withSignals(held ?? null, signals);
    // The follower still has the gas as it was paid.
    const gasAvax = isEarlier ? value.gasAvax : known.gasAvax;
    const expected = { ...known, gasAvax };
    // A nonce may have been read since.
    const isOpen = !expected.hasHistory && !held?.hasHistory;
    const hasHistory = isOpen ? held?.hasHistory ?? null : expected.hasHistory;
    return isSame(held, { ...expected, hasHistory });
  },
};

const hub: Rule<HubFacts> = {
  name: "hub",
  of: keys.hub(ANY),
  invariant:
    "of an account that may be a hub, the number of transactions that it sent is known, and whether it is a contract",
  holds: ({ value: { nonce, isContract } }) =>
    Number.isSafeInteger(nonce) && nonce >= 0 &&
    typeof isContract === "boolean",
};

/** The collections and the rules. */
export const SIGNAL_RECORDS: StoredRecords = {
  collections: {
    hubs: { expireMs: HUB_EXPIRE_MS, isIndependent: true },
    signals: {
      expireMs: SIGNALS_EXPIRE_MS,
      expireMsOf: (_: Deno.KvKey, { isCut }: SignalsRecord) =>
        isCut ? CUT_EXPIRE_MS : undefined,
      isIndependent: true,
    },
  },
  rules: [known, hub],
};

/** nAVAX of a unit of gas in the fee era of most records that hold gas as nAVAX. */
const NAVAX_PER_UNIT = 25;

/** Packs days, newest first: differences of days, units of gas, and transactions. */
export function packDays(days: readonly ActiveDay[]): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  let last = days[0]?.day ?? 0;
  putVarint(bytes, last);
  for (const { day, gasUnits, varied } of days) {
    putVarint(bytes, last - day);
    putVarint(bytes, gasUnits);
    putVarint(bytes, varied);
    last = day;
  }
  return Uint8Array.from(bytes);
}

/** Returns the packed days. */
export function unpackDays(bytes: Uint8Array): ActiveDay[] {
  const numbers = readVarints(bytes);
  let day = numbers[0] ?? 0;
  const days: ActiveDay[] = [];
  for (let at = 1; at + 2 < numbers.length; at += 3) {
    day -= numbers[at]!;
    days.push({ day, gasUnits: numbers[at + 1]!, varied: numbers[at + 2]! });
  }
  return days;
}

/**
 * Returns packed days that hold gas in nAVAX, with an estimate of the units: never
 * less than transfers cost, and never more than were used since gas became cheaper.
 */
export function unpackPaidDays(bytes: Uint8Array): ActiveDay[] {
  return unpackDays(bytes).map(({ day, gasUnits: nAvax, varied }) => ({
    day,
    gasUnits: Math.max(
      TABLES.gas.transfer * varied,
      Math.round(nAvax / NAVAX_PER_UNIT),
    ),
    varied,
  }));
}
