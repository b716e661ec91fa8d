/**
 * Encodes the log of one year of a series: when each day was first seen, and what
 * changed since. A day that a daily read adds takes four bytes, a revision about ten.
 *
 * A log is a flag byte and entries in order. An entry begins with a varint: twice the
 * milliseconds since the previous entry, plus 1 if the entry only adds the next day.
 * Any other entry continues with a second varint, twice its number of events, plus 1 if
 * it also adds the next day. Then the events follow. An event is a byte for the kind
 * and the form of the value, the distance from the highest day, and a length or a value.
 */
import { startOfYear } from "../../platform/days.ts";
import { putVarint, readVarint } from "../../platform/bytes.ts";

/** Why a value changed. Growth of a day that was incomplete is not a revision. */
const CAUSES = [
  "restated",
  "withdrawn",
  "returned",
  "published",
  "growth",
] as const;
/** Why a value changed. */
export type Cause = typeof CAUSES[number];

/** Days that were first seen, or that the source began or ceased to withdraw. */
export interface RunEvent {
  readonly kind: "seen" | "marked" | "cleared";
  /** First and last day. */
  readonly from: number;
  readonly to: number;
}

/** A changed value. */
export interface ChangeEvent {
  readonly kind: Cause;
  readonly day: number;
  /** The value before; `NaN` for none. */
  readonly old: number;
}

/** An event of a log. */
export type LogEvent = RunEvent | ChangeEvent;

/** What one write changed. */
export interface LogEntry {
  /** Epoch ms. */
  readonly at: number;
  readonly events: readonly LogEvent[];
}

/** The log of a year, encoded. */
export interface YearLog {
  readonly year: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A decoded log. */
export interface DecodedLog {
  /** Whether older entries were dropped. Then the first entry lists the days seen before. */
  readonly isCut: boolean;
  readonly entries: readonly LogEntry[];
}

const KINDS = ["seen", "marked", "cleared", ...CAUSES] as const;

/** Number of runs at the start of `KINDS`. */
const RUN_KINDS = 3;

/** Forms of a value. */
const ABSENT = 0;
const WHOLE = 1;
const FLOAT = 2;

/** Whole numbers below this take at most seven bytes as varint, a `Float64` eight. */
const MAX_WHOLE = 2 ** 49;

/** Flags of a log. */
const CUT = 1;
const REVISED = 2;

/** More than the days of a year, and a power of two. */
const DISTANCES = 512;

/** Maximum size of a log, below the 64 KiB of a value. */
const MAX_BYTES = 48 * 1024;

/** Returns whether a log has revisions, without decoding it. */
export function hasRevisions({ bytes }: YearLog): boolean {
  return (bytes[0]! & REVISED) !== 0;
}

/**
 * Receives the entries and events of a log in order, as plain arguments, so
 * that no objects are created.
 */
interface LogVisitor {
  /** Begins an entry; epoch ms. */
  readonly entry: (at: number) => void;
  readonly run: (kind: RunEvent["kind"], from: number, to: number) => void;
  readonly change: (kind: Cause, day: number, old: number) => void;
}

/** Decodes the log of a year. */
export function decodeLog(log: YearLog): DecodedLog {
  const entries: LogEntry[] = [];
  let events: LogEvent[] = [];
  walk(log, {
    entry(at) {
      events = [];
      entries.push({ at, events });
    },
    run: (kind, from, to) => void events.push({ kind, from, to }),
    change: (kind, day, old) => void events.push({ kind, day, old }),
  });
  return { isCut: (log.bytes[0]! & CUT) !== 0, entries };
}

/** Calls `visit` with each revision of a log, its day and its instant, in order. */
export function visitRevisions(
  log: YearLog,
  visit: (day: number, at: number) => void,
): void {
  if (!hasRevisions(log)) return;
  let current = 0;
  walk(log, {
    entry: (at) => current = at,
    run: () => {},
    change(kind, day) {
      if (kind !== "growth") visit(day, current);
    },
  });
}

function walk({ year, bytes }: YearLog, visitor: LogVisitor): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const start = startOfYear(year);
  let at = 0;
  let highest = start - 1;
  const cursor = { offset: 1 };
  const varint = () => readVarint(bytes, cursor);
  function oldValue(form: number): number {
    if (form === ABSENT) return NaN;
    if (form === WHOLE) return varint();
    cursor.offset += 8;
    return view.getFloat64(cursor.offset - 8);
  }
  function event(): void {
    const head = bytes[cursor.offset++]!;
    const day = start +
      (highest - start - varint() + DISTANCES) % DISTANCES;
    const nth = head & 7;
    if (nth >= RUN_KINDS) {
      return visitor.change(KINDS[nth] as Cause, day, oldValue(head >> 3));
    }
    const to = day + varint();
    if (nth === 0) highest = Math.max(highest, to);
    visitor.run(KINDS[nth] as RunEvent["kind"], day, to);
  }
  while (cursor.offset < bytes.length) {
    const head = varint();
    at += Math.floor(head / 2);
    visitor.entry(at);
    const count = head % 2 === 1 ? 1 : varint();
    if (count % 2 === 1) {
      highest++;
      visitor.run("seen", highest, highest);
    }
    for (let left = Math.floor(count / 2); left > 0; left--) event();
  }
}

