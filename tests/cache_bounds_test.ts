/** In-memory caches stay within their bounds under any number of different requests. */
import { assert } from "@std/assert";
import { MAX_BADGE_BYTES } from "../routes/scores/badge.ts";
import { formatDay } from "../services/platform/days.ts";
import { ipRateLimiter } from "../services/platform/rate_limit/ip_rate_limit.ts";
import {
  fillAnswers,
  fillPictures,
  fillTargets,
} from "./support/cache_bounds/answers.ts";
import {
  fillBudgets,
  fillCallers,
  fillCohorts,
  fillFailures,
  fillPuts,
  fillRecords,
} from "./support/cache_bounds/records.ts";
import {
  fillRenderedNetworks,
  fillRenders,
} from "./support/cache_bounds/renders.ts";
import { fillScores } from "./support/cache_bounds/scores.ts";

/** The time of all requests. */
const NOW = Date.parse("2026-11-21T08:00:00Z");

/** A cache, its bound, and a function that overfills it. */
interface Cache {
  readonly name: string;
  readonly bound: number;
  readonly unit: string;
  /** Adds more than the bound; returns how much the cache kept. */
  readonly fill: () => number | Promise<number>;
}

/** Returns the most entries that any map gets while something is done. */
async function largestMap(work: () => void | Promise<void>): Promise<number> {
  const { set } = Map.prototype;
  let largest = 0;
  Map.prototype.set = function (key, value) {
    set.call(this, key, value);
    largest = Math.max(largest, this.size);
    return this;
  };
  try {
    await work();
  } finally {
    Map.prototype.set = set;
  }
  return largest;
}

/** Sends requests from many addresses, each in its own network. */
function fillNetworks(): ReturnType<
  ReturnType<typeof ipRateLimiter>["sizes"]
> {
  const counter = ipRateLimiter(60);
  for (let nth = 0; nth < 12_000; nth++) {
    counter.take(`2001:db8:${nth.toString(16)}::1`, "requests", NOW);
  }
  return counter.sizes();
}

const CACHES: readonly Cache[] = [
  {
    name: "response cache of chain data and charts",
    bound: 24 * 2 ** 20,
    unit: "bytes",
    fill: () => fillAnswers(),
  },
  {
    name: "response cache of badges",
    bound: 4 * 2 ** 20,
    unit: "bytes",
    fill: () => fillAnswers(MAX_BADGE_BYTES),
  },
  {
    name: "pictures",
    bound: 8 * 2 ** 20,
    unit: "bytes",
    fill: fillPictures,
  },
  {
    name: "request targets of the response cache",
    bound: 4_096,
    unit: "targets",
    fill: fillTargets,
  },
  {
    name: "shareWork() failures",
    bound: 5_000,
    unit: "keys",
    fill: fillFailures,
  },
  {
    name: "batchedWrites() records",
    bound: 5_000,
    unit: "records",
    fill: fillRecords,
  },
  {
    name: "budgetStore() records",
    bound: 2_000,
    unit: "budgets",
    fill: fillBudgets,
  },
  {
    name: "signalStore() counts",
    bound: 1_000,
    unit: "addresses",
    fill: fillPuts,
  },
  {
    name: "signalStore() cohorts",
    bound: 256,
    unit: "cohorts",
    fill: fillCohorts,
  },
  {
    name: "callerCache() keys",
    bound: 5_000,
    unit: "keys",
    fill: fillCallers,
  },
  {
    name: "keyedScores() addresses",
    bound: 32 * 2 ** 20,
    unit: "bytes",
    fill: fillScores,
  },
  {
    name: "renderQueue() renders",
    bound: 256,
    unit: "renders",
    fill: fillRenders,
  },
  {
    // Their rate limit adds a network before it drops another.
    name: "renderQueue() networks",
    bound: 10_001,
    unit: "networks",
    fill: () => largestMap(fillRenderedNetworks),
  },
  {
    name: "formatDay() days",
    bound: 10_000,
    unit: "days",
    fill: () =>
      largestMap(() => {
        for (let day = 0; day < 25_000; day++) formatDay(day);
      }),
  },
  {
    name: "ipRateLimiter() networks",
    bound: 10_000,
    unit: "networks",
    fill: () => fillNetworks().networks,
  },
  {
    name: "ipRateLimiter() addresses",
    bound: 10_000,
    unit: "addresses",
    fill: () => fillNetworks().addresses,
  },
];

for (const { name, bound, unit, fill } of CACHES) {
  Deno.test(`${name}: keeps at most ${bound} ${unit}`, async () => {
    const held = await fill();
    assert(held <= bound, `${held} ${unit} are held`);
    // A cache bounded by bytes may have less room left than one answer needs.
    assert(held > bound * 0.95, `only ${held} ${unit} are held`);
  });
}
