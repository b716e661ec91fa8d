import { assertEquals } from "@std/assert";
import { scoringDown } from "../../../services/scores/scores.ts";

Deno.test("scoringDown() says what cannot be reached", () => {
  assertEquals(
    scoringDown("the explorer index", 11_001).message,
    "Cannot score the address: the explorer index is unreachable and nothing is stored",
  );
});
