/** How the clients of all upstreams are opened. */
import {
  planRequester,
  SERVICE,
} from "../../services/platform/rate_limit/call_budget.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { CANARY } from "../../services/chain_data/series/series_freshness.ts";
import { Fault } from "../../services/platform/fault.ts";
import { METRIC_NAMES } from "../../services/chain_data/catalogue/metrics_schema.ts";
import { createApp } from "../../routes/app.ts";
import { exampleOf } from "../../simnet/accounts.ts";
import {
  readCapacityUse,
  readColdReads,
} from "../../services/scores/capacity.ts";
import { readScore } from "../../services/scores/scores.ts";
import {
  asFetch,
  simulateUpstreams,
  UPSTREAM_PATHS,
} from "../../simnet/upstreams.ts";
import { START, testDeps } from "../support/deps.ts";
import { timeoutsOf } from "../support/timeouts.ts";
import { virtualService } from "../support/virtual_service.ts";
import { CALL_OPTIONS } from "../support/upstreams.ts";

const SCALE = planRequester("0x1", { weight: 16, cap: 3 / 4 });

Deno.test("openUpstreams() reads from the first node, and confirms with all of them", async () => {
  const asked: string[] = [];
  using deps = await testDeps({
    settings: { C_CHAIN_RPC_URL: "http://one.test/rpc, http://two.test/rpc" },
    fetch(input, init) {
      asked.push(new Request(input, init).url);
      return Promise.resolve(new Response(null, { status: 500 }));
    },
  });
  const { cChain, transfers, signatures } = deps.upstream;
  await assertRejects(() => cChain.findFirstBlock(0, [], CALL_OPTIONS), Fault);
  assertEquals(asked, ["http://one.test/rpc"]);
  const both = ["one.test", "two.test"];
  assertEquals(transfers.map(({ host }) => host), both);
  assertEquals(signatures.length, both.length);
});

Deno.test("a chain with a host of its own is read there, named in source, and has its own limits and pause", async () => {
  const asked: string[] = [];
  const upstreams = simulateUpstreams({ now: () => new Date(START) });
  const send = asFetch(upstreams);
  let isPaused = false;
  using deps = await testDeps({
    settings: {
      METRICS_API_URLS: JSON.stringify({
        2044: `https://own.test${UPSTREAM_PATHS.metricsApi}`,
        3011: `https://own.test${UPSTREAM_PATHS.metricsApi}/other`,
      }),
      METRICS_CALLS_PER_MINUTE: "20",
    },
    async fetch(input, init) {
      const { host, pathname, search } = new URL(
        new Request(input, init).url,
      );
      asked.push(`${host}${pathname.replace(UPSTREAM_PATHS.metricsApi, "")}`);
      if (host !== "own.test") return send(input, init);
      const path = pathname.replace("/other", "");
      return isPaused
        ? new Response(null, { status: 429, headers: { "Retry-After": "300" } })
        // Marked as simulated, a source has no host in its name.
        : new Response(
          (await send(`http://metrics.test${path}${search}`)).body,
        );
    },
  });
  const app = createApp(deps);
  const ask = async (chainId: number, metric = "txCount") => {
    asked.length = 0;
    const path =
      `/api/chain-data/metrics?chainId=${chainId}&metric=${metric}&range=30d`;
    const response = await app.request(path);
    return { status: response.status, ...await response.json() };
  };
  await ask(43114);
  const own = await ask(2044);
  assertEquals(own.source, "Avalanche Metrics API (own.test)");
  assertEquals(own.series.length > 0, true);
  assertEquals(asked, ["own.test/v2/chains/2044/metrics/txCount"]);
  await ask(3011);
  assertEquals(asked, ["own.test/other/v2/chains/3011/metrics/txCount"]);
  await ask(4337);
  assertEquals(asked, ["metrics.test/v2/chains/4337/metrics/txCount"]);
  const { sources } = await (await app.request("/api/chain-data/quality"))
    .json();
  assertEquals(
    sources.filter(({ url }: { url: string }) => url === "https://own.test")
      .map(({ serves }: { serves: string }) => serves),
    ["daily series of chain 2044", "daily series of chain 3011"],
  );
  const statuses: number[] = [];
  while (statuses.at(-1) !== 503) {
    const metric = METRIC_NAMES[statuses.length]!;
    statuses.push((await ask(8021, metric)).status);
  }
  assertEquals(asked, [], "the calls to metrics.test are used up");
  assertEquals((await ask(2044, "gasUsed")).status, 200);
  isPaused = true;
  assertEquals((await ask(2044, "maxTps")).status, 503);
  assertEquals((await ask(3011, "maxTps")).status, 503);
  assertEquals(asked, [], "one pause for all chains of a host");
  deps.advance(60_000);
  assertEquals((await ask(6119)).status, 200);
});

