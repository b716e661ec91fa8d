/** What is compared of recorded answers. */
import { assertEquals } from "@std/assert";
import {
  addAnswer,
  compareRecordings,
  type Recording,
} from "../../support/walk/recording.ts";

Deno.test("addAnswer() keeps each answer to a request once, in order", () => {
  const recording: Recording = {};
  const of = (score: number) => ({ status: 200, body: { score, more: [1] } });
  for (const score of [1, 2, 1, 2]) addAnswer(recording, "GET /", of(score));
  assertEquals(recording, { "GET /": [of(1), of(2)] });
});

Deno.test("compareRecordings() lists differences, but not in the texts of messages", () => {
  const error = (text: string, code: string) => ({
    status: 400,
    body: { error: text, message: text, code },
  });
  const list = (values: unknown[]) => ({ status: 200, body: { values } });
  const before: Recording = {
    "GET /a": [error("no", "BAD")],
    "GET /b": [list([1, { day: 1, value: 2 }])],
    "GET /c": [list([])],
    "GET /d": [{ status: 200, body: { message: "hello" } }],
  };
  assertEquals(
    compareRecordings(before, {
      ...before,
      "GET /a": [error("never", "BAD")],
      "GET /b": [list([1, { value: 2, day: 1 }])],
    }),
    [],
  );
  const { "GET /c": _, ...others } = before;
  assertEquals(
    compareRecordings(before, {
      ...others,
      "GET /a": [error("no", "WORSE")],
      "GET /b": [list([1, { day: 2, value: [] }, 3])],
      "GET /d": [{ status: 200, body: { message: {} } }],
      "GET /e": [list([])],
    }),
    [
      'GET /a .0.body.code: "BAD" → "WORSE"',
      "GET /b .0.body.values.1.day: 1 → 2",
      "GET /b .0.body.values.1.value: 2 → []",
      "GET /b .0.body.values.2: undefined → 3",
      "GET /c: only before",
      'GET /d .0.body.message: "hello" → {}',
      "GET /e: only after",
    ],
  );
});
