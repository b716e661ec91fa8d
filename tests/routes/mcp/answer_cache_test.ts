/** The cache of the answers of open tools: how much it holds. */
import { assertEquals } from "@std/assert";
import { answerCache } from "../../../routes/mcp/answer_cache.ts";

const NOW = Date.parse("2026-11-21T08:00:00Z");
const FRESHNESS = { maxStaleMs: 0, client: undefined };

/** A cache, and the keys of the answers that were made. Each takes as long. */
function open({ start = NOW, takesMs = 0 } = {}) {
  const made: string[] = [];
  let ms = start;
  const ask = answerCache({ now: () => new Date(ms) }, {
    run: (_, work) => work(),
  });
  return {
    made,
    ask: (key: string, characters = 10) =>
      ask(key, FRESHNESS, () => {
        made.push(key);
        ms += takesMs;
        const answer = { summary: "x".repeat(characters) };
        return Promise.resolve({ answer, fetchedAt: ms, changedAt: null });
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

Deno.test("an answer that is made while the UTC day ends is not kept for the next day", async () => {
  const start = Date.parse("2026-11-20T23:59:59Z");
  const { made, ask } = open({ start, takesMs: 1_000 });
  for (const key of ["a", "a", "a"]) await ask(key);
  assertEquals(made, ["a", "a"]);
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
