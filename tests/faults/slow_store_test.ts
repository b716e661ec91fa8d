/** A database that answers late, or not at all: answers take at most five seconds, and say so. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createApp } from "../../routes/app.ts";
import { waitUntil } from "../support/wait_until.ts";
import { ADDRESS, openService } from "../support/kv/operations.ts";

/** What is asked, with the status that it has while the database hangs. */
const ASKED: Readonly<Record<string, number>> = {
  [`/api/v1/score/${ADDRESS}`]: 500,
  "/api/v1/usage": 500,
  "/api/chain-data/metrics?metric=gasUsed": 503,
  "/api/chain-data/quality": 503,
  "/api/v1/health": 503,
  "/": 503,
  "/status": 200,
};

/** The longest time of an answer; pages have three seconds. */
const MOST_MS = 5_000;
const PAGE_MS = 3_000;

Deno.test("while the database hangs every answer comes in time, as STORE_BUSY with Retry-After, and costs nothing", async () => {
  const { deps, faults, caller } = await openService();
  using _deps = deps;
  const app = createApp(deps);
  // Warms nothing but the caller: each path has to read the database.
  faults.delayMs = 6_000;
  const asking = Object.entries(ASKED).map(async ([path, expected]) => {
    const startedAt = performance.now();
    const isPage = ["/", "/status"].includes(path);
    const headers = {
      "X-Api-Key": caller.key,
      Accept: isPage ? "text/html" : "application/json",
    };
    const response = await app.fetch(
      new Request(`${deps.publicUrl}${path}`, { headers }),
    );
    const text = await response.text();
    const tookMs = performance.now() - startedAt;
    assertEquals([path, response.status], [path, expected], text);
    const mostMs = isPage ? PAGE_MS : MOST_MS;
    assert(tookMs < mostMs, `${path} took ${tookMs} ms`);
    if (isPage || path.endsWith("/health")) return;
    assertEquals([path, JSON.parse(text).code], [path, "STORE_BUSY"]);
    assertEquals(response.headers.get("Retry-After"), "2");
  });
  await Promise.all(asking);
  faults.delayMs = 0;
  await waitUntil(() => caller.used().then(() => true, () => false));
  assertEquals(await caller.used(), 0);
  const { status } = await caller.ask(`/score/${ADDRESS}`);
  assertEquals(status, 200, "it works again at once");
  // The late calls of the database end before the test does.
  await new Promise((resolve) => setTimeout(resolve, 6_000));
});

Deno.test("a charge whose commit is late says that it may have been made", async () => {
  const { deps, faults, caller } = await openService();
  using _deps = deps;
  const app = createApp(deps);
  async function ask() {
    const url = `${deps.publicUrl}/api/v1/score/${ADDRESS}`;
    const headers = { "X-Api-Key": caller.key };
    const response = await app.fetch(new Request(url, { headers }));
    const { status } = response;
    return { status, headers: response.headers, body: await response.json() };
  }
  for (let call = 0; call < 3; call++) assertEquals((await ask()).status, 200);
  const startedAt = performance.now();
  faults.delayMs = 4_000;
  const { status, body, headers } = await ask();
  const tookMs = performance.now() - startedAt;
  faults.delayMs = 0;
  assertEquals([status, body.code], [500, "STORE_BUSY"]);
  assertMatch(body.message, /may have been charged/);
  assert(headers.get("Retry-After") !== null);
  assert(tookMs < MOST_MS, `${tookMs} ms`);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
});
