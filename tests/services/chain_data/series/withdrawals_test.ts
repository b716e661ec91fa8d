import { assert, assertEquals } from "@std/assert";
import {
  type DailySeries,
  newestDay,
  pointsOf,
  valueOn,
} from "../../../../services/chain_data/series/series.ts";
import {
  reconcile,
  type Reconciled,
} from "../../../../services/chain_data/series/withdrawals.ts";
import {
  listRevisions,
  logWrite,
} from "../../../../services/chain_data/series/revision_log.ts";
import { HOUR_MS } from "../../../../services/platform/days.ts";
import { fc } from "../../../support/properties.ts";
import { seriesFrom } from "../../../support/series.ts";

/** Builds a series from day 100 on. */
const daily = (values: readonly (number | null)[]) => seriesFrom(100, values);

const ALL = { start: -Infinity, end: Infinity };

/** Merges reads at given hours, one after the other. */
function readAll(
  series: DailySeries,
  reads: readonly [hour: number, values: readonly (number | null)[]][],
): Reconciled {
  let held: Reconciled = { series, withdrawals: [] };
  for (const [hour, values] of reads) {
    held = reconcile(held, {
      read: daily(values),
      days: ALL,
      readAt: hour * HOUR_MS,
    })!;
  }
  return held;
}

const valuesOf = ({ series }: Reconciled) => [...series.values];

Deno.test("a withdrawn day keeps its value until three reads over two hours agree", () => {
  const before = daily([5, 6, 7, 8]);
  for (const answer of [null, 0] as const) {
    const read = [5, answer, 7, 9];
    const once = readAll(before, [[10, read]]);
    assertEquals(valuesOf(once), [5, 6, 7, 9], "other days are current");
    assertEquals(once.withdrawals, [
      { from: 101, to: 101, answer, foundAt: 10 * HOUR_MS, reads: 1 },
    ]);
    const soon = readAll(before, [[10, read], [10.5, read], [11.9, read]]);
    assertEquals(valuesOf(soon), [5, 6, 7, 9], "less than two hours");
    const twice = readAll(before, [[10, read], [13, read]]);
    assertEquals(valuesOf(twice), [5, 6, 7, 9], "only two reads");
    const accepted = readAll(before, [[10, read], [11, read], [12, read]]);
    assertEquals(valuesOf(accepted), [5, answer ?? NaN, 7, 9]);
    assertEquals(accepted.withdrawals, []);
  }
});

Deno.test("a read that shows the day, or another answer, starts the count again", () => {
  const before = daily([5, 6, 7]);
  const [without, zero, whole] = [[5, null, 7], [5, 0, 7], [5, 6, 7]];
  assertEquals(
    readAll(before, [[1, without], [2, without], [3, whole]]).withdrawals,
    [],
  );
  const { withdrawals } = readAll(before, [[1, without], [2, without], [
    3,
    zero,
  ]]);
  assertEquals(withdrawals, [
    { from: 101, to: 101, answer: 0, foundAt: 3 * HOUR_MS, reads: 1 },
  ]);
});

Deno.test("a day is accepted as 0 while newer days wait", () => {
  const zero = [5, 0, 7, 2];
  const read = readAll(daily([5, 6, 7, 2]), [[1, zero], [2, zero], [
    4,
    zero.slice(0, -1),
  ]]);
  assertEquals(valuesOf(read), zero);
});

Deno.test("a read that lacks the newest days changes no value", () => {
  const before = daily([5, 6, 7, 2]);
  const lagging = [5, 6, 3];
  const held = readAll(before, [[1, lagging]]);
  assertEquals(valuesOf(held), [5, 6, 7, 2], "its newest day is a fragment");
  assertEquals(valuesOf(readAll(before, [[1, lagging], [2, [5, 6, 7, 8]]])), [
    5,
    6,
    7,
    8,
  ]);
  const rolledBack = readAll(before, [[1, lagging], [2, lagging], [
    4,
    lagging,
  ]]);
  assertEquals(valuesOf(rolledBack), [5, 6, 3]);
});

