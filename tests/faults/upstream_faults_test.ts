/** Failures of an upstream, for every endpoint that needs it. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createApp } from "../../routes/app.ts";
import { exampleOf } from "../../simnet/accounts.ts";
import type { BehaviourChange } from "../../simnet/switches.ts";
import type { UpstreamName } from "../../simnet/upstreams.ts";
import { SIGNING } from "../support/attestations.ts";
import { enrol } from "../support/callers.ts";
import { testDeps } from "../support/deps.ts";
import { dumpOf } from "../support/kv/stored.ts";

const HOUR_MS = 3_600_000;
const ADDRESS = exampleOf("ordinary");

/** Endpoints, the upstream that each needs, and the status when that upstream fails. */
const ENDPOINTS: [path: string, needs: UpstreamName, status: number][] = [
  ["/", "metricsApi", 503],
  ["/api/chain-data/chains", "metricsApi", 503],
  ["/api/chain-data/chains?format=csv", "metricsApi", 503],
  ["/api/chain-data/metrics", "metricsApi", 503],
  ["/api/chain-data/metrics?range=all&format=csv", "metricsApi", 503],
  ["/api/chain-data/metrics?chainId=53935", "metricsApi", 503],
  ["/api/chain-data/monthly-transactions", "metricsApi", 503],
  ["/api/chain-data/transaction-fees", "metricsApi", 503],
  ["/api/chain-data/block-production", "explorer", 503],
  ["/api/chain-data/validators", "metricsApi", 503],
  ["/chart/txCount.svg", "metricsApi", 503],
  ["/chart/monthly-transactions.svg", "metricsApi", 503],
  ["/chart/transaction-fees.svg", "metricsApi", 503],
  ["/chart/block-production.svg", "explorer", 503],
  ["/chart/validators.svg", "metricsApi", 503],
  [`/api/v1/score/${ADDRESS}`, "explorer", 500],
  [`/api/v1/score/${ADDRESS}/signed`, "explorer", 500],
];

/**
 * What an upstream does, and the `Retry-After` that a caller gets, in seconds. That
 * other statuses and forms are the same failure is shown by the clients' tests.
 */
const FAILURES: Record<string, [change: BehaviourChange, seconds: number]> = {
  "refuses to connect": [{ mode: "refuse" }, 30],
  "answers 429 and asks for two minutes": [
    { mode: "status", status: 429, headers: { "Retry-After": "120" } },
    120,
  ],
  "stops in the middle of an answer": [{ mode: "garbage" }, 30],
  "answers JSON of another shape": [{ mode: "shape" }, 30],
};

/** Failures after the first call, for answers that take several calls. */
const HALFWAY: Record<string, BehaviourChange> = {
  "refuses from the second call on": { mode: "refuse", after: 1 },
  "answers JSON of another shape from the second call on": {
    mode: "shape",
    after: 1,
  },
};

/** Opens a service, and a caller whose plan allows every request. */
async function openService() {
  const deps = await testDeps({ settings: SIGNING });
  const caller = await enrol(deps, { plan: "scale" });
  return {
    deps,
    used: caller.used,

    /** Requests a path from a new process: its caches are empty. */
    async ask(path: string) {
      const headers = { "X-Api-Key": caller.key };
      const response = await createApp(deps).request(path, { headers });
      const text = await response.text();
      return { status: response.status, headers: response.headers, text };
    },
  };
}

type Service = Awaited<ReturnType<typeof openService>>;

/** Asserts that a request fails without a charge, a partial answer or a change of stored data. */
async function assertFails(
  { deps, used, ask }: Service,
  path: string,
  wanted: { readonly status: number; readonly seconds: number | null },
): Promise<void> {
  const before = { dump: await dumpOf(deps), used: await used() };
  const { status, headers, text } = await ask(path);
  assertEquals(status, wanted.status, text);
  const wait = Number(headers.get("Retry-After"));
  if (wanted.seconds === null) assert(wait > 0);
  else assertEquals(wait, wanted.seconds);
  assertMatch(headers.get("Cache-Control")!, /no-store/);
  if (path.startsWith("/api/")) {
    assertEquals(JSON.parse(text).code, "UPSTREAM_UNAVAILABLE");
  }
  assert(!text.includes('series":['), "part of a series is in the answer");
  assertEquals({ dump: await dumpOf(deps), used: await used() }, before);
}

/** Asserts that a call succeeds soon after upstream does, once the calls in flight have failed. */
async function assertRecovers(
  { deps, ask }: Service,
  [path, upstream]: readonly [path: string, upstream: UpstreamName],
): Promise<void> {
  deps.upstreams[upstream].switch.set({ mode: "ok" });
  await deps.settle();
  const texts: string[] = [];
  while (texts.length < 3) {
    deps.advance(600_000);
    const { status, text } = await ask(path);
    if (status === 200) return;
    texts.push(text);
  }
  throw new Error(`It does not recover: ${texts.join("\n")}`);
}

for (const [path, needs, status] of ENDPOINTS) {
  Deno.test(`${path} fails cleanly without the ${needs}, and recovers`, async (t) => {
    for (const [name, [change, seconds]] of Object.entries(FAILURES)) {
      await t.step(`empty database, upstream ${name}`, async () => {
        const service = await openService();
        using deps = service.deps;
        deps.upstreams[needs].switch.set(change);
        await assertFails(service, path, { status, seconds });
        await assertRecovers(service, [path, needs]);
      });
    }
    for (const [name, change] of Object.entries(HALFWAY)) {
      await t.step(`empty database, upstream ${name}`, async () => {
        const service = await openService();
        using deps = service.deps;
        deps.upstreams[needs].switch.set(change);
        const { status: answered, text } = await service.ask(path);
        const hasFailed = deps.upstreams[needs].calls.length > 1;
        assertEquals(answered, hasFailed ? status : 200, text);
        if (answered !== 200) assert(!text.includes('series":['), text);
        await assertRecovers(service, [path, needs]);
      });
    }
  });
}

Deno.test("chain data older than an hour is neither served nor lost while upstream fails", async (t) => {
  const hourly = ENDPOINTS.filter(([, needs]) => needs === "metricsApi");
  for (const [path, needs, status] of hourly) {
    await t.step(path, async () => {
      const service = await openService();
      using deps = service.deps;
      assertEquals((await service.ask(path)).status, 200);
      for (const [change] of Object.values(FAILURES)) {
        deps.advance(2 * HOUR_MS);
        deps.upstreams[needs].switch.set(change);
        await assertFails(service, path, { status, seconds: null });
      }
      await assertRecovers(service, [path, needs]);
    });
  }
});

Deno.test("every endpoint gives up on an upstream that never answers", async () => {
  await Promise.all(ENDPOINTS.map(async ([path, needs, status]) => {
    const service = await openService();
    using deps = service.deps;
    const never = { mode: "slow", delayMs: 600_000 } as const;
    deps.upstreams[needs].switch.set(never);
    await assertFails(service, path, { status, seconds: 30 });
    await assertRecovers(service, [path, needs]);
  }));
});
