import { assert, assertEquals } from "@std/assert";
import {
  blockTimeline,
  blockTimeMs,
  countBlocks,
  FIRST_BLOCK_DAY,
} from "../../../simnet/c_chain/blocks.ts";
import { DAY_MS, dayAt, dayOf } from "../../../simnet/series/days.ts";
import { EMPTY_DAYS } from "../../../simnet/series/series.ts";
import { TODAY } from "../support.ts";

const timeline = blockTimeline();
const timeOf = (number: number) => blockTimeMs(timeline.placeOf(number));

Deno.test("placeOf() finds the first and last block of each day", () => {
  for (let day = FIRST_BLOCK_DAY; day < TODAY; day++) {
    const first = timeline.countBefore(day) + 1;
    const last = timeline.countBefore(day + 1);
    assertEquals(last - first + 1, countBlocks(day));
    if (EMPTY_DAYS.has(day)) continue;
    assertEquals(dayAt(timeOf(first)), day);
    assertEquals(dayAt(timeOf(last)), day);
  }
});

Deno.test("blockTimeMs() never decreases, is uneven, and several blocks share a second", () => {
  const day = dayOf("2026-06-10");
  const first = timeline.countBefore(day) + 1;
  const times = Array.from(
    { length: countBlocks(day) },
    (_, index) => timeOf(first + index),
  );
  const steps = times.slice(1).map((time, index) => time - times[index]!);
  assert(steps.every((step) => step >= 0));
  const seconds = new Set(times.map((time) => Math.floor(time / 1_000)));
  assert(seconds.size < 0.85 * times.length);
  const inHour = (hour: number) =>
    times.filter((time) => Math.floor((time % DAY_MS) / 3.6e6) === hour).length;
  assert(inHour(0) > 1.3 * inHour(12));
});

Deno.test("countBefore() stays near the real block heights", () => {
  const known: [height: number, seconds: number][] = [
    [12_687_074, 1_637_035_653],
    [86_192_127, 1_779_562_787],
    [96_088_112, 1_790_296_724],
  ];
  for (const [height, seconds] of known) {
    const simulated = timeline.headAt(seconds * 1_000);
    assert(Math.abs(simulated / height - 1) < 0.04, `${height}: ${simulated}`);
  }
});

Deno.test("countBlocks() is 0 on days without a block", () => {
  assertEquals(EMPTY_DAYS.size, 7);
  for (const day of EMPTY_DAYS) {
    assertEquals(timeline.countBefore(day + 1), timeline.countBefore(day));
  }
});
