import { assert, assertEquals } from "@std/assert";
import { useOf } from "../../../../services/model/signals.ts";
import {
  packDays,
  unpackDays,
  unpackPaidDays,
} from "../../../../services/scores/signals/signals_store.ts";
import { fc } from "../../../support/properties.ts";

Deno.test("days come back as they were summarised, to the last unit of gas", () => {
  const txs = fc.array(
    fc.record({
      at: fc.integer({ min: 0, max: 2_000_000_000 }).map((second) =>
        second * 1000
      ),
      to: fc.constantFrom("a", "b"),
      gasUnits: fc.nat(2 ** 31),
      failed: fc.boolean(),
    }),
    { maxLength: 50 },
  );
  fc.assert(fc.property(txs, (own) => {
    const { days } = useOf(own);
    assertEquals(unpackDays(packDays(days)), days);
  }));
});

Deno.test("days that hold gas in nAVAX count at 25 nAVAX a unit, and at least a transfer for each transaction", () => {
  const packed = packDays([
    { day: 9, gasUnits: 2_000, varied: 3 },
    { day: 8, gasUnits: 50_000_000, varied: 2 },
    { day: 7, gasUnits: 100, varied: 0 },
  ]);
  assertEquals(unpackPaidDays(packed), [
    { day: 9, gasUnits: 63_000, varied: 3 },
    { day: 8, gasUnits: 2_000_000, varied: 2 },
    { day: 7, gasUnits: 4, varied: 0 },
  ]);
});

Deno.test("two thousand days take less than 20 KiB", () => {
  const days = Array.from({ length: 2_000 }, (_, nth) => ({
    day: 20_000 - nth,
    gasUnits: 1_234_567,
    varied: 12,
  }));
  const bytes = packDays(days).byteLength;
  assert(bytes < 20 * 1024, `${bytes} bytes`);
});
