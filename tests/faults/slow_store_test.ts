/** A database that answers late, or not at all: answers take at most five seconds, and say so. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createApp } from "../../routes/app.ts";
import { waitUntil } from "../support/wait_until.ts";
import type { KvFaults } from "../support/kv/faulty_kv.ts";
import { ADDRESS, openService } from "../support/kv/operations.ts";

/** What is asked, with the status that it has while the database hangs and nothing is cached. */
const ASKED: Readonly<Record<string, number>> = {
  [`/api/v1/score/${ADDRESS}`]: 500,
  "/api/v1/usage": 500,
  "/api/chain-data/metrics?metric=gasUsed": 503,
  "/api/chain-data/quality": 503,
  "/api/v1/health": 503,
  "/": 503,
  "/status": 200,
  "/chains": 503,
  "/chains/43114": 503,
  "/disputes": 503,
  "/revisions": 503,
  "/downloads": 503,
  "/dashboard": 200,
  "/docs": 200,
  [`/profiles/${ADDRESS}`]: 503,
  [`/tools/score/${ADDRESS}`]: 503,
};

/** The longest time of an answer, five seconds, and of a page, three: each with two more for a busy machine. */
const MOST_MS = 7_000;
const PAGE_MS = 5_000;

/** Lets the database hang until it is released. */
function hang(faults: KvFaults): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  faults.pause = () => promise;
  return () => {
    faults.pause = null;
    resolve();
  };
}

Deno.test("while the database hangs every answer comes in time, as STORE_BUSY with Retry-After, and costs nothing", async () => {
  const { deps, faults, caller } = await openService();
  using _deps = deps;
  const app = createApp(deps);
  // Warms nothing but the caller: each path has to read the database.
  const release = hang(faults);
  const asking = Object.entries(ASKED).map(async ([path, expected], nth) => {
    // Pages wait for each other, one network's at a time.
    await new Promise((resolve) => setTimeout(resolve, nth * 200));
    const startedAt = performance.now();
    const isPage = !path.startsWith("/api/");
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
  release();
  await waitUntil(() => caller.used().then(() => true, () => false));
  assertEquals(await caller.used(), 0);
  const { status } = await caller.ask(`/score/${ADDRESS}`);
  assertEquals(status, 200, "it works again at once");
  await deps.settle();
});

Deno.test("while the database hangs, what was read before is sent from memory with its Age, and pages with a banner", async () => {
  const { deps, faults } = await openService();
  using _deps = deps;
  const app = createApp(deps);
  const ask = async (path: string, Accept: string) => {
    const response = await app.fetch(
      new Request(`${deps.publicUrl}${path}`, { headers: { Accept } }),
    );
    return { response, text: await response.text() };
  };
  const rows: [path: string, accept: string][] = [
    ["/api/chain-data/metrics?metric=txCount&range=30d", "application/json"],
    ["/api/chain-data/metrics?metric=gasUsed&format=csv", "text/csv"],
    ["/api/chain-data/block-production", "application/json"],
    ["/", "text/html"],
    ["/chains", "text/html"],
  ];
  const before = new Map<string, string>();
  for (const [path, accept] of rows) {
    const { response, text } = await ask(path, accept);
    assertEquals([path, response.status], [path, 200]);
    before.set(path, text);
  }
  const profile = `/profiles/${ADDRESS}`;
  assertEquals((await ask(profile, "text/html")).response.status, 200);
  deps.advance(2 * 3_600_000);
  const release = hang(faults);
  // Its owner may have hidden it since.
  assertEquals((await ask(profile, "text/html")).response.status, 503);
  for (const [path, accept] of rows) {
    const startedAt = performance.now();
    const { response, text } = await ask(path, accept);
    const tookMs = performance.now() - startedAt;
    assertEquals([path, response.status], [path, 200]);
    assert(tookMs < PAGE_MS, `${path} took ${tookMs} ms`);
    // The clock also runs while the sources are read.
    const age = Number(response.headers.get("Age"));
    assert(age >= 7_200 && age < 7_300, String(age));
    if (accept !== "text/html") continue;
    const banner = /<p class="notice notice-warn" role="status">[^]*?<\/p>/;
    assertMatch(text, banner);
    assertMatch(text, /as it was at <time [^>]*datetime="2026-11-21T08:0/);
    assertEquals(response.headers.get("ETag"), null);
    assert(response.headers.has("Content-Security-Policy"));
    const without = text.replace(banner, "").replaceAll(/\s+/g, "");
    assertEquals(without, before.get(path)!.replaceAll(/\s+/g, ""));
  }
  deps.advance(24 * 3_600_000);
  const [path, accept] = rows[0]!;
  const { response } = await ask(path, accept);
  assertEquals(response.status, 503, "older than a day");
  release();
  await deps.settle();
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
  const release = hang(faults);
  const { status, body, headers } = await ask();
  const tookMs = performance.now() - startedAt;
  release();
  assertEquals([status, body.code], [500, "STORE_BUSY"]);
  assertMatch(body.message, /may have been charged/);
  assert(headers.get("Retry-After") !== null);
  assert(tookMs < MOST_MS, `${tookMs} ms`);
  await deps.settle();
});
