/** The cache of the answers of open tools: how much it holds. */
import { assertEquals } from "@std/assert";
import { answerCache } from "../../../routes/mcp/answer_cache.ts";

const NOW = Date.parse("2026-11-21T08:00:00Z");
const FRESHNESS = { maxStaleMs: 0, client: undefined };

/** A cache, and the keys of the answers that were made. */
function open() {
  const made: string[] = [];
  const ask = answerCache({ now: () => new Date(NOW) });
  return {
    made,
    ask: (key: string, characters = 10) =>
      ask(key, FRESHNESS, () => {
        made.push(key);
        const answer = { summary: "x".repeat(characters) };
        return Promise.resolve({ answer, fetchedAt: NOW, changedAt: null });
      }),
  };
}

Deno.test("an answer is kept, and shared by calls at once", async () => {
  const { made, ask } = open();
  await Promise.all([ask("a"), ask("a")]);
  await ask("a");
  await ask("b");
  assertEquals(made, ["a", "b"]);
});

Deno.test("answers take twice their text and 512 characters, of 8 × 2^20 in all", async () => {
  const { made, ask } = open();
  // {"summary":""} has 14 characters.
  const whole = (8 * 2 ** 20 - 512) / 2 - 14;
  await ask("largest", whole);
  await ask("largest", whole);
  await ask("larger", whole + 1);
  await ask("larger", whole + 1);
  assertEquals(made, ["largest", "larger", "larger"]);
  const half = (4 * 2 ** 20 - 512) / 2 - 14;
  for (const key of ["a", "b", "a", "c", "a", "b"]) await ask(key, half);
  assertEquals(made.slice(3), ["a", "b", "c", "b"]);
});
