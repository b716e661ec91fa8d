import { assert, assertEquals } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { testDeps } from "../../support/deps.ts";
import { checkedDeps, succeed } from "../../support/jobs.ts";
import { BASE } from "../../support/checked_answers.ts";
import {
  askChainData,
  readDisputes,
  readFeed,
  readQuality,
} from "../../support/chain_data/quality_answers.ts";

const HOUR_MS = 3_600_000;

Deno.test("GET /quality returns the lag of every source in hours", async () => {
  using deps = await testDeps();
  const lags = async () =>
    (await readQuality(deps)).sources.map(({ lagHours }) => lagHours);
  const { sources } = await readQuality(deps);
  assertEquals(
    sources.map(({ url, source, lastSuccessAt }) => [
      new URL(url).host,
      source.replace(/ \(.*/, ""),
      lastSuccessAt,
    ]),
    [
      ["metrics.test", "Avalanche Metrics API", null],
      ["explorer.test", "explorer index", null],
      ["c-chain.test", "C-Chain RPC", null],
      ["p-chain.test", "P-Chain RPC", null],
    ],
  );
  assertEquals(await lags(), [null, null, null, null], "never read");

  await succeed(deps, "snapshot-validators");
  const takenAt = deps.now().toISOString();
  deps.advance(2.5 * HOUR_MS);
  await (await createApp(deps).request(`${BASE}/monthly-transactions`)).body
    ?.cancel();
  assertEquals(await lags(), [0, null, null, 2.5]);
  for (const upstream of Object.values(deps.upstreams)) {
    upstream.switch.set({ mode: "refuse" });
  }
  deps.advance(30 * HOUR_MS);
  assertEquals(await lags(), [30, null, null, 32.5]);
  assertEquals((await readQuality(deps)).sources[3]!.lastSuccessAt, takenAt);
});

Deno.test("GET /quality never returns 304 by date, because lags grow", async () => {
  using deps = await checkedDeps();
  await (await createApp(deps).request(`${BASE}/monthly-transactions`)).body
    ?.cancel();
  const first = await askChainData(deps, "/quality");
  deps.advance(2 * HOUR_MS);
  const since = first.headers.get("Last-Modified") ?? deps.now().toUTCString();
  const { status, text } = await askChainData(deps, "/quality", {
    headers: { "If-Modified-Since": since },
  });
  assertEquals(status, 200);
  assertEquals(JSON.parse(text).sources[0].lagHours, 2);
});

Deno.test("GET /quality lists every tracked chain and all identities", async () => {
  using deps = await testDeps({ chains: 3 });
  await succeed(deps, "refresh-chains");
  await succeed(deps, "refresh-series");
  const { chains, identities } = await readQuality(deps);
  assertEquals(identities.length, 9);
  assertEquals(chains.length, 3);
  assert(chains.every(({ checkedDayCount }) => checkedDayCount > 0));
});

Deno.test("quality and disputes return empty lists on an empty store", async () => {
  using deps = await testDeps();
  const { checks, chains } = await readQuality(deps);
  assertEquals([checks, chains], [[], []]);
  assertEquals(await readDisputes(deps), {
    count: 0,
    disputes: [],
    checkedAt: null,
  });
  assertEquals((await readFeed(deps)).entries.map(({ title }) => title), [
    "No dispute is open",
  ]);
  assertEquals(
    Object.values(deps.upstreams).flatMap(({ calls }) => calls),
    [],
  );
});

Deno.test("quality and disputes reject invalid parameters and name the accepted values", async (t) => {
  using deps = await testDeps();
  const refusals: [query: string, error: string][] = [
    [
      "/disputes?format=xml",
      'Invalid format "xml": expected one of json, csv, atom',
    ],
    [
      "/disputes?format=csv&format=atom",
      'Invalid format "csv", "atom": expected one value',
    ],
    [
      "/disputes?series=fees",
      'Unknown parameter "series": expected format',
    ],
    [
      "/quality?format=csv",
      'Unknown parameter "format": expected no parameters',
    ],
  ];
  for (const [path, error] of refusals) {
    await t.step(path, async () => {
      const { status, text } = await askChainData(deps, path);
      assertEquals(status, 400);
      assertEquals(JSON.parse(text).error, error);
    });
  }
});
