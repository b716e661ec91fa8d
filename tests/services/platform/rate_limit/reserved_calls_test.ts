/** Who a call is made for, and calls that are counted together. */
import { assertEquals } from "@std/assert";
import {
  canReserve,
  takeReserved,
  withReserved,
} from "../../../../services/platform/rate_limit/reserved_calls.ts";
import {
  changeRequester,
  freeRequester,
  networkParties,
  paidRequester,
  SERVICE,
  usedByOf,
} from "../../../../services/platform/rate_limit/requesters.ts";
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

Deno.test("requesters have a class, and parties with the weights of their shares", () => {
  const network = networkParties("192.0.2.1");
  assertEquals(network.length > 0, true);
  assertEquals(network.every(({ weight }) => weight === 1), true);
  assertEquals(SERVICE, { of: "service", parties: [] });
  assertEquals(paidRequester("0xa", 250).parties, [{ name: "0xa", weight: 1 }]);
  assertEquals(paidRequester("0xa", 50), {
    of: "paid",
    parties: [{ name: "0xa", weight: 0.2 }],
  });
  assertEquals(freeRequester({}), { of: "free", parties: [] });
  assertEquals(freeRequester({ wallet: "0xa", hostname: "192.0.2.1" }), {
    of: "free",
    parties: [{ name: "0xa", weight: 0.5 }, ...network],
  });
  assertEquals(changeRequester({ wallet: "0xa", hostname: null }), {
    of: "service",
    parties: [{ name: "0xa", weight: 1 }],
  });
  const change = changeRequester({ wallet: "0xa", hostname: "192.0.2.1" });
  assertEquals(change.parties, [{ name: "0xa", weight: 1 }, ...network]);
  const used = [undefined, change.parties[0], network[0]].map(usedByOf);
  assertEquals(used, ["everyone", "wallet", "network"]);
});
