/** The calls to upstreams that one client causes: a share, and the rest is for others. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { METRIC_NAMES } from "../../../services/chain_data/metrics_schema.ts";
import { type Asked, limited } from "../../support/clients.ts";

type Ask = (path: string, asked?: Asked) => Promise<Response>;

const OTHER = { from: "192.0.2.2" };

/** Lists every series by its path. */
async function listSeries(ask: Ask): Promise<string[]> {
  const { chains } = await (await ask("/api/chain-data/chains")).json();
  return chains.flatMap(({ chainId }: { chainId: number }) =>
    METRIC_NAMES.map((metric) =>
      `/api/chain-data/metrics?chainId=${chainId}&metric=${metric}&range=30d`
    )
  );
}

/** Asks for one series after the other until one is refused; returns how many came. */
async function exhaust(ask: Ask, paths: readonly string[]): Promise<number> {
  for (const [nth, path] of paths.entries()) {
    const { status } = await ask(path);
    if (status === 429) return nth;
    assertEquals(status, 200, path);
  }
  throw new Error("Cannot exhaust the share: too few series");
}

Deno.test("a client beyond its share of upstream calls gets stored data only, and others are served", async (t) => {
  using service = await limited(6_000);
  const { ask, deps: { upstreams: { metricsApi }, advance } } = service;
  const paths = await listSeries(ask);
  const served = await exhaust(ask, paths);
  const calls = metricsApi.calls.length;
  assert(served > 10 && calls === 30, `${served} series in ${calls} calls`);
  const [stored, absent, last] = [paths[0]!, paths[served]!, paths.at(-1)!];

  await t.step(
    "the refusal names the limit, and makes no upstream call",
    async () => {
      const { status, headers, ...rest } = await readAll(await ask(absent));
      const { error, code, of, network, most, perSeconds } = rest.body;
      assertEquals([status, code, of], [429, "RATE_LIMITED", "fetches"]);
      assertEquals([network, most, perSeconds], ["192.0.2.1", 30, 60]);
      assertMatch(
        error,
        /at most 30 calls to .* a minute; Cache-Control: max-stale accepts/,
      );
      assertEquals(headers.get("Cache-Control"), "no-store");
      assertEquals(headers.get("Access-Control-Allow-Origin"), "*");
      assertEquals(headers.get("RateLimit-Policy"), '"fetches";q=30;w=60');
      assert(Number(headers.get("Retry-After")) > 0);
      assertEquals(metricsApi.calls.length, calls);
    },
  );
  await t.step("fresh stored data is served", async () => {
    assertEquals((await ask(`${stored}&format=csv`)).status, 200);
  });
  await t.step(
    "other clients are served, the same series and others",
    async () => {
      assertEquals((await ask(absent, OTHER)).status, 200);
      assertEquals((await ask(last, OTHER)).status, 200);
      assertEquals((await ask(absent)).status, 200, "stored by now");
    },
  );
  await t.step(
    "charts and pages show the refusal in their own format",
    async () => {
      const chart = await ask("/chart/cumulativeContracts.svg?chainId=4337");
      assertEquals(chart.status, 429);
      assertMatch(await chart.text(), /<svg[^]+max-stale/);
      const headers = { Accept: "text/html" };
      const path =
        "/?metric=cumulativeContracts&chainId=4337&range=1y&interval=day";
      const page = await ask(path, { headers });
      assertEquals(page.status, 429);
      assertMatch(await page.text(), /Rate limit of your network exceeded/);
    },
  );
  await t.step(
    "stale stored data is served with max-stale",
    async () => {
      advance(3_600_001);
      await exhaust(ask, paths.toReversed());
      assertEquals((await ask(stored)).status, 429);
      const headers = { "Cache-Control": "max-stale" };
      const stale = await ask(stored, { headers });
      assertEquals(stale.status, 200);
      assert(Number(stale.headers.get("Age")) >= 3_600);
    },
  );
});

async function readAll(response: Response) {
  const { status, headers } = response;
  return { status, headers, body: await response.json() };
}