/** Encodes a log. Its events are in the order in which they are applied. */
export function encodeLog(
  year: number,
  { isCut, entries }: DecodedLog,
): YearLog {
  const bytes: number[] = [isCut ? CUT : 0];
  const start = startOfYear(year);
  let last = 0;
  let highest = start - 1;
  const varint = (value: number) => putVarint(bytes, value);
  function distance(day: number): void {
    varint((highest - day + DISTANCES) % DISTANCES);
  }
  function event(event: LogEvent): void {
    const nth = KINDS.indexOf(event.kind);
    if ("from" in event) {
      bytes.push(nth);
      distance(event.from);
      varint(event.to - event.from);
      if (event.kind === "seen") highest = Math.max(highest, event.to);
      return;
    }
    const { day, old } = event;
    const form = formOf(old);
    if (event.kind !== "growth") bytes[0]! |= REVISED;
    bytes.push(nth | form << 3);
    distance(day);
    if (form === WHOLE) varint(old);
    // deno-lint-ignore firn/spread-arguments -- eight bytes
    if (form === FLOAT) bytes.push(...floatBytes(old));
  }
  for (const { at, events } of entries) {
    const isNext = isNextDay(events[0], highest);
    const rest = isNext ? events.slice(1) : events;
    const isPlain = isNext && rest.length === 0;
    varint((at - last) * 2 + Number(isPlain));
    if (!isPlain) varint(rest.length * 2 + Number(isNext));
    if (isNext) highest++;
    for (const each of rest) event(each);
    last = at;
  }
  return { year, bytes: Uint8Array.from(bytes) };
}

/** Adds entries to the log of a year. Above the maximum size the oldest half is dropped. */
export function appendEntries(
  year: number,
  held: YearLog | undefined,
  added: readonly LogEntry[],
): YearLog {
  const { isCut, entries } = held === undefined
    ? { isCut: false, entries: [] }
    : decodeLog(held);
  const all = [...entries, ...added];
  const longer = encodeLog(year, { isCut, entries: all });
  return longer.bytes.length <= MAX_BYTES ? longer : encodeLog(year, cut(all));
}

/** Drops the older half of the entries, except which days they first saw. */
function cut(entries: readonly LogEntry[]): DecodedLog {
  const middle = Math.floor(entries.length / 2);
  const dropped = entries.slice(0, middle);
  const seen = dropped.flatMap(({ events }) =>
    events.filter(({ kind }) => kind === "seen")
  );
  const base = { at: dropped.at(-1)!.at, events: seen };
  return { isCut: true, entries: [base, ...entries.slice(middle)] };
}

function isNextDay(event: LogEvent | undefined, highest: number): boolean {
  return event?.kind === "seen" && event.from === highest + 1 &&
    event.to === event.from;
}

function formOf(value: number): number {
  if (Number.isNaN(value)) return ABSENT;
  const isWhole = Number.isInteger(value) && value >= 0 && value < MAX_WHOLE;
  return isWhole ? WHOLE : FLOAT;
}

function floatBytes(value: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return new Uint8Array(view.buffer);
}
