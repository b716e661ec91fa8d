/** Callers of the scoring API: each a wallet with a key and a plan, and an address with signals to score. */
import { createApiKey } from "../../services/accounts/api_keys.ts";
import { readConfig } from "../../services/config.ts";
import { type Deps, openDeps } from "../../services/deps.ts";
import { DAY_MS } from "../../services/platform/days.ts";
import { hashKey } from "../../services/accounts/key_format.ts";
import { MOST_REQUESTS, NO_JOBS } from "../chain_data/filled_database.ts";
import { makeFolder, type Storage } from "./storage.ts";

/** Whoever asks, and for what. */
export interface BenchCaller {
  readonly key: string;
  /** Whose units the key spends. */
  readonly wallet: string;
  /** Under which the peer finds the key, too. */
  readonly hash: string;
  readonly record: unknown;
  readonly address: string;
}

/** A database with callers in it; disposing of it deletes it. */
export interface CallerDatabase extends AsyncDisposable {
  /** The settings under which a service uses it. */
  readonly settings: Readonly<Record<string, string>>;
  readonly callers: readonly BenchCaller[];
}

const NOW = "2026-11-21T08:00:00.000Z";

/** No host has this name: all that is asked for is stored. */
const UPSTREAM = "http://explorer.invalid/api";

/** Transactions of an address at least, and how many more another one has: 220 are the median of simnet. */
const LEAST_SENT = 40;
const MORE_SENT = 360;

/** Callers that are added at once. */
const AT_ONCE = 50;

/** Fills a database with callers. */
export async function fillCallers(
  count: number,
  storage: Pick<Storage, "folder"> = { folder: null },
): Promise<CallerDatabase> {
  const folder = await makeFolder(storage);
  const settings = {
    KV_PATH: `${folder}/callers.sqlite3`,
    EXPLORER_API_URL: UPSTREAM,
    FIRN_NOW: NOW,
    FAIR_USE_PER_MINUTE: MOST_REQUESTS,
    ...NO_JOBS,
  };
  using kv = await Deno.openKv(settings.KV_PATH);
  const deps = openDeps(readConfig(settings), {
    kv,
    fetch,
    now: () => new Date(NOW),
    write: () => {},
    sleep: () => Promise.resolve(),
  });
  const callers: BenchCaller[] = [];
  while (callers.length < count) {
    const length = Math.min(AT_ONCE, count - callers.length);
    const some = Array.from({ length }, (_, nth) => callers.length + nth);
    callers.push(
      ...await Promise.all(some.map((nth) => addCaller(deps, nth))),
    );
  }
  return {
    settings,
    callers,
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

/** Adds a caller on the plan with the most requests; each number is another one. */
export async function addCaller(
  deps: Deps,
  nth: number,
): Promise<BenchCaller> {
  const { store, upstream } = deps;
  const now = deps.now().getTime();
  const wallet = addressOf("aa", nth);
  const created = await createApiKey(deps, { wallet, name: "bench" });
  const paidUntil = now + 30 * DAY_MS;
  await store.payments.grant(wallet, { at: now, plan: "scale", paidUntil });
  const address = addressOf("bb", nth);
  const sent = LEAST_SENT + nth * 37 % MORE_SENT;
  const signals = {
    firstTxAt: now - 900 * DAY_MS,
    recentTxAt: Array.from({ length: sent }, (_, n) => now - n * 7_200_000),
    nonce: sent,
    gasAvax: sent / 100,
    isContract: false,
    isPartial: false,
    fetchedAt: now,
  };
  const origin = upstream.explorer.baseUrl;
  await store.signals.put(address, { signals, origin });
  const hash = await hashKey(created!.key);
  const record = await store.apiKeys.find(hash);
  return { key: created!.key, wallet, hash, record, address };
}

/** The n-th address of a kind, told by how it begins. */
function addressOf(kind: string, nth: number): string {
  // Spread over the store as real ones are.
  const spread = (nth * 2_654_435_761 >>> 0).toString(16).padStart(8, "0");
  return `0x${spread}${kind}${nth.toString(16).padStart(30, "0")}`;
}
