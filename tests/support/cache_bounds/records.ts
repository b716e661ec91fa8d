/** Overfills the caches of records, callers and failures. */
import { callerCache } from "../../../services/accounts/access.ts";
import { createKey } from "../../../services/accounts/key_format.ts";
import { NO_LIMITS } from "../../../services/accounts/key_limits_schema.ts";
import { openStores } from "../../../services/stores.ts";
import { upstreamDown } from "../../../services/platform/fault.ts";
import { budgetStore } from "../../../services/platform/rate_limit/call_budgets_store.ts";
import { instrumentedKv } from "../../../services/platform/kv/database.ts";
import {
  type ChainSignals,
  NO_CHAIN,
} from "../../../services/model/signals.ts";
import { signalStore } from "../../../services/scores/signals/signals_store.ts";
import { shareWork } from "../../../services/platform/cache.ts";
import { batchedWrites } from "../../../services/platform/kv/batched_writes.ts";
import type { Counted } from "../kv/counters.ts";
import { countUntil } from "./count_until.ts";

const NOW = Date.parse("2026-11-21T08:00:00Z");
const now = () => new Date(NOW);

/** Fails with many keys; returns how many failures are cached. */
export async function fillFailures(): Promise<number> {
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
export async function fillRecords(): Promise<number> {
  using kv = await Deno.openKv(":memory:");
  let reads = 0;
  const change = batchedWrites<Counted, number>(
    kv,
    (key) => {
      reads++;
      return kv.get(key);
    },
    {
      expireIn: 60_000,
      decode: (stored) => stored?.count ?? 0,
      encode: (count, marks) => ({ count, marks }),
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
export async function fillBudgets(): Promise<number> {
  using kv = await Deno.openKv(":memory:");
  let reads = 0;
  const budgets = budgetStore(instrumentedKv(kv, (asked) => {
    reads += asked.reads ?? 0;
  }));
  const take = (id: number) =>
    budgets.take(`quote ${id}`, [{ calls: 10, perMs: 60_000 }], {
      now: () => new Date(NOW),
    });
  const ids = Array.from({ length: 2_400 }, (_, id) => id);
  for (const id of ids) await take(id);
  return await countUntil(ids, async (id) => {
    const before = reads;
    await take(id);
    return reads === before;
  });
}

/** Stores signals of many addresses; returns of how many it is known that this process stored them. */
export async function fillPuts(): Promise<number> {
  using kv = await Deno.openKv(":memory:");
  const store = signalStore(kv);
  const ids = Array.from({ length: 1_100 }, (_, id) => id);
  for (const id of ids) {
    await store.put(`0x${id}`, { signals: NO_CHAIN, origin: "http://up.test" });
  }
  return ids.filter((id) => store.countPuts(`0x${id}`) > 0).length;
}

/** Stores signals of many funders' wallets; returns of how many funders the cohort is remembered. */
export async function fillCohorts(): Promise<number> {
  using kv = await Deno.openKv(":memory:");
  let commits = 0;
  const store = signalStore(instrumentedKv(kv, (asked) => {
    commits += asked.commits ?? 0;
  }));
  const put = async (address: string, funder: number) => {
    const signals: ChainSignals = {
      ...NO_CHAIN,
      funding: { funder: `0x${funder}`, at: NOW },
    };
    const held = await store.findHeld(address);
    await store.put(address, { signals, origin: "http://up.test" }, { held });
  };
  const ids = Array.from({ length: 300 }, (_, id) => id);
  for (const id of ids) await put(`0xa${id}`, id);
  return await countUntil(ids, async (id) => {
    const before = commits;
    await put(`0xb${id}`, id);
    // A cohort that is not remembered is guessed to be empty, which conflicts.
    return commits === before + 1;
  });
}

/** Authorizes many keys; returns how many callers are cached. */
export async function fillCallers(): Promise<number> {
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
