/**
 * A database that answers late, or not at all: an answer takes at most five seconds of
 * its time, a page three, and says so. The time passes only while it is waited for.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createApp } from "../../routes/app.ts";
import { surfaceOf } from "../../routes/http/route_name.ts";
import type { KvFaults } from "../support/kv/faulty_kv.ts";
import {
  ADDRESS,
  callOf,
  mend,
  openService,
  operationsOf,
} from "../support/kv/operations.ts";
import { type VirtualTime, virtualTime } from "../support/kv/virtual_time.ts";

/** The longest time of an answer and of a page, with the millisecond in which a late answer may still come. */
const MOST_MS = 5_001;
const PAGE_MS = 3_001;

/** Brings the database into a state. */
type Spoil = (faults: KvFaults, time: VirtualTime) => void;

const late = (ms: number): Spoil => (faults, { sleep }) =>
  faults.pause = () => sleep(ms);

/** What Deno's client throws if a hosted database limits its calls. */
const THROTTLED = new TypeError(
  'KV Connect failed to call "https://kv.test/snapshot_read" (status=429): too many requests',
);

const STATES: Record<string, Spoil> = {
  "answers in more than 3 s": late(3_100),
  "hangs": late(Infinity),
  "throttles": (faults) => faults.reads = faults.commits = THROTTLED,
};

/** What needs no database, or answers without it. */
const WITHOUT = [
  "/docs",
  "/status",
  "/tools/score",
  "getChainCard",
  "getChainData",
  "getLiveness",
  "getManifestKeys",
  "getScoring",
  "getSigners",
  "getStatus",
];

/** Pages and files that no document lists. */
const PAGES = [
  "/chains",
  "/chains/43114",
  "/disputes",
  "/revisions",
  "/downloads",
  "/dashboard/calls",
  "/dashboard/profile",
  `/profiles/${ADDRESS}`,
  "/tools/score",
];

const TOOL_CALL = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "get_metrics", arguments: { metric: "gasUsed" } },
};

/** Opens a service on a database of its own time. */
async function openSlow() {
  const time = virtualTime(() => service.deps.kv);
  const service = await openService({ stopwatch: time });
  return { ...service, time };
}

/** Lists every documented operation, pages, and a call of a tool. What ends the session comes last. */
async function listCalls(service: Awaited<ReturnType<typeof openSlow>>) {
  const pages = PAGES.map((path) => ({
    path,
    method: "GET",
    operation: { operationId: path, summary: path, responses: {} },
  }));
  const operations = [...await operationsOf(service), ...pages]
    .toSorted((a, b) =>
      Number(a.method === "DELETE") - Number(b.method === "DELETE")
    );
  const app = createApp(service.deps);
  const calls = operations.map((operation) => ({
    name: operation.operation.operationId,
    path: operation.path,
    prepare: () => callOf(service, operation),
  }));
  const callTool = async () => {
    const response = await app.request("/mcp", {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
      },
      body: JSON.stringify(TOOL_CALL),
    });
    const { status, headers } = response;
    return { status, headers, text: await response.text() };
  };
  const mcp = {
    name: "mcp",
    path: "/mcp",
    prepare: () => Promise.resolve(callTool),
  };
  return [...calls, mcp];
}

for (const [state, spoil] of Object.entries(STATES)) {
  Deno.test(`while the database ${state}, every answer is STORE_BUSY within five seconds of its time, a page within three, and costs nothing`, async () => {
    const service = await openSlow();
    const { deps, faults, caller, time } = service;
    using _deps = deps;
    for (const { name, path, prepare } of await listCalls(service)) {
      const call = await prepare();
      spoil(faults, time);
      const { result: { status, headers, text }, tookMs } = await time
        .during(call);
      mend(faults);
      time.pass(60_000);
      await deps.settle();
      deps.advance(61_000);
      const url = `${deps.publicUrl}${path}`;
      const isPage = surfaceOf(new Request(url)) === "pages";
      const about = `${path}: ${status} after ${tookMs} ms: ${text}`;
      assert(tookMs <= (isPage ? PAGE_MS : MOST_MS), about);
      if (path === "/mcp") {
        assertMatch(text, /does not answer in time|too much to do/);
        continue;
      }
      if (WITHOUT.includes(name)) {
        assert(status < 500, about);
        continue;
      }
      assert(!text.includes("internal error"), about);
      const isScoring = path.startsWith("/api/v1/") && name !== "getHealth";
      assertEquals(status, isScoring ? 500 : 503, about);
      if (/svg$|badge/.test(path)) continue;
      if (name === "getHealth") continue;
      assertEquals(headers.get("Retry-After"), "2", about);
      if (/json/.test(headers.get("Content-Type")!)) {
        assertEquals(JSON.parse(text).code, "STORE_BUSY", about);
      } else {
        assertMatch(text, /database (is busy|does not answer|has too)/, about);
      }
    }
    assertEquals(await caller.used(), 0);
    const { status } = await caller.ask(`/score/${ADDRESS}`);
    assertEquals(status, 200, "it works again at once");
    await deps.settle();
  });
}

Deno.test("while the database hangs, what was read before is sent from memory with its Age, and pages with a banner", async () => {
  const { deps, faults, time } = await openSlow();
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
  faults.pause = () => time.sleep(Infinity);
  // Its owner may have hidden it since.
  const personal = await time.during(() => ask(profile, "text/html"));
  assertEquals(personal.result.response.status, 503);
  for (const [path, accept] of rows) {
    time.pass(60_000);
    const { result: { response, text }, tookMs } = await time
      .during(() => ask(path, accept));
    assertEquals([path, response.status], [path, 200]);
    assert(tookMs <= PAGE_MS, `${path} took ${tookMs} ms`);
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
  const { result } = await time.during(() => ask(path, accept));
  assertEquals(result.response.status, 503, "older than a day");
  mend(faults);
  time.pass(60_000);
  await deps.settle();
});

Deno.test("a charge whose commit is late says that it may have been made", async () => {
  const { deps, faults, caller, time } = await openSlow();
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
  faults.pause = () => time.sleep(Infinity);
  const { result: { status, body, headers }, tookMs } = await time.during(ask);
  mend(faults);
  time.pass(60_000);
  assertEquals([status, body.code], [500, "STORE_BUSY"]);
  assertMatch(body.message, /may have been charged/);
  assert(headers.get("Retry-After") !== null);
  assert(tookMs <= MOST_MS, `${tookMs} ms`);
  await deps.settle();
});
