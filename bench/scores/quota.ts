/** Batched quota decisions, compared with a naive check-and-set loop per call. */
import {
  chargeOf,
  decide,
  usageOf,
  withUsage,
} from "../../services/accounts/quota/quota.ts";
import {
  pack,
  type Payer,
  unpack,
  type UsageRecord,
  usageStore,
} from "../../services/accounts/quota/usage_store.ts";
import type { BenchmarkOptions, Measurement } from "../measure/measurement.ts";
import { median, percentile } from "../measure/statistics.ts";

const CALLERS = 32;
const CHARGE = chargeOf("scale", "score");
const START = Date.parse("2026-11-21T00:00:00Z");

/** Each call advances the clock, so that each key is used every four seconds. */
const KEY_STEP_MS = 4_000;

/** The measured cases: one key for all callers, or a different key for each call. */
const VARIANTS = [":memory:", "file"].flatMap((database) =>
  [1, 1_000].map((payers) => ({
    name: `quota, ${payers} ${payers === 1 ? "key" : "keys"}, ${database}`,
    database,
    payers,
    // Without contention, batching only saves commits.
    least: payers === 1 ? 20 : 2,
  }))
);

/** Spends one unit and returns whether it was allowed. */
type Spend = (payer: Payer, now: () => number) => Promise<boolean>;

interface Round {
  readonly perSecond: number;
  readonly p99Ms: number;
}

/** Measures decisions per second and their latency on both sides in alternating rounds. */
export async function measureQuota(
  { short }: BenchmarkOptions,
): Promise<Measurement[]> {
  const { rounds, ms } = short
    ? { rounds: 2, ms: 150 }
    : { rounds: 7, ms: 600 };
  const folder = await Deno.makeTempDir({ prefix: "firn_bench_" });
  const measurements: Measurement[] = [];
  for (const { name, database, payers, least } of VARIANTS) {
    const open = (side: string) =>
      Deno.openKv(
        database === "file" ? `${folder}/${side}_${payers}` : database,
      );
    using ourKv = await open("ours");
    using peerKv = await open("peer");
    const ourRound = startSide(batched(ourKv), payers, ms);
    const peerRound = startSide(naive(peerKv), payers, ms);
    const ours: Round[] = [];
    const peers: Round[] = [];
    // The first round of each side warms up the compiler.
    for (let turn = 0; turn <= rounds; turn++) {
      ours.push(await ourRound());
      peers.push(await peerRound());
    }
    const of = (key: keyof Round) => ({
      value: median(ours.slice(1).map((round) => round[key])),
      peer: median(peers.slice(1).map((round) => round[key])),
    });
    const target = { of: "ratio", is: ">=", than: least } as const;
    measurements.push(
      { name, unit: "/s", ...of("perSecond"), target },
      { name: `${name}, p99`, unit: "ms", ...of("p99Ms"), target: null },
    );
  }
  await Deno.remove(folder, { recursive: true });
  return measurements;
}

/** Returns a function that runs a round: concurrent callers that spend in a loop. */
function startSide(
  spend: Spend,
  payers: number,
  ms: number,
): () => Promise<Round> {
  let calls = 0;
  const now = () => START + Math.floor(calls * KEY_STEP_MS / payers);
  return async () => {
    const latenciesMs: number[] = [];
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: CALLERS }, async () => {
      let askedAt = performance.now();
      while (askedAt - startedAt < ms) {
        const index = calls++ % payers;
        const keyId = `key ${index}`;
        const payer = { wallet: `0x${index}`, keyId, originId: keyId };
        if (!await spend(payer, now)) throw new Error("Cannot use a refusal");
        const answeredAt = performance.now();
        latenciesMs.push(answeredAt - askedAt);
        askedAt = answeredAt;
      }
    }));
    const seconds = (performance.now() - startedAt) / 1_000;
    return {
      perSecond: latenciesMs.length / seconds,
      p99Ms: percentile(latenciesMs, 99),
    };
  };
}

function batched(kv: Deno.Kv): Spend {
  const usage = usageStore(kv);
  return async (payer, now) =>
    (await usage.spend(payer, CHARGE, now())).allowed;
}

function naive(kv: Deno.Kv): Spend {
  return async (payer, now) => {
    for (;;) {
      const entry = await kv.get<UsageRecord>(["usage", payer.wallet]);
      const record = unpack(entry.value);
      const { allowed, usage } = decide(usageOf(record, payer), CHARGE, now());
      if (!allowed) return false;
      const next = withUsage(record, payer, usage);
      const atomic = kv.atomic().check(entry).set(entry.key, pack(next, []));
      if ((await atomic.commit()).ok) return true;
    }
  };
}
