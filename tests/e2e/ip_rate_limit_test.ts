/** The IP rate limit of a real server: clients are identified by their network address. */
import { assert, assertEquals } from "@std/assert";
import { settingsOf, startSimnet } from "../../simnet/start.ts";
import { startService } from "../support/processes/service.ts";

const ABUSER = "127.0.0.2";
const OTHER = "127.0.0.3";

/** Requests every URL of a curl pattern in parallel from one address; returns the statuses. */
async function ask(pattern: string, from: string): Promise<number[]> {
  const args = ["--silent", "--interface", from, "--parallel", "--output"];
  const { stdout, stderr } = await new Deno.Command("curl", {
    args: [...args, "/dev/null", "--write-out", "%{http_code}\n", pattern],
  }).output();
  const statuses = new TextDecoder().decode(stdout).trim().split("\n");
  assert(statuses[0] !== "", new TextDecoder().decode(stderr));
  return statuses.map(Number);
}

const isLimited = (status: number) => status === 429;

Deno.test("a flood from one address does not affect another address", async () => {
  await using service = await startService({
    KV_PATH: ":memory:",
    FAIR_USE_PER_MINUTE: "30",
    DENO_TIMELINE: "test",
  });
  const flood = `${service.url}/api/chain-data#[1-90]`;
  const statuses = await ask(flood, ABUSER);
  assert(statuses.filter((status) => status === 200).length >= 30);
  assert(statuses.some(isLimited));
  assertEquals(await ask(`${service.url}/api/chain-data#[1-20]`, OTHER), [
    ...Array(20).fill(200),
  ]);
});

Deno.test("one address cannot use up the upstream calls of requests, and is told to wait for seconds", async () => {
  await using simnet = startSimnet();
  await using service = await startService({
    KV_PATH: ":memory:",
    ...settingsOf(simnet),
    DENO_TIMELINE: "test",
  });
  const base = `${service.url}/api/chain-data`;
  const { chains } = await (await fetch(`${base}/chains`)).json();
  const ids = chains.map(({ chainId }: { chainId: number }) => chainId)
    .slice(0, 30);
  const series = (metrics: string) =>
    `${base}/metrics?range=30d&metric={${metrics}}&chainId={${ids}}`;
  const statuses = await ask(series("txCount,gasUsed,feesPaid"), ABUSER);
  assert(statuses.some((status) => status === 503));
  assert(!statuses.some(isLimited));
  const asked = simnet.calls.metricsApi.length;
  assert(asked <= 13, `${asked} calls of 24 a minute`);
  const url = `${base}/metrics?range=30d&metric=maxGps&chainId=43114`;
  assertEquals(await ask(url, OTHER), [200]);
});
