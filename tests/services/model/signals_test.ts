import { assertEquals } from "@std/assert";
import { DAY_MS } from "../../../services/platform/days.ts";
import { NO_USE, type OwnTx, useOf } from "../../../services/model/signals.ts";

const DAY = 20_000;

const tx = (fields: Partial<OwnTx> = {}): OwnTx => ({
  at: DAY * DAY_MS,
  to: "0xa",
  gasUnits: 21_000,
  failed: false,
  ...fields,
});

Deno.test("useOf() counts days newest first, and three transactions a day to one target", () => {
  const { count, days } = useOf([
    ...Array.from({ length: 5 }, () => tx()),
    tx({ to: "0xb" }),
    tx({ at: (DAY + 3) * DAY_MS }),
  ]);
  assertEquals(count, 7);
  assertEquals(days, [
    { day: DAY + 3, gasUnits: 21_000, varied: 1 },
    { day: DAY, gasUnits: 126_000, varied: 4 },
  ]);
});

Deno.test("useOf() counts a failed transaction with its gas only", () => {
  const use = useOf([tx({ failed: true, gasUnits: 50_000 })]);
  assertEquals(use.days, [{ day: DAY, gasUnits: 50_000, varied: 0 }]);
});

Deno.test("an address without transactions has no use", () => {
  assertEquals(useOf([]), NO_USE);
});
