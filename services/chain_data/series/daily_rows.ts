/** Reads the rows of a daily series, each by itself. */
import { z } from "zod";
import {
  judgeRows,
  type Sourced,
} from "../../platform/http/upstream_answer.ts";
import type { DailyValue } from "./series.ts";

/** A row of a daily series that could not be read. */
export interface UnreadRow {
  /** Null if the row does not say. */
  readonly day: number | null;
  readonly reason: string;
}

/** The days of a series that a source answered. */
export interface DailyRows extends Sourced<readonly DailyValue[]> {
  /** Rows that could not be read; none if absent. */
  readonly unread?: readonly UnreadRow[];
}

/** The fields of a row. */
export interface RowFields {
  readonly day: z.ZodType<number>;
  readonly dayField: string;
  readonly value: z.ZodType<number>;
  readonly valueField: string;
}

/**
 * Reads the rows of a daily series. Rows without a value after the last day with one
 * are not yet published, so they are left out. Throws a `Refused` if no row can be
 * read, or too few.
 */
export function readDailyRows(
  rows: readonly unknown[],
  { day, dayField, value, valueField }: RowFields,
): { points: DailyValue[]; unread: UnreadRow[] } {
  const fieldsOf = (row: unknown) => (row ?? {}) as Record<string, unknown>;
  const dayOf = (row: unknown) => {
    const read = day.safeParse(fieldsOf(row)[dayField]);
    return read.success ? read.data : null;
  };
  const isEmpty = (row: unknown) => (fieldsOf(row)[valueField] ?? "") === "";
  let last = -Infinity;
  for (const row of rows) {
    if (!isEmpty(row)) last = Math.max(last, dayOf(row) ?? -Infinity);
  }
  const published = rows.filter((row) => {
    // Without any value, only null says that there is none.
    const isUnpublished = last === -Infinity
      ? fieldsOf(row)[valueField] === null
      : isEmpty(row);
    return !isUnpublished || (dayOf(row) ?? -Infinity) <= last;
  });
  const schema = z.object({ [dayField]: day, [valueField]: value });
  const judged = judgeRows(published, {
    parse(row): DailyValue {
      const fields = schema.parse(row);
      return { day: fields[dayField]!, value: fields[valueField]! };
    },
    idOf: dayOf,
    needsOne: true,
  });
  return {
    points: [...judged.rows],
    unread: judged.setAside.map(({ of, reason }) => ({
      day: of as number | null,
      reason,
    })),
  };
}
