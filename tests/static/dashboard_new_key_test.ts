import { assertEquals } from "@std/assert";
import { SCORED_FIXTURES } from "../../services/scores/test_key_answers.ts";
import { TEST_ADDRESS } from "../../static/dashboard/new_key.js";

Deno.test("the page asks for a test address that returns a score", () => {
  assertEquals(TEST_ADDRESS, SCORED_FIXTURES.rising.address);
});
