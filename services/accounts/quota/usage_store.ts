/**
 * Usage of wallets and their keys: one record per wallet, written in batches. Its stored
 * form is two arrays: it is written with every request, and these take half the time and
 * memory of the objects. They are plain arrays: a typed array has a buffer outside the
 * heap, which takes longer to make than the numbers to write.
 */
import {
  BURSTS,
  METERED_NAMES,
  PLAN_NAMES,
  PLANS,
} from "../../payments/plans_schema.ts";
import {
  type Counter,
  decrement,
  EMPTY_COUNTER,
  total,
} from "./rolling_window.ts";
import {
  type Burst,
  type Charge,
  decide,
  type KeyIds,
  NO_USAGE,
  type Period,
  type QuotaDecision,
  refund,
  type Usage,
  usageOf,
  type WalletUsage,
  withUsage,
} from "./quota.ts";
import { DAY_MS, dayAt } from "../../platform/days.ts";
import {
  checkAndSet,
  CommitOutcomeUnknown,
  type CommitTrace,
  isCommitted,
  type Marked,
  settledMarks,
} from "../../platform/kv/commit.ts";
import { batchedWrites } from "../../platform/kv/batched_writes.ts";
import type { LedgerEntry } from "../../payments/billing.ts";
import { ledgerKey } from "../../payments/payments_store.ts";
import { maxOf } from "../../platform/numbers.ts";
import {
  ANY,
  type Records,
  type Rule,
  type StoredRecords,
  textAt,
} from "../../platform/kv/store_rule.ts";
import {
  type ReadKey,
  sharedReads,
  type Version,
} from "../../platform/kv/reads.ts";

/** Bytes of a record without ids, counts and logs, and those of the name `counted`. */
const BASE_BYTES = 70;
const COUNTED_BYTES = 11;

/** Bytes of a number below each limit: one for the type, and one for every seven bits. */
const NUMBER_BYTES: readonly (readonly [below: number, bytes: number])[] = [
  [2 ** 6, 2],
  [2 ** 13, 3],
  [2 ** 20, 4],
  [2 ** 27, 5],
  [2 ** 31, 6],
  [Infinity, 9],
];

/** Larger than any number of a day, and smaller than any time in epoch ms. */
const MAX_DAY = 1e9;

/** Usage of a wallet and its keys, packed into arrays. */
export interface UsageRecord extends Marked {
  /** Ids of the keys with logs, comma-separated. */
  readonly keys: string;
  /** Ids of the keys with counters, comma-separated; absent if they are `keys`. */
  readonly counted?: string;
  /**
   * The counter of hours, then one counter of days per endpoint and per counted key:
   * first slot, length, units. Then, per key, the lengths of its two logs.
   */
  readonly counts: readonly number[];
  /**
   * The logs of each key: single requests, then batches. A log that is not empty
   * contains the day of its first request, the milliseconds from the start of that day
   * to the request, and the milliseconds from each request to the next. These are small
   * numbers. If the times are weeks apart, the log contains all of them in full.
   */
  readonly log: readonly number[];
}

/** Packs the usage of a wallet. */
export function pack(
  { period, bursts, keys }: WalletUsage,
  marks: readonly number[],
): UsageRecord {
  const { hours, days } = period;
  const counters = [
    hours,
    ...METERED_NAMES.map((name) => days[name] ?? EMPTY_COUNTER),
    ...Object.values(keys),
  ];
  const logs = Object.values(bursts);
  // `| 0` keeps the numbers small integers: a single other number makes each take 9 bytes.
  const counts: number[] = [];
  const log: number[] = [];
  for (const { since, units } of counters) {
    counts.push(since | 0, units.length);
    for (const unit of units) counts.push(unit | 0);
  }
  for (const { single, batch } of logs) {
    counts.push(single.length, batch.length);
    for (const times of [single, batch]) {
      for (const packed of packTimes(times)) log.push(packed);
    }
  }
  const ids = Object.keys(bursts).join();
  const counted = Object.keys(keys).join();
  return {
    keys: ids,
    ...counted === ids ? {} : { counted },
    counts,
    log,
    marks,
  };
}

