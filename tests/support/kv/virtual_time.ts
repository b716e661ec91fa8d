/** Time that passes only while the database is waited for, however busy the machine is. */
import { minOf } from "../../../services/platform/numbers.ts";
import type { Stopwatch } from "../../../services/platform/kv/database.ts";

/** Turns without a new wait, after which all that is left to wait for is the database. */
const IDLE_TURNS = 5;

interface Wait {
  readonly until: number;
  readonly end: () => void;
}

/** A stopwatch of its own, which stands until `during` finds all work waiting for the database. */
export interface VirtualTime extends Stopwatch {
  readonly sleep: (ms: number) => Promise<void>;
  /** Passes the time without work. */
  readonly pass: (ms: number) => void;
  /** Runs work, and returns its result with the time of the database that it took, in ms. */
  readonly during: <T>(
    work: () => Promise<T>,
  ) => Promise<{ readonly result: T; readonly tookMs: number }>;
}

/** Creates the time of one database. */
export function virtualTime(kv: () => Deno.Kv): VirtualTime {
  let now = 0;
  let waits: Wait[] = [];
  let begun = 0;
  function wait(ms: number, end: () => void): void {
    begun++;
    waits.push({ until: now + ms, end });
  }
  function pass(ms: number): void {
    now += ms;
    const ended = waits.filter(({ until }) => until <= now);
    waits = waits.filter(({ until }) => until > now);
    for (const { end } of ended) end();
  }
  async function untilIdle(): Promise<void> {
    for (let turn = 0, last = begun; turn < IDLE_TURNS; turn++) {
      // Calls that are served come before this one.
      await Deno.Kv.prototype.get.call(kv(), ["turn"]);
      await new Promise((resolve) => setTimeout(resolve));
      if (begun !== last) [turn, last] = [0, begun];
    }
  }
  return {
    elapsed: () => now,
    timeout(ms) {
      const over = new AbortController();
      wait(ms, () => over.abort());
      return over.signal;
    },
    sleep: (ms) => new Promise((resolve) => wait(ms, resolve)),
    pass,
    async during(work) {
      const startedAt = now;
      let isOver = false;
      const working = work().finally(() => isOver = true);
      working.catch(() => {});
      while (!isOver) {
        await untilIdle();
        if (isOver) continue;
        const next = minOf(waits.map(({ until }) => until));
        if (next < Infinity) pass(next - now);
      }
      return { result: await working, tookMs: now - startedAt };
    },
  };
}
