/** Delayed refusals: how long, and how many at once. */
import { assertEquals } from "@std/assert";
import { heldRefusals } from "../../../routes/http/held_refusals.ts";

/** Refusals whose delays end, the first one first, when the test says so. */
function open() {
  const delays: number[] = [];
  const ends: (() => void)[] = [];
  const hold = heldRefusals({
    sleep: (ms) => {
      delays.push(ms);
      return new Promise((resolve) => ends.push(() => resolve(undefined)));
    },
  });
  return { hold, delays, ends };
}

Deno.test("refusals are delayed by one to two seconds, one after the other, at most 32 at a time of one network", async () => {
  const { hold, delays, ends } = open();
  const held = Array.from({ length: 32 }, () => hold("a"));
  assertEquals(
    delays,
    Array.from({ length: 32 }, (_, nth) => 1_000 + nth * 1_000 / 32),
  );
  assertEquals(await hold("a"), false);
  assertEquals(delays.length, 32, "the next one is answered at once");
  const other = hold("b");
  assertEquals(delays.length, 33, "another network is delayed");
  ends.shift()!();
  assertEquals(await held[0], true);
  const next = hold("a");
  assertEquals(delays.length, 34);
  assertEquals(await hold("a"), false);
  for (const end of ends) end();
  assertEquals(
    await Promise.all([...held, other, next]),
    Array(34).fill(true),
  );
  const again = Array.from({ length: 32 }, () => hold("a"));
  assertEquals(await hold("a"), false, "counts from none again");
  for (const end of ends) end();
  await Promise.all(again);
});

Deno.test("at most 512 refusals are delayed at a time, of all networks", async () => {
  const { hold, delays, ends } = open();
  const held = Array.from({ length: 512 }, (_, at) => hold(`network ${at}`));
  assertEquals(delays.length, 512);
  assertEquals(await hold("another"), false);
  ends.shift()!();
  await held[0];
  const next = hold("another");
  assertEquals(delays.length, 513);
  for (const end of ends) end();
  await Promise.all([...held, next]);
});
