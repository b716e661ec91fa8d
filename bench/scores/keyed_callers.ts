/** Callers of the scoring API: each has a wallet, a key, a plan, and an address with stored signals. */
import { NO_CHAIN } from "../../services/model/signals.ts";
import { createApiKey } from "../../services/accounts/api_keys.ts";
import { readConfig } from "../../services/config.ts";
import { type Deps, openDeps } from "../../services/deps.ts";
import { DAY_MS } from "../../services/platform/days.ts";
import { hashKey } from "../../services/accounts/key_format.ts";
import { MAX_REQUESTS, NO_JOBS } from "../chain_data/filled_database.ts";
import { makeFolder, type Storage } from "./storage.ts";

/** A caller and the address that it requests. */
export interface BenchCaller {
  readonly key: string;
  /** The wallet that pays. */
  readonly wallet: string;
  /** The hash of the key, which the peer uses as well. */
  readonly hash: string;
  readonly record: unknown;
  readonly address: string;
}

/** A database with callers. Disposing it deletes it. */
interface CallerDatabase extends AsyncDisposable {
  /** Settings of a service that uses it. */
  readonly settings: Readonly<Record<string, string>>;
  readonly callers: readonly BenchCaller[];
}

const NOW = "2026-11-21T08:00:00.000Z";

/** An unreachable host: everything that is requested is stored. */
const UPSTREAM = "http://explorer.invalid/api";

/** Transactions of an address: from `MIN_SENT` on, up to `MORE_SENT` more. The median of simnet is 220. */
const MIN_SENT = 40;
const MORE_SENT = 360;

/** Callers that are added concurrently. */
const AT_ONCE = 50;

/** Fills a database with callers: a new file, or a given one. */
export async function fillCallers(
  count: number,
  storage: Pick<Storage, "folder"> & { readonly kvPath?: string } = {
    folder: null,
  },
): Promise<CallerDatabase> {
  const folder = await makeFolder(storage);
  const settings = {
    KV_PATH: storage.kvPath ?? `${folder}/callers.sqlite3`,
    EXPLORER_API_URL: UPSTREAM,
    FIRN_NOW: NOW,
    FAIR_USE_PER_MINUTE: MAX_REQUESTS,
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

/** Adds the n-th caller, on the largest plan. */
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
  const sent = MIN_SENT + nth * 37 % MORE_SENT;
  const signals = {
    ...NO_CHAIN,
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
  const hash = hashKey(created!.key);
  const record = await store.apiKeys.find(hash);
  return { key: created!.key, wallet, hash, record, address };
}

/** Returns the n-th address of a kind. */
function addressOf(kind: string, nth: number): string {
  // A random prefix distributes the keys in the store like real addresses.
  const spread = (nth * 2_654_435_761 >>> 0).toString(16).padStart(8, "0");
  return `0x${spread}${kind}${nth.toString(16).padStart(30, "0")}`;
}
