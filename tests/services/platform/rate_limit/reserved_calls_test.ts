/** Calls that are counted together. */
import { assertEquals } from "@std/assert";
import {
  canReserve,
  takeReserved,
  withReserved,
} from "../../../../services/platform/rate_limit/reserved_calls.ts";
import type { SharedBudget } from "../../../../services/platform/rate_limit/shared_budget.ts";
import type { CallOptions } from "../../../../services/platform/rate_limit/call_budget.ts";

const OPTIONS = {} as CallOptions;

Deno.test("takeReserved() uses up the calls of its budget within ten seconds", () => {
  const taken = (at: number, budget = "index") =>
    takeReserved(
      withReserved(OPTIONS, { budget: "index", calls: 1, now: 100 }),
      budget,
      at,
    );
  assertEquals([taken(100), taken(10_100), taken(10_101)], [true, true, false]);
  assertEquals([taken(100, "other"), takeReserved(OPTIONS, "index", 0)], [
    false,
    false,
  ]);
  const options = withReserved(OPTIONS, { budget: "index", calls: 3, now: 0 });
  const calls = [0, 1, 20_000, 2].map((at) =>
    takeReserved(options, "index", at)
  );
  assertEquals(
    calls,
    [true, true, false, false],
    "a late call is used up, too",
  );
});

Deno.test("canReserve() needs windows of a minute or longer", () => {
  const of = (...windows: number[]) =>
    canReserve(
      {
        limits: windows.map((perMs) => ({ perMs })),
      } as unknown as SharedBudget,
    );
  assertEquals(
    [of(60_000), of(59_999), of(60_000, 59_999), of(60_000, 90_000)],
    [
      true,
      false,
      false,
      true,
    ],
  );
});
