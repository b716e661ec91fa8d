/** What wallets and keys have spent; requests that wait together share a transaction. */
import { DAY_MS } from "../domain/days.ts";
import type { Burst, Charge, Decision, Usage } from "../domain/quota.ts";
import { decide, giveBack, type Period } from "../domain/quota.ts";
import { EMPTY_BURST, EMPTY_PERIOD } from "../domain/quota.ts";
import { isLostRace } from "./commit.ts";
import * as keys from "./keys.ts";

/** Records of one transaction, and of one read: as many as Deno KV takes. */
const MOST_RECORDS = 100;
const MOST_READ = 10;

/** Attempts after which a group is given up, 2 to 3 s after the first. */
const MOST_ATTEMPTS = 60;

/** Records remembered after a commit, 4 kB each at most. */
const MOST_REMEMBERED = 5_000;

/** A record goes when all in it has left its window, with time to spare. */
const EXPIRE_MS = 32 * DAY_MS;

/** Who spends. */
export interface Payer {
  readonly wallet: string;
  readonly keyId: string;
}

const CONTENDED = {
  allowed: false,
  which: "contended",
  retryAfterMs: 1_000,
} as const;

/** The records were too contended to decide: nothing was spent. */
export type Contended = typeof CONTENDED;

/** A change of a payer's records that waits for its transaction. */
interface Change {
  readonly period: Deno.KvKey;
  readonly burst: Deno.KvKey;
  /** Decides on what is held, again after a conflict; the same object changes nothing. */
  readonly decide: (held: Usage) => Usage;
  /** Hears that what was decided last holds, or that nothing came of it. */
  readonly settle: (committed: boolean) => void;
  readonly fail: (error: unknown) => void;
}

type Entry = Deno.KvEntryMaybe<unknown>;

/** The entries that this process wrote last, by key: guesses, which the checks prove. */
type Memory = Map<string, Entry>;

/** A record in a transaction. */
interface Slot {
  readonly entry: Entry;
  /** From memory: another process may have changed it since. */
  readonly isRecalled: boolean;
  /** What becomes of it. */
  value: unknown;
}

/** Usage in a store. */
export function usageStore(kv: Deno.Kv) {
  const waiting: Change[] = [];
  const memory: Memory = new Map();
  let isWorking = false;

  async function work(): Promise<void> {
    isWorking = true;
    await null; // Whoever else asks in this turn goes along.
    while (waiting.length > 0) {
      const group = takeGroup(waiting);
      try {
        const committed = await commitGroup(kv, group, memory);
        for (const { settle } of group) settle(committed);
      } catch (error) {
        for (const { fail } of group) fail(error);
      }
    }
    isWorking = false;
  }

  function enqueue<T>(
    { wallet, keyId }: Payer,
    decide: Change["decide"],
    outcome: (committed: boolean) => T,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      waiting.push({
        period: keys.period(wallet),
        burst: keys.burst(keyId),
        decide,
        settle: (committed) => resolve(outcome(committed)),
        fail: reject,
      });
      if (!isWorking) work();
    });
  }

  return {
    /** Spends what a request costs, or refuses it and writes nothing. */
    spend(
      payer: Payer,
      charge: Charge,
      now: number,
    ): Promise<Decision | Contended> {
      let decision: Decision;
      return enqueue(
        payer,
        (held) => (decision = decide(held, charge, now)).usage,
        (committed) => committed ? decision : CONTENDED,
      );
    },

    /** Gives a wallet back what a request cost; false where that was too contended. */
    giveBack(
      payer: Payer,
      charge: Pick<Charge, "endpoint" | "units">,
      spentAt: number,
    ): Promise<boolean> {
      const decide = ({ period, burst }: Usage) => {
        return { period: giveBack(period, charge, spentAt), burst };
      };
      return enqueue(payer, decide, (committed) => committed);
    },

    /** Reads what a wallet has spent and, where one is named, how a key was used. */
    async read(wallet: string, keyId = ""): Promise<Usage> {
      const both = [keys.period(wallet), keys.burst(keyId)] as const;
      return usageOf(...await kv.getMany<[Period, Burst]>(both));
    },
  };
}

