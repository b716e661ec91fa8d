import { assertEquals } from "@std/assert";
import { retryWords } from "../../../services/platform/text.ts";

Deno.test("retryWords() rounds the wait up, and names long ones in longer units", () => {
  const cases: [ms: number, words: string][] = [
    [0, "1 second"],
    [1_000, "1 second"],
    [1_001, "2 seconds"],
    [120_000, "120 seconds"],
    [120_001, "3 minutes"],
    [86_400_000, "24 hours"],
    [29.2 * 86_400_000, "30 days"],
  ];
  for (const [ms, words] of cases) {
    assertEquals(retryWords(ms), `try again in ${words}`);
  }
});