Deno.test("a read of some days leaves the others and their withdrawals", () => {
  const before = daily([5, 6, 7, 8]);
  const held = readAll(before, [[1, [5, null, 7, 8]]]);
  const tail = reconcile(held, {
    read: daily([null, null, 7, 9]),
    days: { start: 102, end: Infinity },
    readAt: 9 * HOUR_MS,
  })!;
  assertEquals(valuesOf(tail), [5, 6, 7, 9]);
  assertEquals(tail.withdrawals, held.withdrawals);
});

Deno.test("reads without any value mark all days, and never withdraw one, however many there are", () => {
  const before = daily([5, 6]);
  const silent = readAll(before, [[1, []], [2, []], [3, []], [99, []]]);
  assertEquals(valuesOf(silent), [5, 6]);
  assertEquals(silent.withdrawals, [
    { from: 100, to: 101, answer: null, foundAt: HOUR_MS, reads: 0 },
  ]);
  const later: Parameters<typeof readAll>[1] = [
    [1, []],
    [2, []],
    [3, []],
    [
      4,
      [5],
    ],
    [5, []],
    [6, [5]],
  ];
  assertEquals(readAll(before, later).withdrawals, [
    { from: 101, to: 101, answer: null, foundAt: 4 * HOUR_MS, reads: 2 },
  ], "they neither count nor begin the count again");
  assertEquals(valuesOf(readAll(before, [...later, [7, [5]]])), [5]);
  assertEquals(
    valuesOf(readAll(before, [...later, [7, [5, 6]], [8, []]])),
    [5, 6],
  );
});

Deno.test("three reads within two hours withdraw nothing when a read without any value follows later", () => {
  const soon = [[1, [5]], [1.5, [5]], [1.9, [5]]] as const;
  const held = readAll(daily([5, 6]), [...soon, [4, []]] as never);
  assertEquals(valuesOf(held), [5, 6]);
  const again = readAll(daily([5, 6]), [...soon, [4, []], [5, [5]]] as never);
  assertEquals(valuesOf(again), [5]);
});

Deno.test("days withdrawn in more than 500 runs are refused", () => {
  const before = daily(Array<number>(1_100).fill(5));
  const everyOther = before.values.map((value, slot) => slot % 2 ? value : 0);
  const read = {
    read: { ...before, values: everyOther },
    days: ALL,
    readAt: 1,
  };
  assertEquals(reconcile({ series: before }, read), null);
});

Deno.test("after any reads, each day has its last value or is revised with the old one", () => {
  const values = fc.array(
    fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constant(0), fc.constant(null)),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(values, fc.array(values, { maxLength: 12 }), (first, reads) => {
      let held: Reconciled = {
        series: daily(first),
        withdrawals: [],
      };
      reads.forEach((read, nth) => {
        const before = held;
        held = reconcile(before, {
          read: daily(read),
          days: ALL,
          readAt: nth * HOUR_MS,
        })!;
        const logs = logWrite({ ...before, logs: [] }, {
          next: held,
          at: nth * HOUR_MS,
          inferred: new Map(),
          isTxCount: false,
        });
        const revisions = listRevisions({ series: held.series, logs });
        for (const { day, value } of pointsOf(before.series)) {
          const now = valueOn(held.series, day);
          const isLost = Number.isNaN(now) || (now === 0 && value > 0);
          assertEquals(
            isLost,
            revisions.some(({ cause, ...revision }) =>
              revision.day === day && revision.from === value &&
              cause === "withdrawn"
            ),
          );
        }
        for (const { from, to } of held.withdrawals) {
          for (let day = from; day <= to; day++) {
            assertEquals(
              valueOn(held.series, day),
              valueOn(before.series, day),
            );
          }
        }
      });
      const last = reads.at(-1);
      const isHeld = held.withdrawals.length > 0;
      if (last && !isHeld) assertEquals(held.series, daily(last));
      assert(
        isHeld || !last || newestDay(held.series) === newestDay(daily(last)),
      );
    }),
    { numRuns: 500 },
  );
});
