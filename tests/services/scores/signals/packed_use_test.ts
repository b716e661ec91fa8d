import { assert, assertEquals } from "@std/assert";
import { useOf } from "../../../../services/model/own_use.ts";
import {
  packDays,
  unpackDays,
} from "../../../../services/scores/signals/packed_use.ts";
import { fc } from "../../../support/properties.ts";

Deno.test("days come back as they were summarised, to the last nAVAX", () => {
  const txs = fc.array(
    fc.record({
      at: fc.integer({ min: 0, max: 2_000_000_000 }).map((second) =>
        second * 1000
      ),
      to: fc.constantFrom("a", "b"),
      method: fc.constant(""),
      paidAvax: fc.double({ min: 0, max: 900, noNaN: true }),
      movesValue: fc.boolean(),
      failed: fc.boolean(),
    }),
    { maxLength: 50 },
  );
  fc.assert(fc.property(txs, (own) => {
    const { days } = useOf(own);
    assertEquals(unpackDays(packDays(days)), days);
  }));
});

Deno.test("two thousand days take less than 20 KiB", () => {
  const days = Array.from({ length: 2_000 }, (_, nth) => ({
    day: 20_000 - nth,
    gasAvax: 1.234567891,
    varied: 12,
  }));
  const bytes = packDays(days).byteLength;
  assert(bytes < 20 * 1024, `${bytes} bytes`);
});
