/** Capacity at the public limits of the sources, on a virtual clock: new addresses only, ten minutes each. */
import { PORTAL_PATH } from "../../simnet/portal.ts";
import { MINUTE_MS } from "../../services/platform/days.ts";
import type { PlanName } from "../../services/payments/plans_schema.ts";
import {
  countRounds,
  longestWaits,
  runIntegrators,
} from "../../tests/support/capacity.ts";
import { virtualService } from "../../tests/support/virtual_service.ts";
import type {
  BenchmarkOptions,
  Measurement,
  Target,
} from "../measure/measurement.ts";

/** The public portal, of which nobody knows how long an answer takes. */
const PORTAL = { SQD_PORTAL_URL: `http://portal.test${PORTAL_PATH}` };
const PORTAL_ANSWER_MS = 1_000;

/** Two calls a second. */
const CALLS_PER_MINUTE = 120;

/** Who reads, and how often. */
const RUNS: Record<
  string,
  { readonly plan: PlanName; readonly wallets: number; everyMs: number }[]
> = {
  "Scale alone": [{ plan: "scale", wallets: 1, everyMs: 1_000 }],
  "Free alone": [{ plan: "free", wallets: 1, everyMs: 2_000 }],
  "20 Free, 5 Builder and 1 Scale": [
    { plan: "free", wallets: 20, everyMs: 3_000 },
    { plan: "builder", wallets: 5, everyMs: 2_000 },
    { plan: "scale", wallets: 1, everyMs: 1_000 },
  ],
};

/** Measures what part of the answers are scores, whether retries are kept, and what a cold read costs. */
export async function measureCapacity(
  { short }: BenchmarkOptions,
): Promise<Measurement[]> {
  const minutes = short ? 1 : 10;
  const measured: Measurement[] = [];
  const runs = Object.entries(RUNS).flatMap(([name, groups]) => [
    { name, groups, hasPortal: false },
    { name: `${name}, with a portal`, groups, hasPortal: true },
  ]);
  for (const { name, groups, hasPortal } of runs) {
    using service = await virtualService(hasPortal ? PORTAL : {}, {
      latencyMs: (host) => host === "portal.test" ? PORTAL_ANSWER_MS : 0,
    });
    const start = service.deps.now().getTime();
    const end = start + minutes * MINUTE_MS;
    const answers = await runIntegrators(service, groups, minutes);
    const scores = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    const retries = answers.filter(({ isRetry }) => isRetry);
    const { explorer, cChainRpc, portal } = service.upstreams;
    const inTime = explorer.calls.filter(({ at }) => at < end).length;
    const isMix = groups.length > 1;
    const add = (what: string, value: number, unit = "", target?: Target) =>
      measured.push({
        name: `capacity, ${name}, ${what}`,
        value,
        unit,
        peer: null,
        target: target ?? null,
      });
    const none: Target = { of: "value", is: "<=", than: 0 };
    const failed = answers.length - scores.length - refused.length;
    add("scores", scores.length / minutes, "/min");
    add("refused", refused.length / minutes, "/min", isMix ? undefined : none);
    add("failed", failed, "", none);
    if (isMix) {
      const kept = retries.filter(({ status }) => status === 200).length;
      const waits = longestWaits(answers, [start, end]).values();
      add("retries kept", 100 * kept / retries.length, "%", {
        of: "value",
        is: ">=",
        than: 99,
      });
      add("longest wait of a wallet", Math.max(...waits) / 1_000, "s", {
        of: "value",
        is: "<=",
        than: 60,
      });
      add("calls used", 100 * inTime / (minutes * CALLS_PER_MINUTE), "%", {
        of: "value",
        is: ">=",
        than: 95,
      });
    }
    add("index calls per cold read", explorer.calls.length / scores.length);
    if (hasPortal) {
      add("portal calls", portal.calls.length / minutes, "/min");
    }
    add("node calls per cold read", cChainRpc.calls.length / scores.length);
  }
  measured.push(...await measurePortalAlone(short));
  for (const persona of ["ordinary", "heavy"] as const) {
    measured.push({
      name: `capacity, rounds of a cold read, ${persona} wallet`,
      value: await countRounds(persona),
      unit: "",
      peer: null,
      target: null,
    });
  }
  return measured;
}

/** Calls of an index that are used up within the first minute. */
const FEW_CALLS = { EXPLORER_CALLS_PER_DAY: "60" };

/** Measures the scores of the crowd whose index has no calls left, from a portal. */
async function measurePortalAlone(short: boolean): Promise<Measurement[]> {
  const [crowd = ""] = Object.keys(RUNS).slice(-1);
  const minutes = short ? 2 : 6;
  using service = await virtualService({ ...PORTAL, ...FEW_CALLS }, {
    latencyMs: (host) => host === "portal.test" ? PORTAL_ANSWER_MS : 0,
  });
  const start = service.deps.now().getTime();
  const answers = await runIntegrators(service, RUNS[crowd]!, minutes);
  const scores = answers.filter(({ status }) => status === 200);
  const inFirst = scores.filter(({ at }) => at < start + MINUTE_MS).length;
  const failed = answers.filter(({ status }) => status >= 500).length;
  const name = `capacity, ${crowd}, the index used up, with a portal`;
  const later = (scores.length - inFirst) / (minutes - 1);
  const facts = { unit: "/min", peer: null, target: null };
  return [
    { ...facts, name: `${name}, scores of the first minute`, value: inFirst },
    { ...facts, name: `${name}, scores after it`, value: later },
    {
      ...facts,
      name: `${name}, failed`,
      unit: "",
      value: failed,
      target: { of: "value", is: "<=", than: 0 },
    },
  ];
}
