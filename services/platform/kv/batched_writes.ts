/** Changes of records that many requests make at once: those that wait together share a transaction. */
import { commitWithRecovery, type Writing } from "./commit_recovery.ts";
import type { ReadKey, Version } from "./shared_reads.ts";

/** Transactions under way at once: one is written while the callers of the other are answered. */
const MOST_LANES = 2;

/** Changes not worth two transactions: one costs what it takes to write a dozen records. */
const FEW_CHANGES = 12;

/** Records of one transaction: as many as Deno KV checks. */
const MOST_RECORDS = 100;

/** Attempts after which a group is given up, 2 to 3 s after the first. */
const MOST_ATTEMPTS = 60;

/** Entries remembered after a commit. */
const MOST_REMEMBERED = 5_000;

/**
 * What became of a change: it holds; or nothing came of it, for too many others
 * wrote its record, or because what it was given has changed.
 */
export type Outcome = "committed" | "contended" | "outdated";

/** A change of a record. */
export interface Change<T> {
  /** Its parts hold no slash. */
  readonly key: readonly string[];
  /** Other records that it is to hold with only as they are here. */
  readonly preconditions: readonly Version[];
  /** Decides on what is held, again after a conflict; what it was given changes nothing. */
  readonly decide: (held: T) => T;
}

/** How values of a collection are kept. */
export interface Collection<Stored, T> {
  readonly expireIn: number;
  /** Reads a stored value; null where there is none. */
  readonly decode: (stored: Stored | null) => T;
  readonly encode: (value: T) => Stored;
  /** Returns what tells a stored value from all others, of the same content too. */
  readonly markOf: (stored: Stored) => unknown;
}

/** A change that waits for its transaction. */
interface Waiting<T> extends Change<T> {
  readonly id: string;
  readonly settle: (outcome: Outcome) => void;
  readonly fail: (error: unknown) => void;
}

/** A record as it was read or written last. */
interface Held<T> {
  readonly version: Deno.AtomicCheck;
  readonly held: T;
}

/** A record in a transaction. */
interface Slot<T> extends Held<T> {
  /** From memory: another process may have changed it since. */
  readonly isRecalled: boolean;
  /** What becomes of it. */
  value: T;
}

/** Tells those of a group what became of their changes. */
type Tell = () => void;

type Slots<T> = ReadonlyMap<string, Slot<T>>;

/**
 * Changes records of one collection. While transactions are under way, changes
 * wait and go together in a next one, each decided by itself, those of a record
 * in the order they came. What this process wrote last it need not read: that is
 * a guess, which the checks of the commit prove.
 */
