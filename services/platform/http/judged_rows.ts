/** Judges the rows of an answer one by one: what can't be read is set aside, and the rest is used. */
import type { z } from "zod";
import { OTHER_SHAPE, Refused } from "./error_response.ts";

/** A row that is not used. */
interface SetAsideRow {
  readonly row: unknown;
  /** What the row is about; null if it does not say. */
  readonly of: string | number | null;
  readonly reason: string;
  /** True if other rows about the same say something else. */
  readonly isContradicted: boolean;
}

/** The rows of an answer that can be read, in their order, and the others. */
interface JudgedRows<T> {
  readonly rows: readonly T[];
  readonly setAside: readonly SetAsideRow[];
}

/** How rows are read. */
interface RowRule<T> {
  /** Throws a `ZodError` for a row that can't be read. */
  readonly parse: (row: unknown) => T;
  /** Returns what a row is about, which no two rows may share; null if it does not say. */
  readonly idOf: (row: unknown) => string | number | null;
  /** Whether an answer whose rows are all unreadable is an error. */
  readonly needsOne?: boolean;
}

/** Rows that a source may have set aside before it counts as down. */
const MAX_SET_ASIDE = 9;

/** The share of the rows that may be set aside, if they are more. */
const MAX_SHARE = 0.1;

/**
 * Judges rows. Equal rows count once; rows that contradict each other are all set
 * aside. Throws a `Refused` if more than a tenth of the rows, and at least ten, are
 * set aside: the answer has another shape.
 */
export function judgeRows<T>(
  rows: readonly unknown[],
  { parse, idOf, needsOne = false }: RowRule<T>,
): JudgedRows<T> {
  const setAside: SetAsideRow[] = [];
  const read: { row: unknown; of: string | number | null; value: T }[] = [];
  const firsts = new Map<string | number | null, unknown>();
  const contradicted = new Set<string | number | null>();
  for (const row of rows) {
    const of = idOf(row);
    if (of !== null && firsts.has(of)) {
      if (isSame(firsts.get(of), row)) continue;
      contradicted.add(of);
    } else firsts.set(of, row);
    try {
      read.push({ row, of, value: parse(row) });
    } catch (error) {
      const reason = reasonOf(error, row);
      setAside.push({ row, of, reason, isContradicted: false });
    }
  }
  const used: T[] = [];
  for (const { row, of, value } of read) {
    if (!contradicted.has(of)) used.push(value);
    else setAside.push({ row, of, reason: CONTRADICTED, isContradicted: true });
  }
  const isDown = setAside.length > MAX_SET_ASIDE &&
    setAside.length > rows.length * MAX_SHARE;
  const isUnreadable = needsOne && used.length === 0 && setAside.length > 0;
  if (isDown || isUnreadable) {
    throw new Refused(
      `${OTHER_SHAPE}: ${setAside.length} of ${rows.length} rows, ` +
        setAside[0]!.reason,
    );
  }
  return { rows: used, setAside };
}

const CONTRADICTED = "two rows contradict each other";

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Names the field that can't be read, and why. No text of the source is repeated. */
function reasonOf(error: unknown, row: unknown): string {
  const [issue] = (error as Partial<z.ZodError>).issues ?? [];
  if (issue === undefined) throw error;
  const found = issue.path.reduce<unknown>(
    (value, part) => (value as Record<PropertyKey, unknown> | null)?.[part],
    row,
  );
  return `${issue.path.join(".") || "row"} ${
    describeValue(found, issue.code === "too_big")
  }`;
}

function describeValue(value: unknown, isTooBig: boolean): string {
  if (isTooBig) return "is out of range";
  if (value === undefined) return "is missing";
  if (value === null) return "is null";
  return value === "" ? "is empty" : "has another form";
}
