/** The response cache: which requests share an answer. */
import { assertEquals } from "@std/assert";
import { Hono } from "hono";
import { responseCache } from "../../../routes/http/response_cache.ts";

const NOW = Date.parse("2026-11-21T08:00:00Z");

/** An app whose answers wait for `finish`, and the freshness that each was made with. */
function open() {
  const answers = responseCache({
    now: () => new Date(NOW),
    trustedProxyHops: 0,
  });
  const made: number[] = [];
  const { promise, resolve: finish } = Promise.withResolvers<void>();
  const app = new Hono().get(
    "/",
    (c) =>
      answers.send(c, {}, async ({ maxStaleMs }) => {
        made.push(maxStaleMs);
        await promise;
        const text = `at most ${maxStaleMs} ms stale`;
        const type = "text/plain";
        return { text, type, fetchedAt: NOW, changedAt: null };
      }),
  );
  const ask = async (headers: Record<string, string> = {}) =>
    await (await app.request("/", { headers })).text();
  return { ask, made, finish };
}

Deno.test("requests at once share one answer, but nobody gets one that is staler than they accept", async () => {
  const { ask, made, finish } = open();
  const hour = { "Cache-Control": "max-stale=3600" };
  const answers = Promise.all([ask(hour), ask(), ask(hour), ask()]);
  finish();
  assertEquals(await answers, [
    "at most 3600000 ms stale",
    "at most 0 ms stale",
    "at most 3600000 ms stale",
    "at most 0 ms stale",
  ]);
  assertEquals(made, [3_600_000, 0]);
});
