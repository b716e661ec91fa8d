import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { DAY_MS } from "../../../../services/platform/days.ts";
import {
  type OwnTx,
  useOf,
} from "../../../../services/scores/model/own_use.ts";

const DAY = 20_000;

const tx = (fields: Partial<OwnTx> = {}): OwnTx => ({
  at: DAY * DAY_MS,
  to: "0xa",
  method: "0x01020304",
  paidAvax: 0.001,
  movesValue: false,
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
    { day: DAY + 3, gasAvax: 0.001, varied: 1 },
    { day: DAY, gasAvax: 0.006, varied: 4 },
  ]);
});

Deno.test("useOf() counts a failed transaction with its gas only", () => {
  const use = useOf([tx({ failed: true, paidAvax: 0.5 })]);
  assertEquals(use.days, [{ day: DAY, gasAvax: 0.5, varied: 0 }]);
  assertEquals([use.targets, use.methods, use.slots, use.months], [0, 0, 0, 0]);
  assertEquals([use.topTargetShare, use.valueShare], [0, 0]);
});

Deno.test("useOf() counts distinct targets, methods, months and ten-minute slots", () => {
  const use = useOf([
    tx(),
    tx({ at: DAY * DAY_MS + 599_999 }),
    tx({ at: DAY * DAY_MS + 600_000, to: "0xb", movesValue: true }),
    tx({ at: (DAY + 31) * DAY_MS, method: "" }),
  ]);
  assertEquals([use.targets, use.methods, use.months, use.slots], [2, 2, 2, 2]);
  assertEquals([use.topTargetShare, use.valueShare], [0.75, 0.25]);
});

Deno.test("useOf() tells a timer from a person by the entropy of hours and gaps", () => {
  const timer = useOf(
    Array.from({ length: 200 }, (_, day) => tx({ at: (DAY + day) * DAY_MS })),
  );
  const person = useOf(
    Array.from(
      { length: 200 },
      (_, nth) => tx({ at: DAY * DAY_MS + nth ** 2 * 3_700_000 }),
    ),
  );
  assertAlmostEquals(timer.hourEntropy, 0);
  assertAlmostEquals(timer.gapEntropy, 0);
  assert(person.hourEntropy > 0.8, `${person.hourEntropy}`);
  assert(person.gapEntropy > 0.3, `${person.gapEntropy}`);
});
