/** In-memory caches stay within their bounds under any number of different requests. */
import { assert, assertEquals } from "@std/assert";
import { Hono } from "hono";
import { MAX_BADGE_BYTES } from "../routes/scores/score_badge.ts";
import { answerCache } from "../routes/mcp/answer_cache.ts";
import { responseCache } from "../routes/http/response_cache.ts";
import { callerCache } from "../services/accounts/caller_cache.ts";
import { createKey } from "../services/accounts/key_format.ts";
import { NO_LIMITS } from "../services/accounts/key_limits_schema.ts";
import { networkList } from "../services/accounts/key_networks.ts";
import { formatDay } from "../services/platform/days.ts";
import { openStores } from "../services/stores.ts";
import { upstreamDown } from "../services/platform/fault.ts";
import {
  ipRateLimiter,
} from "../services/platform/rate_limit/ip_rate_limit.ts";
import { budgetStore } from "../services/platform/rate_limit/call_budgets_store.ts";
import { instrumentedKv } from "../services/platform/kv/instrumented_kv.ts";
import { NO_CHAIN } from "../services/scores/model/signals.ts";
import { signalStore } from "../services/scores/signals_store.ts";
import { shareWork } from "../services/platform/cache/shared_work.ts";
import { batchedWrites } from "../services/platform/kv/batched_writes.ts";

const NOW = Date.parse("2026-11-21T08:00:00Z");
const now = () => new Date(NOW);

/** A cache, its bound, and a function that overfills it. */
interface Cache {
  readonly name: string;
  readonly bound: number;
  readonly unit: string;
  /** Adds more than the bound; returns how much the cache kept. */
  readonly fill: () => number | Promise<number>;
}

const TEXT = "x".repeat(200_000);

/**
 * Fills a response cache, then requests the same answers again, newest first.
 * Returns the bytes of the cached answers before the first miss.
 */
async function fillAnswers(maxBytes?: number): Promise<number> {
  const answers = responseCache(
    { now, trustedProxyHops: 0 },
    maxBytes === undefined ? {} : { maxBytes },
  );
  let made = 0;
  const app = new Hono().get("/:nth", (c) =>
    answers.send(c, {}, () => {
      made++;
      const text = TEXT + c.req.param("nth");
      const type = "text/plain";
      return Promise.resolve({ text, type, fetchedAt: NOW, changedAt: null });
    }));
  const sent = 120;
  for (let nth = 0; nth < sent; nth++) await app.request(`/${nth}`);
  assertEquals(made, sent);
  let held = 0;
  while (held < sent) {
    await app.request(`/${sent - 1 - held}`);
    if (made > sent) break;
    held++;
  }
  return held * TEXT.length;
}

/** Requests one answer by many URLs; returns how many are cached. */
async function fillTargets(): Promise<number> {
  const answers = responseCache({ now, trustedProxyHops: 0 });
  const content = { text: "1", type: "text/plain", changedAt: null };
  const app = new Hono().get("/", (c) =>
    answers.send(
      c,
      {},
      () => Promise.resolve({ ...content, fetchedAt: NOW }),
    ));
  const targets = Array.from(
    { length: 5_000 },
    (_, nth) => `http://firn.test/?nth=${nth}`,
  );
  for (const target of targets) await app.request(target);
  return targets.filter((target) => answers.recall(new Request(target))).length;
}

/** Fails with many keys; returns how many failures are cached. */
async function fillFailures(): Promise<number> {
  const share = shareWork(now);
  let tries = 0;
  const fail = (key: number) =>
    share(String(key), () => {
      tries++;
      return Promise.reject(upstreamDown("up.test", "no connection"));
    }).catch(() => {});
  const keys = Array.from({ length: 6_000 }, (_, key) => key);
  for (const key of keys) await fail(key);
  return countUntil(keys, async (key) => {
    const before = tries;
    await fail(key);
    return tries === before;
  });
}

/** Changes many records; returns how many can change again without a read. */
async function fillRecords(): Promise<number> {
  using kv = await Deno.openKv(":memory:");
  let reads = 0;
  const change = batchedWrites<[count: number, mark: string], number>(
    kv,
    (key) => {
      reads++;
      return kv.get(key);
    },
    {
      expireIn: 60_000,
      decode: (stored) => stored?.[0] ?? 0,
      encode: (value) => [value, crypto.randomUUID()],
      markOf: ([, mark]) => mark,
    },
  );
  const increment = (id: number) =>
    change({
      key: ["records", String(id)],
      preconditions: [],
      decide: (held) => held + 1,
    });
  const ids = Array.from({ length: 6_000 }, (_, id) => id);
  await Promise.all(ids.map(increment));
  return await countUntil(ids, async (id) => {
    const before = reads;
    await increment(id);
    return reads === before;
  });
}

