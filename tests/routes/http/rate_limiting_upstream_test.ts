/** The first reads of series that one client causes: a share, and the rest is for others. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { METRIC_NAMES } from "../../../services/chain_data/catalogue/metrics_schema.ts";
import { type Asked, limited } from "../../support/clients.ts";
import { runNamed } from "../../support/jobs.ts";

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

/** Asks for one series after the other until one cannot be read; returns how many came. */
async function exhaust(ask: Ask, paths: readonly string[]): Promise<number> {
  for (const [nth, path] of paths.entries()) {
    const { status } = await ask(path);
    if (status === 503) return nth;
    assertEquals(status, 200, path);
  }
  throw new Error("Cannot exhaust the share: too few series");
}

Deno.test("a client beyond its share of first reads waits for the job, and others are served", async (t) => {
  using service = await limited(6_000);
  const { ask, deps } = service;
  const { metricsApi } = deps.upstreams;
  const paths = await listSeries(ask);
  const served = await exhaust(ask, paths);
  const calls = metricsApi.calls.length;
  assert(served === 12 && calls === 13, `${served} series in ${calls} calls`);
  const [stored, absent, last] = [paths[0]!, paths[served]!, paths.at(-1)!];

  await t.step(
    "the answer is a 503 without an upstream call, and the series is queued",
    async () => {
      const { status, headers, ...rest } = await readAll(await ask(absent));
      const { error, code } = rest.body;
      assertEquals([status, code], [503, "NOT_READ_YET"]);
      assertMatch(
        error,
        /this network has used its share of first reads, so the series waits in the queue of this service; try again in \d+ seconds?$/,
      );
      assertEquals(headers.get("Cache-Control"), "no-store");
      assertEquals(headers.get("Access-Control-Allow-Origin"), "*");
      const retryAfter = Number(headers.get("Retry-After"));
      assert(retryAfter > 0 && retryAfter <= 90, `${retryAfter} s`);
      assertEquals(metricsApi.calls.length, calls);
      assert(await deps.store.readQueue.findNext() !== null);
    },
  );
  await t.step("stored data is served", async () => {
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
    "charts and pages show the answer in their own format",
    async () => {
      const chart = await ask("/chart/cumulativeContracts.svg?chainId=4337");
      assertEquals(chart.status, 503);
      assertMatch(await chart.text(), /<svg[^]+queue of this service/);
      const csv = await ask(`${paths.at(-2)!}&format=csv`);
      assertEquals([csv.status, (await csv.json()).code], [
        503,
        "NOT_READ_YET",
      ]);
      const embed = await ask("/embed/chart/cumulativeContracts?chainId=4337");
      assertEquals(embed.status, 503);
      assertMatch(await embed.text(), /queue of this service/);
      const headers = { Accept: "text/html" };
      const path =
        "/?metric=cumulativeContracts&chainId=4337&range=1y&interval=day";
      const page = await ask(path, { headers });
      assertEquals(page.status, 503);
      const text = await page.text();
      assertMatch(
        text,
        /<h1[^>]*>Not read yet<[^]+this network has used its share/,
      );
      assertEquals(text.includes("is unreachable"), false);
    },
  );
  await t.step(
    "the job reads the queue, and the client is served",
    async () => {
      await runNamed(deps, "refresh-series");
      const { status } = await ask(
        "/chart/cumulativeContracts.svg?chainId=4337",
      );
      assertEquals(status, 200);
      const before = metricsApi.calls.length;
      for (const path of paths.slice(0, 26)) {
        assertEquals(
          (await ask(path)).status,
          200,
          path,
        );
      }
      assertEquals(metricsApi.calls.length, before);
    },
  );
});

async function readAll(response: Response) {
  const { status, headers } = response;
  return { status, headers, body: await response.json() };
}