/** Unpacks a record. */
export function unpack(record: UsageRecord | null): WalletUsage {
  if (record === null) return NO_USAGE;
  const { keys, counted, counts, log } = record;
  let at = 0;
  function counter(): Counter {
    const [since, length] = [counts[at]!, counts[at + 1]!];
    const units = counts.slice(at + 2, at + 2 + length);
    at += 2 + length;
    return { since, units };
  }
  const hours = counter();
  const days: { -readonly [Name in keyof Period["days"]]: Counter } = {};
  for (const name of METERED_NAMES) {
    const units = counter();
    if (units.units.length > 0) days[name] = units;
  }
  const byKey: Record<string, Counter> = {};
  for (const id of namesIn(counted ?? keys)) byKey[id] = counter();
  const bursts: Record<string, Burst> = {};
  let end = 0;
  function logOf(): number[] {
    const length = counts[at++]!;
    if (length === 0) return [];
    // All times in full: they are weeks apart.
    if (log[end]! > MAX_DAY) return log.slice(end, end += length);
    let time = log[end++]! * DAY_MS;
    return log.slice(end, end += length).map((step) => time += step);
  }
  for (const id of namesIn(keys)) {
    bursts[id] = { single: logOf(), batch: logOf() };
  }
  return { period: { hours, days }, bursts, keys: byKey };
}

/** Returns how many bytes a stored record takes, or a few more. */
export function sizeOf({ keys, counted, counts, log }: UsageRecord): number {
  const countedBytes = counted ? COUNTED_BYTES + counted.length : 0;
  return BASE_BYTES + keys.length + countedBytes + bytesOf(counts) +
    bytesOf(log);
}

/** Packs times into a day and steps; times that are weeks apart stay as they are. */
function packTimes(times: readonly number[]): readonly number[] {
  if (times.length === 0) return times;
  const day = dayAt(times[0]!);
  const packed = [day | 0];
  let before = day * DAY_MS;
  for (const time of times) {
    const step = time - before;
    if (step !== (step | 0)) return times;
    packed.push(step | 0);
    before = time;
  }
  return packed;
}

function bytesOf(counts: readonly number[]): number {
  let bytes = 0;
  for (const count of counts) {
    bytes += NUMBER_BYTES.find(([below]) => Math.abs(count) < below)![1];
  }
  return bytes;
}

const namesIn = (list: string) => list === "" ? [] : list.split(",");

/** Keys. */
const keys = {
  /** The usage of a wallet and its keys. */
  usage: (wallet: string) => ["usage", wallet],
  /** What depends on whether a commit was made. */
  unsettled: (wallet: string, id: string) => ["unsettled_units", wallet, id],
  /** The same of all wallets. */
  allUnsettled: () => ["unsettled_units"],
};

/** Units count for 30 days; a record of the oldest hour is kept a little longer. */
const KEPT_MS = 32 * DAY_MS;

/** Units wait minutes for the job that settles them, and days if it fails. */
const UNSETTLED_MS = 7 * DAY_MS;

const HOURS_A_DAY = 24;

/** The wallet and key that a call is charged to. */
export interface Payer extends KeyIds {
  readonly wallet: string;
}

/** A request that spends units. */
interface Spending {
  readonly payer: Payer;
  readonly charge: Charge;
  /** Epoch ms. */
  readonly now: number;
}

const CONTENDED = { allowed: false, which: "contended" } as const;

/** Too many concurrent writes: nothing was spent. */
type Contended = typeof CONTENDED;

