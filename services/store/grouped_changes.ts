/** Changes of records that many requests make at once: those that wait together share a transaction. */
import { isLostRace } from "./commit.ts";
import type { ReadKey, Version } from "./reads.ts";

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
  readonly given: readonly Version[];
  /** Decides on what is held, again after a conflict; what it was given changes nothing. */
  readonly decide: (held: T) => T;
}

/** How values of a collection are kept. */
export interface Collection<Stored, T> {
  readonly expireIn: number;
  /** Reads a stored value; null where there is none. */
  readonly decode: (stored: Stored | null) => T;
  readonly encode: (value: T) => Stored;
}

/** A change that waits for its transaction. */
interface Waiting<T> extends Change<T> {
  readonly id: string;
  readonly settle: (outcome: Outcome) => void;
  readonly fail: (error: unknown) => void;
}

/** A record in a transaction. */
interface Slot<Stored, T> {
  readonly entry: Deno.KvEntryMaybe<Stored>;
  /** From memory: another process may have changed it since. */
  readonly isRecalled: boolean;
  readonly held: T;
  /** What becomes of it. */
  value: T;
}

/** Tells those of a group what became of their changes. */
type Tell = () => void;

type Slots<Stored, T> = ReadonlyMap<string, Slot<Stored, T>>;

/**
 * Changes records of one collection. While a transaction is under way, changes
 * wait and go together in the next one, each decided by itself, in the order
 * they came. What this process wrote last it need not read: that is a guess,
 * which the checks of the commit prove.
 */
export function groupedChanges<Stored, T>(
  kv: Deno.Kv,
  read: ReadKey,
  { expireIn, decode, encode }: Collection<Stored, T>,
) {
  const waiting: Waiting<T>[] = [];
  const memory = new Map<string, Deno.KvEntry<Stored>>();
  let isWorking = false;

  async function work(): Promise<void> {
    isWorking = true;
    // Whoever else has asked by the end of this turn goes along.
    await new Promise((resolve) => setImmediate(resolve));
    let tell: Tell = () => {};
    while (waiting.length > 0) {
      const committing = commitGroup(takeGroup(waiting));
      // What they do next takes place while the database is at work.
      tell();
      tell = await committing;
    }
    isWorking = false;
    tell();
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
    const slots = new Map<string, Slot<Stored, T>>();
    const absent = new Map<string, readonly string[]>();
    for (const { id, key } of group) {
      const entry = memory.get(id);
      if (entry === undefined) absent.set(id, key);
      else if (!slots.has(id)) slots.set(id, slotOf(entry, true));
    }
    return { slots, absent };
  }

  async function readSlots(
    slots: Map<string, Slot<Stored, T>>,
    absent: ReadonlyMap<string, readonly string[]>,
  ): Promise<void> {
    await Promise.all(Array.from(absent, async ([id, key]) => {
      slots.set(id, slotOf(await read<Stored>(key), false));
    }));
  }

  function slotOf(
    entry: Deno.KvEntryMaybe<Stored>,
    isRecalled: boolean,
  ): Slot<Stored, T> {
    const held = decode(entry.value);
    return { entry, isRecalled, held, value: held };
  }

  /** Writes what was changed, if nobody else changed it or what was given; false where somebody did. */
  async function commitSlots(
    slots: Slots<Stored, T>,
    group: readonly Waiting<T>[],
  ): Promise<boolean> {
    const changed: { id: string; key: Deno.KvKey; value: Stored }[] = [];
    const atomic = kv.atomic().check(...versionsIn(group));
    for (const [id, { entry, held, value }] of slots) {
      if (value === held) continue;
      const { key } = entry;
      const next = encode(value);
      atomic.check(entry).set(key, next, { expireIn });
      changed.push({ id, key, value: next });
    }
    if (changed.length === 0) return true;
    const result = await atomic.commit().catch(lostRace);
    if (!result.ok) return false;
    const { versionstamp } = result;
    for (const { id, key, value } of changed) {
      memory.delete(id);
      memory.set(id, { key, value, versionstamp });
    }
    for (const id of memory.keys()) {
      if (memory.size <= MOST_REMEMBERED) break;
      memory.delete(id);
    }
    return true;
  }

  /** Makes a change, and says what became of it. */
  return ({ key, given, decide }: Change<T>): Promise<Outcome> =>
    new Promise((settle, fail) => {
      const id = key.join("/");
      waiting.push({ id, key, given, decide, settle, fail });
      if (!isWorking) work();
    });
}

function settling<T>(
  group: readonly Waiting<T>[],
  outcome: Outcome,
): Tell {
  return () => group.forEach(({ settle }) => settle(outcome));
}

/** Takes as many changes as one transaction holds, in the order they came. */
function takeGroup<T>(waiting: Waiting<T>[]): Waiting<T>[] {
  const ids = new Set<string>();
  const end = waiting.findIndex(({ id, given }) => {
    ids.add(id);
    for (const version of given) ids.add(version.id);
    return ids.size > MOST_RECORDS;
  });
  return waiting.splice(0, end < 0 ? waiting.length : Math.max(1, end));
}

/** Decides one by one; returns what has to be read before somebody is refused. */
function decideGroup<Stored, T>(
  group: readonly Waiting<T>[],
  slots: Slots<Stored, T>,
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
  return group.filter(({ given, settle }) => {
    const holds = !given.some(({ id }) => outdated.has(id));
    if (!holds) settle("outdated");
    return holds;
  });
}

/** Returns what the changes of a group were given; of one record there may be two versions. */
function versionsIn<T>(group: readonly Waiting<T>[]): Version[] {
  const versions = new Map<string, Version>();
  for (const { given } of group) {
    for (const version of given) versions.set(version.id, version);
  }
  return [...versions.values()];
}

function lostRace(error: unknown): Deno.KvCommitError {
  if (isLostRace(error)) return { ok: false };
  throw error;
}
