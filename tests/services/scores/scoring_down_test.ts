import { assertEquals } from "@std/assert";
import { scoringDown } from "../../../services/scores/scores.ts";
import { callsUsedUp } from "../../../services/platform/fault.ts";

Deno.test("scoringDown() says whose share is used up and when it has calls again, and nothing about an outage", () => {
  const index = "the explorer index";
  const words = {
    wallet:
      "the share of this wallet of the calls to the explorer index is used up",
    network:
      "the share of this network of the calls to the explorer index is used up",
    everyone:
      "the calls to the explorer index that all callers share are used up",
  } as const;
  for (const usedBy of ["wallet", "network", "everyone"] as const) {
    const cause = callsUsedUp({
      upstream: index,
      requester: "192.0.2.1",
      usedBy,
      retryAfterMs: 11_001,
    });
    assertEquals(
      scoringDown(index, 11_001, cause).message,
      `Cannot score the address: ${
        words[usedBy]
      } and nothing is stored; try again in 12 seconds`,
    );
  }
  assertEquals(
    scoringDown(index, 11_001).message,
    "Cannot score the address: the explorer index is unreachable and nothing is stored",
  );
});