/** Usage in a store. */
export function usageStore(
  kv: Deno.Kv,
  read: ReadKey = sharedReads(kv),
  { isHosted } = { isHosted: false },
) {
  const change = batchedWrites<UsageRecord, WalletUsage>(kv, read, {
    expireIn: KEPT_MS,
    isHosted,
    decode: unpack,
    encode: pack,
    sizeOf,
  });

  const pending = pendingRefunds();
  /** What is not stored yet, one for each record of a commit. */
  const unstored = new Set<Unsettled>();

  /**
   * Changes the record of a wallet: makes its pending refunds and further ones, and
   * counts a request if its charge is admitted. Returns that decision, and null if a
   * precondition no longer holds. Refunds that were not written stay pending. Where the
   * outcome is unknown, a job settles it: the request gets no answer, so its charge is
   * refunded if it was counted.
   */
  async function changeUsage(
    wallet: string,
    { preconditions = [], spending = null, refunded = [] }: {
      readonly preconditions?: readonly Version[];
      readonly spending?: Spending | null;
      readonly refunded?: readonly PendingRefund[];
    },
  ): Promise<QuotaDecision | Contended | null> {
    const refunds = [...pending.take(wallet), ...refunded];
    if (unstored.size > 0) void storeUnsettled();
    let decision = null as QuotaDecision | null;
    try {
      const outcome = await change({
        key: keys.usage(wallet),
        preconditions,
        decide(stored) {
          const held = withRefunds(stored, refunds);
          if (spending === null) return held;
          const { payer, charge, now } = spending;
          const usage = usageOf(held, payer);
          decision = decide(usage, charge, now);
          return decision.usage === usage
            ? held
            : withUsage(held, payer, decision.usage);
        },
      });
      if (outcome === "committed") return decision;
      pending.add(wallet, refunds);
      return outcome === "outdated" ? null : CONTENDED;
    } catch (error) {
      if (!(error instanceof CommitOutcomeUnknown)) {
        pending.add(wallet, refunds);
        throw error;
      }
      const ifMade = spending !== null && decision?.allowed
        ? [{
          charge: spending.charge,
          originId: spending.payer.originId,
          spentAt: spending.now,
        }]
        : [];
      note(wallet, error.trace, { ifMade, ifNot: refunds });
      throw error;
    }
  }

  /** Notes what depends on the outcome of a commit. The changes of one commit share its mark. */
  function note(
    wallet: string,
    trace: CommitTrace | null,
    { ifMade, ifNot }: Record<"ifMade" | "ifNot", readonly PendingRefund[]>,
  ): void {
    if (trace === null || ifMade.length + ifNot.length === 0) return;
    const shared = unstored.values().find((each) =>
      each.wallet === wallet && each.mark === trace.mark
    );
    if (shared !== undefined) {
      for (const refund of ifMade) shared.ifMade.push(refund);
      for (const refund of ifNot) shared.ifNot.push(refund);
    } else if (unstored.size < MAX_REQUESTS) {
      const id = crypto.randomUUID();
      unstored.add({
        id,
        wallet,
        ...trace,
        ifMade: [...ifMade],
        ifNot: [...ifNot],
      });
      void storeUnsettled();
    }
  }

  /** Stores what the job settles. What cannot be stored now waits for the next time. */
  async function storeUnsettled(): Promise<void> {
    // After the other changes of the commit.
    await new Promise((resolve) => setImmediate(resolve));
    for (const unsettled of unstored) {
      const key = keys.unsettled(unsettled.wallet, unsettled.id);
      try {
        await checkAndSet(kv, key, ({ versionstamp }) => ({
          value: undefined,
          // Else it is stored, and perhaps settled since: the answer was lost.
          ...versionstamp === null && {
            write: (atomic) =>
              atomic.set(key, unsettled, { expireIn: UNSETTLED_MS }),
          },
        }));
        unstored.delete(unsettled);
      } catch {
        return;
      }
    }
  }

  /**
   * Refunds what a commit charged for no answer if it was made, or what it did not
   * refund if it was not, and notes that in the same transaction, so that several
   * processes settle it once. The write also prevents a commit that is still under way:
   * the version that it checks has changed.
   */
  function settle(key: Deno.KvKey, wallet: string): Promise<boolean> {
    return checkAndSet<UsageRecord, boolean>(
      kv,
      keys.usage(wallet),
      ({ value, key: usageKey }, [found]) => {
        const unsettled = found!.value as Unsettled | typeof SETTLED | null;
        if (unsettled === null || unsettled === SETTLED) {
          return { value: false };
        }
        const { ifMade, ifNot, mark } = unsettled;
        const refunds = isCommitted(value, unsettled) ? ifMade : ifNot;
        const next = pack(
          withRefunds(unpack(value), refunds),
          settledMarks(value?.marks ?? [], mark),
        );
        return {
          value: true,
          write: (atomic) =>
            atomic.set(key, SETTLED, { expireIn: UNSETTLED_MS })
              .set(usageKey, next, { expireIn: KEPT_MS }),
        };
      },
      { also: [key] },
    );
  }

  async function* listUnsettled() {
    const prefix = keys.allUnsettled();
    for await (const { key, value } of kv.list({ prefix })) {
      if (value !== SETTLED) yield key;
    }
  }

  async function readWallet(wallet: string): Promise<WalletUsage> {
    const { value } = await read<UsageRecord>(keys.usage(wallet));
    return withRefunds(unpack(value), pending.list(wallet));
  }

  return {
    /** Spends the charge of a request, or refuses it and writes nothing. */
    async spend(
      payer: Payer,
      charge: Charge,
      now: number,
    ): Promise<QuotaDecision | Contended> {
      const spending = { payer, charge, now };
      return (await changeUsage(payer.wallet, { spending }))!;
    },

    /**
     * Spends only if the records in `preconditions` are unchanged at the commit.
     * Returns null, and spends nothing, if one has changed.
     */
    spendIf: (
      preconditions: readonly Version[],
      payer: Payer,
      cost: Pick<Spending, "charge" | "now">,
    ): Promise<QuotaDecision | Contended | null> =>
      changeUsage(payer.wallet, {
        preconditions,
        spending: { ...cost, payer },
      }),

    /**
     * Refunds the charge of a failed request. If it cannot be written now, it is
     * written with the next change of the wallet's record by this process.
     */
    async refund(
      { wallet, originId }: Pick<Payer, "originId" | "wallet">,
      charge: Pick<Charge, "endpoint" | "units">,
      spentAt: number,
    ): Promise<void> {
      const refunded = [{ charge, originId, spentAt }];
      await changeUsage(wallet, { refunded }).catch(() => {});
    },

    /**
     * Settles the units of commits whose outcome was unknown, those of other processes
     * too. Returns how many.
     */
    async settle(): Promise<number> {
      let settled = 0;
      for await (const key of listUnsettled()) {
        if (await settle(key, String(key[1]))) settled++;
      }
      return settled;
    },

    /** Returns whether units wait to be settled. Stores those of this process before. */
    async isUnsettled(): Promise<boolean> {
      await storeUnsettled();
      for await (const _ of listUnsettled()) return true;
      return false;
    },

    /** Stores which units of this process wait to be settled, before it stops. */
    storeUnsettled,

    /** Reads the usage of a wallet and of one of its keys. */
    async read(payer: Payer): Promise<Usage> {
      return usageOf(await readWallet(payer.wallet), payer);
    },

    /** Reads the usage of a wallet and of all its keys. */
    readWallet,
  };
}