Deno.test("every upstream has eight seconds for a call", async () => {
  using deps = await testDeps();
  const { cChain, domains, explorer, metrics, platformChain, transfers } =
    deps.upstream;
  const options = {
    priority: "job",
    signal: new AbortController().signal,
    requester: SERVICE,
  } as const;
  const address = exampleOf("ordinary");
  const calls = {
    metrics: () =>
      metrics.readDaily(CANARY, { ...options, fromDay: undefined }),
    explorer: () => explorer.readAccount(address, options),
    cChain: () => cChain.announce(address).read(options),
    platformChain: () => platformChain.readValidators(options),
    transfers: () => transfers[0]!.readHead(options),
    domains: () => domains.readTexts("_firn.example.com", options),
  };
  for (const [name, call] of Object.entries(calls)) {
    const timeouts = await timeoutsOf(() => call());
    assertEquals(new Set(timeouts), new Set([8_000]), name);
  }
});

Deno.test("a cold read is made by the index that has calls left, and by another one if that fails", async () => {
  const indexes = [
    { url: "http://second.test/api", perSecond: 2, perDay: 10 },
    { url: "http://second.test/api", key: "k", perSecond: 2, perDay: 10_000 },
  ];
  const asked: string[] = [];
  const upstreams = simulateUpstreams({ now: () => new Date(START) });
  const send = asFetch(upstreams);
  let isFirstDown = false;
  using deps = await testDeps({
    settings: {
      EXPLORER_CALLS_PER_DAY: "3",
      EXPLORER_INDEXES: JSON.stringify(indexes),
    },
    fetch(input, init) {
      const url = new URL(new Request(input, init).url);
      if (url.pathname === "/api") {
        const name = `second${url.searchParams.get("apikey") ?? ""}`;
        asked.push(name);
        const { search } = url;
        return send(`http://explorer.test${UPSTREAM_PATHS.explorer}${search}`);
      }
      if (url.host === "explorer.test") {
        asked.push("first");
        if (isFirstDown) {
          return Promise.resolve(new Response(null, { status: 500 }));
        }
      }
      return send(input, init);
    },
  });
  const read = (nth: number) =>
    readScore(deps, exampleOf("ordinary", nth), { requester: SCALE });
  isFirstDown = true;
  await read(0);
  assertEquals(asked, ["first", "second"]);
  isFirstDown = false;
  for (let nth = 1; nth <= 15; nth++) await read(nth);
  const counts = Map.groupBy(asked, (name) => name);
  assertEquals(
    ["first", "second", "secondk"].map((name) => counts.get(name)?.length),
    [2, 7, 9],
    "three quarters of a day are for one wallet",
  );
  const { used, left } = await readCapacityUse(deps);
  assertEquals([used, left], [18, 10_012 - 18]);
  const own = await readColdReads(deps, { wallet: "0x1", plan: "scale" });
  assertEquals(own, { perMinute: 129, perDay: 7_509, used: 18, left: 7_491 });
});

Deno.test("with a portal, reads beyond the calls of the index are made together there, and elsewhere if it fails", async () => {
  const url = `http://portal.test${UPSTREAM_PATHS.portal}`;
  const addresses = Array.from(
    { length: 40 },
    (_, nth) => exampleOf("ordinary", nth),
  );
  const readAll = async (settings: Record<string, string>, isDown = false) => {
    using service = await virtualService({
      EXPLORER_CALLS_PER_DAY: "12",
      ...settings,
    });
    const { deps, upstreams } = service;
    if (isDown) upstreams.portal.switch.set({ mode: "status", status: 503 });
    const start = deps.now().getTime();
    const outcomes = Promise.allSettled(
      addresses.map((address) =>
        readScore(deps, address, { requester: SCALE })
      ),
    );
    await service.run(outcomes);
    const late = readScore(deps, exampleOf("new"), { requester: SCALE })
      .then(() => null, ({ failure }) => failure);
    await service.run(late);
    const scores = (await outcomes).flatMap((outcome) =>
      outcome.status === "fulfilled" ? [outcome.value.headline.score] : []
    );
    const refusals = (await outcomes).flatMap((outcome) =>
      outcome.status === "rejected" ? [outcome.reason.failure.kind] : []
    );
    return {
      scores,
      refusals: [...new Set(refusals)],
      late: await late,
      tookMs: deps.now().getTime() - start,
      index: upstreams.explorer.calls.length,
      portal: upstreams.portal.calls.length,
    };
  };
  const alone = await readAll({
    EXPLORER_CALLS_PER_DAY: "10000",
    EXPLORER_CALLS_PER_SECOND: "1000",
  });
  assertEquals([alone.scores.length, alone.portal], [addresses.length, 0]);
  const joined = await readAll({ SQD_PORTAL_URL: url });
  assertEquals(joined.scores, alone.scores);
  assert(joined.index <= 12 && joined.portal <= 12, Deno.inspect(joined));
  const busy = await readAll({
    SQD_PORTAL_URL: url,
    EXPLORER_CALLS_PER_DAY: "10000",
  }, true);
  assert(busy.scores.length < addresses.length);
  assertEquals(busy.refusals, ["scoringBusy"], "each keeps a place");
  assert(busy.tookMs < 9_000, `${busy.tookMs} ms`);
  const down = await readAll({ SQD_PORTAL_URL: url }, true);
  assert(down.portal > 0 && down.scores.length > 0, Deno.inspect(down));
  // The index is used up, and the portal is left alone: nothing failed.
  assertEquals(down.late.kind, "capacitySpent");
  assert(down.late.retryAfterMs <= 60_000, `${down.late.retryAfterMs}`);
});
