/** Counts what requests ask of a hosted database: requests in all, and rounds one after the other. */
import { createApp } from "../../../routes/app.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { enrol } from "../callers.ts";
import { testDeps } from "../deps.ts";
import { newPayer, paidDeps } from "../evm/payers.ts";
import type { Asked } from "./faults.ts";
import { type KvConnect, setFaults, takeAsked } from "./kv_connect.ts";

/** With latency, requests that are sent together are under way together, also on a busy machine. */
const LATENCY_MS = 150;

const METRICS = "/api/chain-data/metrics?metric=avgTps&interval=week";
const BATCH_SIZE = 50;
const MINUTE_MS = 60_000;

/** What each request asked of the database, by a name that says what was in memory. */
type CountedRounds = ReadonlyMap<string, Asked>;

/** Sends the requests of the open and the keyed API, and a claim, to a service on hosted databases. */
export async function countRounds(
  server: Pick<KvConnect, "newDatabase">,
): Promise<CountedRounds> {
  const counted = new Map<string, Asked>();
  const url = server.newDatabase();
  const address = exampleOf("ordinary");
  // Somebody funded them, so each joins a cohort.
  const [stored, cold] = [exampleOf("ordinary", 1), exampleOf("ordinary", 2)];

  /** A process on the database: nothing is in its memory. */
  async function start() {
    const settings = { KV_PATH: url };
    const deps = await testDeps({ kvPath: url, settings });
    const app = createApp(deps);
    return {
      deps,
      async ask(name: string, path: string, init: RequestInit = {}) {
        await deps.settle();
        const isCounted = name !== "";
        if (isCounted) await setFaults(url, { latencyMs: LATENCY_MS });
        await takeAsked(url);
        const response = await app.request(path, init);
        const text = await response.text();
        if (!response.ok) throw new Error(`${path}: ${text}`);
        if (!isCounted) return;
        counted.set(name, await takeAsked(url));
        await setFaults(url, { latencyMs: 0 });
      },
      [Symbol.dispose]: () => deps[Symbol.dispose](),
    };
  }

  let headers: Record<string, string>;
  {
    using first = await start();
    const { key } = await enrol(first.deps, { plan: "growth" });
    headers = { "X-Api-Key": key };
    await first.ask("", METRICS);
    await first.ask("", `/api/v1/score/${address}`, { headers });
    await first.ask("", `/api/v1/score/${stored}`, { headers });
  }
  const addresses = Array.from(
    { length: BATCH_SIZE },
    (_, nth) => `0x${String(nth).padStart(40, "0")}`,
  );
  const batch = {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify({ addresses }),
  };
  {
    using process = await start();
    await process.ask("open, cold", METRICS);
    await process.ask("open, warm", METRICS);
    await process.ask("badge, cold", `/api/tools/score-badge/${address}`);
    const score = `/api/v1/score/${address}`;
    await process.ask("keyed, first of a process", score, { headers });
    const other = `/api/v1/score/${stored}`;
    await process.ask("keyed, stored signals", other, { headers });
    await process.ask("keyed, warm", other, { headers });
    await process.ask("batch of 50", "/api/v1/score/batch", batch);
    await process.ask("history", `${score}/history`, { headers });
    // The process has called the upstreams, and none of its calls counts any more.
    const called = `0x${"fe".repeat(20)}`;
    await process.ask("", `/api/v1/score/${called}`, { headers });
    process.deps.advance(MINUTE_MS);
    // The service does so by a timer.
    await process.deps.trafficHistory.record();
    await process.ask(
      "keyed, cold, with its upstream calls",
      `/api/v1/score/${cold}`,
      { headers },
    );
  }
  const paid = server.newDatabase();
  const settings = { KV_PATH: paid };
  using deps = await paidDeps({ kvPath: paid, settings });
  const payer = await newPayer(deps);
  const { quoteId, amount } = await payer.quote("builder");
  const txHash = payer.pay(BigInt(amount));
  await setFaults(paid, { latencyMs: LATENCY_MS });
  await takeAsked(paid);
  await payer.claim(quoteId, txHash);
  counted.set("claim, with its upstream calls", await takeAsked(paid));
  return counted;
}