/** Stands for units that are settled: their process may not know that it has stored them. */
const SETTLED = "settled";

/** A commit to a wallet's record whose outcome is unknown. */
interface Unsettled extends CommitTrace {
  readonly id: string;
  readonly wallet: string;
  /** What is refunded if it was made: the charge of a request that got no answer. */
  readonly ifMade: PendingRefund[];
  /** What is refunded if it was not: its refunds. */
  readonly ifNot: PendingRefund[];
}

/** The charge of a failed request. */
interface PendingRefund {
  readonly charge: Pick<Charge, "endpoint" | "units">;
  /** Id of the first key in the key's chain of rotations. */
  readonly originId: string;
  /** Epoch ms. */
  readonly spentAt: number;
}

/** Wallets with pending refunds, and refunds of each wallet. More are dropped. */
const MAX_WALLETS = 10_000;
const MAX_REQUESTS = 1_000;

const NONE: readonly PendingRefund[] = [];

/** Holds the pending refunds of this process. */
export function pendingRefunds() {
  const pending = new Map<string, readonly PendingRefund[]>();
  return {
    /** Lists the pending refunds of a wallet. */
    list: (wallet: string) => pending.get(wallet) ?? NONE,

    /** Takes the pending refunds of a wallet: the caller must write them or add them again. */
    take(wallet: string): readonly PendingRefund[] {
      const refunds = pending.get(wallet) ?? NONE;
      pending.delete(wallet);
      return refunds;
    },

    /** Adds refunds to those of a wallet. */
    add(wallet: string, refunds: readonly PendingRefund[]): void {
      if (refunds.length === 0) return;
      if (pending.size >= MAX_WALLETS && !pending.has(wallet)) return;
      const all = [...pending.get(wallet) ?? NONE, ...refunds];
      pending.set(wallet, all.slice(-MAX_REQUESTS));
    },
  };
}

