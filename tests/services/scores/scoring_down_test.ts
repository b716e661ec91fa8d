import { assertEquals } from "@std/assert";
import { scoringDown } from "../../../services/scores/scoring_down.ts";
import { callsUsedUp } from "../../../services/platform/fault.ts";

Deno.test("scoringDown() says when a used up share has calls again, and nothing about an outage", () => {
  const index = "the explorer index";
  const cause = callsUsedUp(index, "192.0.2.1", 11_001);
  assertEquals(
    scoringDown(index, 11_001, cause).message,
    "Cannot score the address: your share of the calls to the explorer index is used up and nothing is stored; try again in 12 seconds",
  );
  assertEquals(
    scoringDown(index, 11_001).message,
    "Cannot score the address: the explorer index is out of reach and nothing is stored",
  );
});
