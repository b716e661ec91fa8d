/** Faults: their messages, and whose calls are used up. */
import { assertEquals } from "@std/assert";
import {
  callsUsedUp,
  contended,
  Fault,
  invalidParameter,
  refusedClient,
  upstreamDown,
} from "../../../services/platform/fault.ts";

Deno.test("faults have a message, a kind and a default Retry-After", () => {
  const cases: [fault: Fault, message: string, failure: object][] = [
    [
      invalidParameter("days", "91", "1 to 90"),
      'Invalid days "91": expected 1 to 90',
      { kind: "badInput", parameter: "days" },
    ],
    [
      upstreamDown("the index", "no connection"),
      "Cannot read the index: no connection",
      { kind: "upstreamDown", upstream: "the index", retryAfterMs: 30_000 },
    ],
    [
      upstreamDown("the index", "busy", { retryAfterMs: 7 }),
      "Cannot read the index: busy",
      { kind: "upstreamDown", upstream: "the index", retryAfterMs: 7 },
    ],
    [contended("Cannot count"), "Cannot count", {
      kind: "contended",
      retryAfterMs: 1_000,
    }],
  ];
  for (const [fault, message, failure] of cases) {
    assertEquals([fault.message, fault.failure as object], [message, failure]);
    assertEquals(fault.name, "Fault");
  }
  const cause = new Error("cause");
  assertEquals(upstreamDown("a", "b", { cause }).cause, cause);
  assertEquals(contended("a", { cause }).cause, cause);
});

Deno.test("callsUsedUp() and refusedClient() name whose calls are used up", () => {
  const used = (
    usedBy: "wallet" | "network" | "everyone",
    kind: "scoringBusy" | "capacitySpent" = "capacitySpent",
  ) =>
    callsUsedUp(kind, {
      upstream: "the index",
      requester: "0xa",
      usedBy,
      retryAfterMs: 9_001,
    });
  assertEquals(
    used("wallet").message,
    "Cannot score the address now: the share of this wallet of the calls to the index is used up for now; try again in 10 seconds",
  );
  assertEquals(
    used("everyone", "scoringBusy").message,
    "Cannot score the address now: the calls to the index that all callers share are taken by reads that came first; try again in 10 seconds",
  );
  const down = (cause: unknown) =>
    new Fault("down", {
      kind: "scoringDown",
      upstream: "the index",
      retryAfterMs: 1,
    }, { cause });
  const fair = new Fault(
    "fair",
    {
      kind: "ipRateLimit",
      network: "192.0.2.0/24",
      retryAfterMs: 1,
    } as Fault["failure"],
  );
  const cases: [error: unknown, client: string | undefined][] = [
    [used("wallet"), "0xa"],
    [fair, "192.0.2.0/24"],
    [down(used("network")), undefined],
    [down(new Error("other")), undefined],
    [contended("other"), undefined],
    [new Error("other"), undefined],
    [null, undefined],
  ];
  for (const [error, client] of cases) {
    assertEquals(refusedClient(error), client);
  }
});