/** Applies refunds to the usage of a wallet; returns the same object if there are none. */
export function withRefunds(
  usage: WalletUsage,
  refunds: readonly PendingRefund[],
): WalletUsage {
  if (refunds.length === 0) return usage;
  let { period, keys } = usage;
  for (const { charge, originId, spentAt } of refunds) {
    period = refund(period, charge, spentAt);
    const days = keys[originId];
    if (days === undefined) continue;
    const left = decrement(days, dayAt(spentAt), charge.units);
    keys = { ...keys, [originId]: left };
  }
  return { ...usage, period, keys };
}

const usageSums: Rule<UsageRecord> = {
  name: "usage-sums",
  of: keys.usage(ANY),
  invariant: "for each whole day, hours and endpoints add up to the same units",
  holds: ({ value }) => {
    const { hours, days } = unpack(value).period;
    const lastHour = hours.since + hours.units.length - 1;
    // Hours of the first day may have been dropped.
    const first = Math.floor(hours.since / HOURS_A_DAY) + 1;
    const last = Math.floor(lastHour / HOURS_A_DAY);
    for (let day = first; day <= last; day++) {
      const byHour = total(hours, day * HOURS_A_DAY) -
        total(hours, (day + 1) * HOURS_A_DAY);
      if (byHour !== unitsOfDay(days, day)) return false;
    }
    return true;
  },
};

const usageLimit: Rule<UsageRecord> = {
  name: "usage-limit",
  of: keys.usage(ANY),
  invariant: "a wallet spent no more in 30 days than the largest plan it had",
  async holds({ key, value }, records) {
    const { hours } = unpack(value).period;
    return total(hours, 0) <= await maxUnits(records, textAt(key, 1));
  },
};

const usageBurst: Rule<UsageRecord> = {
  name: "usage-burst",
  of: keys.usage(ANY),
  invariant:
    "the requests of a key are in order, and no more than its burst allows",
  holds: ({ value }) =>
    Object.values(unpack(value).bursts).every(({ single, batch }) =>
      isLog(single, BURSTS.single.requests) &&
      isLog(batch, BURSTS.batch.requests)
    ),
};

const usageKeys: Rule<UsageRecord> = {
  name: "usage-keys",
  of: keys.usage(ANY),
  invariant: "the keys of a wallet spent no more than the wallet",
  holds: ({ value }) => {
    const { period: { days }, keys: counted } = unpack(value);
    // A counter of an endpoint drops its first days before that of a key does.
    const since = maxOf(Object.values(days).map(({ since }) => since));
    const sum = (counters: readonly Counter[]) =>
      counters.reduce((units, counter) => units + total(counter, since), 0);
    return sum(Object.values(counted)) <= sum(Object.values(days));
  },
};

/** The collection and the rules. */
export const USAGE_RECORDS: StoredRecords = {
  collections: {
    usage: { expireMs: KEPT_MS, isIndependent: true },
    // About the marks of records that a copy may have from another moment.
    unsettled_units: {
      expireMs: UNSETTLED_MS,
      isLeftOut: true,
      isUnchecked: true,
    },
  },
  rules: [usageSums, usageLimit, usageBurst, usageKeys],
};

function unitsOfDay(days: Period["days"], day: number): number {
  return METERED_NAMES.reduce((sum, name) => sum + unitsAt(days[name], day), 0);
}

function unitsAt(counter: Counter | undefined, slot: number): number {
  return counter?.units[slot - counter.since] ?? 0;
}

/** Returns the units of the largest plan that a wallet has had. */
async function maxUnits(
  { list }: Records,
  wallet: string,
): Promise<number> {
  const had: string[] = ["free"];
  for await (
    const { value } of list<LedgerEntry>(ledgerKey(wallet))
  ) {
    if (value.kind === "grant") had.push(value.plan);
    if (value.kind === "payment") had.push(value.order?.product ?? "");
  }
  const plans = PLAN_NAMES.filter((name) => had.includes(name));
  return maxOf(plans.map((name) => PLANS[name].requests));
}

function isLog(log: ArrayLike<number>, most: number): boolean {
  return log.length <= most &&
    Array.from(log).every((at, nth, all) => nth === 0 || at >= all[nth - 1]!);
}