/** Takes as many changes as one transaction holds, in the order they came. */
function takeGroup(waiting: Change[]): Change[] {
  const ids = new Set<string>();
  const end = waiting.findIndex(({ period, burst }) =>
    ids.add(idOf(period)).add(idOf(burst)).size > MOST_RECORDS
  );
  return waiting.splice(0, end < 0 ? waiting.length : end);
}

/** Decides and commits until no other process was faster; false past the bound. */
async function commitGroup(
  kv: Deno.Kv,
  group: readonly Change[],
  memory: Memory,
): Promise<boolean> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const slots = await openSlots(kv, group, memory);
    const doubtful = decideGroup(group, slots);
    for (const id of doubtful) memory.delete(id);
    if (doubtful.size > 0) continue;
    if (await commitSlots(kv, slots, memory)) return true;
    for (const id of slots.keys()) memory.delete(id);
    const pauseMs = Math.random() * Math.min(2 ** attempt, 100);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return false;
}

/** Finds every record of a group, in memory or else in the store. */
async function openSlots(
  kv: Deno.Kv,
  group: readonly Change[],
  memory: Memory,
): Promise<Map<string, Slot>> {
  const slots = new Map<string, Slot>();
  const absent = new Map<string, Deno.KvKey>();
  for (const key of group.flatMap(({ period, burst }) => [period, burst])) {
    const id = idOf(key);
    const entry = memory.get(id);
    if (entry === undefined) absent.set(id, key);
    else slots.set(id, { entry, isRecalled: true, value: entry.value });
  }
  const reads: Promise<Entry[]>[] = [];
  const unread = [...absent.values()];
  while (unread.length > 0) reads.push(kv.getMany(unread.splice(0, MOST_READ)));
  for (const entry of (await Promise.all(reads)).flat()) {
    const { key, value } = entry;
    slots.set(idOf(key), { entry, isRecalled: false, value });
  }
  return slots;
}

/** Decides one by one; returns what has to be read before somebody is refused. */
function decideGroup(
  group: readonly Change[],
  slots: ReadonlyMap<string, Slot>,
): Set<string> {
  const doubtful = new Set<string>();
  for (const { period: periodKey, burst: burstKey, decide } of group) {
    const period = slots.get(idOf(periodKey))!;
    const burst = slots.get(idOf(burstKey))!;
    const held = usageOf(period, burst);
    const usage = decide(held);
    if (usage.period !== held.period) period.value = usage.period;
    if (usage.burst !== held.burst) burst.value = usage.burst;
    if (usage !== held) continue;
    for (const { entry, isRecalled } of [period, burst]) {
      if (isRecalled) doubtful.add(idOf(entry.key));
    }
  }
  return doubtful;
}

/** Writes what was changed, if nobody else did meanwhile; false where somebody did. */
async function commitSlots(
  kv: Deno.Kv,
  slots: ReadonlyMap<string, Slot>,
  memory: Memory,
): Promise<boolean> {
  const changed = [...slots].filter(([, { entry, value }]) =>
    value !== entry.value
  );
  if (changed.length === 0) return true;
  const atomic = kv.atomic();
  for (const [, { entry, value }] of changed) {
    atomic.check(entry).set(entry.key, value, { expireIn: EXPIRE_MS });
  }
  const result = await atomic.commit().catch(lostRace);
  if (!result.ok) return false;
  for (const [id, { entry: { key }, value }] of changed) {
    memory.delete(id);
    memory.set(id, { key, value, versionstamp: result.versionstamp });
  }
  for (const id of memory.keys()) {
    if (memory.size <= MOST_REMEMBERED) break;
    memory.delete(id);
  }
  return true;
}

function lostRace(error: unknown): Deno.KvCommitError {
  if (isLostRace(error)) return { ok: false };
  throw error;
}

function usageOf(period: { value: unknown }, burst: { value: unknown }): Usage {
  return {
    period: (period.value ?? EMPTY_PERIOD) as Period,
    burst: (burst.value ?? EMPTY_BURST) as Burst,
  };
}

const idOf = (key: Deno.KvKey) => key.join("/");