export function batchedWrites<Stored, T>(
  kv: Deno.Kv,
  read: ReadKey,
  { expireIn, decode, encode, markOf }: Collection<Stored, T>,
) {
  const waiting: Waiting<T>[] = [];
  const memory = new Map<string, Held<T>>();
  /** Records that a transaction under way may write. */
  const busy = new Set<string>();
  let lanes = 0;
  let underWay = 0;

  /** Commits group after group, until nothing waits that it may take. */
  async function work(): Promise<void> {
    lanes++;
    // Whoever else has asked by the end of this turn goes along.
    await new Promise((resolve) => setImmediate(resolve));
    let tell: Tell = () => {};
    let group = takeGroup(waiting, busy, half());
    while (group.length > 0) {
      underWay += group.length;
      for (const { id } of group) busy.add(id);
      const committing = commitGroup(group);
      // What they do next takes place while the database is at work.
      tell();
      tell = await committing;
      for (const { id } of group) busy.delete(id);
      const next = takeGroup(waiting, busy, half());
      underWay -= group.length;
      group = next;
    }
    lanes--;
    tell();
  }

  /** Half of all, so that the other half is answered meanwhile and asks again. */
  function half(): number {
    return Math.max(FEW_CHANGES, Math.ceil((waiting.length + underWay) / 2));
  }

  /** Decides and commits until no other process was faster; returns what tells the group. */
  async function commitGroup(group: readonly Waiting<T>[]): Promise<Tell> {
    let left = group;
    try {
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
        const { slots, absent } = openSlots(left);
        if (absent.size > 0) await readSlots(slots, absent);
        const doubtful = decideGroup(left, slots);
        for (const id of doubtful) memory.delete(id);
        if (doubtful.length > 0) continue;
        if (await commitSlots(slots, left)) return settling(left, "committed");
        for (const id of slots.keys()) memory.delete(id);
        const pauseMs = Math.random() * Math.min(2 ** attempt, 100);
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
        left = await dropOutdated(read, left);
      }
      return settling(left, "contended");
    } catch (error) {
      return () => left.forEach(({ fail }) => fail(error));
    }
  }

  /** Finds the records of a group in memory, and which have to be read. */
  function openSlots(group: readonly Waiting<T>[]) {
    const slots = new Map<string, Slot<T>>();
    const absent = new Map<string, readonly string[]>();
    for (const { id, key } of group) {
      if (slots.has(id)) continue;
      const found = memory.get(id);
      if (found === undefined) absent.set(id, key);
      else slots.set(id, { ...found, isRecalled: true, value: found.held });
    }
    return { slots, absent };
  }

  async function readSlots(
    slots: Map<string, Slot<T>>,
    absent: ReadonlyMap<string, readonly string[]>,
  ): Promise<void> {
    await Promise.all(Array.from(absent, async ([id, key]) => {
      const { value: stored, ...entry } = await read<Stored>(key);
      const held = decode(stored);
      slots.set(id, { version: entry, held, isRecalled: false, value: held });
    }));
  }

  /** Writes what was changed, if nobody else changed it or what was given; false where somebody did. */
  async function commitSlots(
    slots: Slots<T>,
    group: readonly Waiting<T>[],
  ): Promise<boolean> {
    const changed: (Writing<Stored> & { id: string; held: T })[] = [];
    const atomic = kv.atomic().check(...versionsIn(group));
    for (const [id, { version, held, value }] of slots) {
      if (value === held) continue;
      const stored = encode(value);
      atomic.check(version).set(version.key, stored, { expireIn });
      changed.push({ id, version, stored, held: value });
    }
    if (changed.length === 0) return true;
    const versionstamp = await commitWithRecovery(kv, atomic, changed, markOf);
    if (versionstamp === null) return false;
    for (const { id, version: { key }, held } of changed) {
      memory.delete(id);
      memory.set(id, { version: { key, versionstamp }, held });
    }
    for (const id of memory.keys()) {
      if (memory.size <= MOST_REMEMBERED) break;
      memory.delete(id);
    }
    return true;
  }

  /** Makes a change, and says what became of it. */
  return ({ key, preconditions, decide }: Change<T>): Promise<Outcome> =>
    new Promise((settle, fail) => {
      const id = key.join("/");
      waiting.push({ id, key, preconditions, decide, settle, fail });
      if (lanes < MOST_LANES && !busy.has(id)) work();
    });
}

function settling<T>(
  group: readonly Waiting<T>[],
  outcome: Outcome,
): Tell {
  return () => group.forEach(({ settle }) => settle(outcome));
}

/**
 * Takes changes for one transaction, in the order they came: as many as it holds,
 * and of no record that another one may write.
 */
function takeGroup<T>(
  waiting: Waiting<T>[],
  busy: ReadonlySet<string>,
  most: number,
): Waiting<T>[] {
  const group: Waiting<T>[] = [];
  const left: Waiting<T>[] = [];
  const records = new Set<string>();
  let isFull = false;
  for (const change of waiting) {
    if (isFull || busy.has(change.id)) {
      left.push(change);
      continue;
    }
    records.add(change.id);
    for (const { id } of change.preconditions) records.add(id);
    isFull = group.length === most ||
      group.length > 0 && records.size > MOST_RECORDS;
    (isFull ? left : group).push(change);
  }
  waiting.splice(0, waiting.length, ...left);
  return group;
}

/** Decides one by one; returns what has to be read before somebody is refused. */
function decideGroup<T>(
  group: readonly Waiting<T>[],
  slots: Slots<T>,
): string[] {
  const doubtful: string[] = [];
  for (const { id, decide } of group) {
    const slot = slots.get(id)!;
    const value = decide(slot.value);
    if (value === slot.value && slot.isRecalled) doubtful.push(id);
    slot.value = value;
  }
  return doubtful;
}

/** After a conflict: tells those whose given records have changed, and returns the others. */
async function dropOutdated<T>(
  read: ReadKey,
  group: readonly Waiting<T>[],
): Promise<readonly Waiting<T>[]> {
  const outdated = new Set<string>();
  await Promise.all(
    versionsIn(group).map(async ({ id, key, versionstamp }) => {
      const entry = await read(key);
      if (entry.versionstamp !== versionstamp) outdated.add(id);
    }),
  );
  return group.filter(({ preconditions, settle }) => {
    const holds = !preconditions.some(({ id }) => outdated.has(id));
    if (!holds) settle("outdated");
    return holds;
  });
}

/** Returns what the changes of a group were given; of one record there may be two versions. */
function versionsIn<T>(group: readonly Waiting<T>[]): Version[] {
  const versions = new Map<string, Version>();
  for (const { preconditions } of group) {
    for (const version of preconditions) versions.set(version.id, version);
  }
  return [...versions.values()];
}