/** Takes from many budgets; returns how many can be taken from again without a read. */
async function fillBudgets(): Promise<number> {
  using kv = await Deno.openKv(":memory:");
  let reads = 0;
  const budgets = budgetStore(instrumentedKv(kv, (asked) => {
    reads += asked.reads ?? 0;
  }));
  const take = (id: number) =>
    budgets.take(`quote ${id}`, [{ calls: 10, perMs: 60_000 }], NOW);
  const ids = Array.from({ length: 2_400 }, (_, id) => id);
  for (const id of ids) await take(id);
  return await countUntil(ids, async (id) => {
    const before = reads;
    await take(id);
    return reads === before;
  });
}

/** Stores signals of many addresses; returns of how many it is known that this process stored them. */
async function fillPuts(): Promise<number> {
  using kv = await Deno.openKv(":memory:");
  const store = signalStore(kv);
  const ids = Array.from({ length: 1_100 }, (_, id) => id);
  for (const id of ids) {
    await store.put(`0x${id}`, { signals: NO_CHAIN, origin: "http://up.test" });
  }
  return ids.filter((id) => store.countPuts(`0x${id}`) > 0).length;
}

/** Answers many calls of tools, then asks again, newest first; returns the characters kept before the first miss. */
async function fillToolAnswers(): Promise<number> {
  let made = 0;
  const cache = answerCache({ now });
  const ask = (id: number) =>
    cache(`key ${id}`, { maxStaleMs: 0 }, () => {
      made++;
      const answer = { summary: `${TEXT}${id}` };
      return Promise.resolve({ answer, fetchedAt: NOW, changedAt: null });
    });
  const ids = Array.from({ length: 60 }, (_, id) => id);
  for (const id of ids) await ask(id);
  const kept = await countUntil(ids, async (id) => {
    const before = made;
    await ask(id);
    return made === before;
  });
  // The cache holds each answer twice: as an object and as text.
  return 2 * kept * TEXT.length;
}

/** Authorizes many keys; returns how many callers are cached. */
async function fillCallers(): Promise<number> {
  const record = {
    id: "a key",
    originId: "a key",
    wallet: "0xaa",
    name: "test",
    prefix: "firn_live_",
    createdAt: NOW,
    revokedAt: null,
    expiresAt: null,
    limits: NO_LIMITS,
  };
  using kv = await Deno.openKv(":memory:");
  const stores = openStores(kv);
  const store = {
    ...stores,
    apiKeys: { ...stores.apiKeys, find: () => Promise.resolve(record) },
  };
  const tracked = () => ({ store, versions: [] });
  const callers = callerCache({ now, store: { ...store, tracked } });
  const keys = Array.from({ length: 5_100 }, () => createKey("live"));
  for (const key of keys) await callers.authorize(key);
  return keys.filter((key) => callers.find(key) !== null).length;
}

/** Returns the most entries that any map gets while something is done. */
function largestMap(work: () => void): number {
  const { set } = Map.prototype;
  let largest = 0;
  Map.prototype.set = function (key, value) {
    set.call(this, key, value);
    largest = Math.max(largest, this.size);
    return this;
  };
  try {
    work();
  } finally {
    Map.prototype.set = set;
  }
  return largest;
}

/** Counts from the newest item until a condition fails. */
async function countUntil(
  ids: readonly number[],
  holds: (id: number) => Promise<boolean>,
): Promise<number> {
  let count = 0;
  for (const id of ids.toReversed()) {
    if (!await holds(id)) break;
    count++;
  }
  return count;
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
    name: "answers of the tools of agents",
    bound: 8 * 2 ** 20,
    unit: "characters",
    fill: fillToolAnswers,
  },
  {
    name: "response cache of chain data and charts",
    bound: 16 * 2 ** 20,
    unit: "bytes",
    fill: () => fillAnswers(),
  },
  {
    name: "response cache of badges",
    bound: MAX_BADGE_BYTES,
    unit: "bytes",
    fill: () => fillAnswers(MAX_BADGE_BYTES),
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
    name: "callerCache() keys",
    bound: 5_000,
    unit: "keys",
    fill: fillCallers,
  },
  {
    name: "networkList() addresses",
    bound: 64,
    unit: "addresses",
    fill: () =>
      largestMap(() => {
        const isListed = networkList(["192.0.2.0/24"]);
        for (let nth = 0; nth < 200; nth++) isListed(`192.0.2.${nth}`);
      }),
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
