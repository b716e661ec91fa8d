/** On-chain signals of addresses: from the store while fresh, else from upstream. */
import type { ShareWork } from "../../platform/cache.ts";
import {
  type Clock,
  type TimeLimits,
  unlessAborted,
} from "../../platform/clock.ts";
import type { setAsideStore } from "../../platform/kv/set_aside_store.ts";
import type { Log } from "../../platform/observability/log.ts";
import type { CChainAccounts } from "./c_chain_accounts_client.ts";
import type { ExplorerAccounts } from "./explorer_accounts_client.ts";
import {
  type CallOptions,
  type Priority,
  READER_WAIT_MS,
  type Requester,
} from "../../platform/rate_limit/call_budget.ts";
import {
  Fault,
  isUsedUp,
  refusedClient,
  upstreamDown,
} from "../../platform/fault.ts";
import { type Freshness, freshnessOf, isUsable } from "./signal_freshness.ts";
import type { ChainSignals } from "../../model/signals.ts";
import { isHub } from "./cohort.ts";
import type {
  HeldSignals,
  PutOptions,
  signalStore,
  StoredWith,
} from "./signals_store.ts";
import { ofUpstream } from "../../platform/http/upstream_answer.ts";

/** Signals and their freshness. */
export interface FoundSignals {
  readonly signals: ChainSignals;
  readonly freshness: Freshness;
}

interface Upstreams {
  readonly cChain: CChainAccounts;
  readonly explorer: ExplorerAccounts;
}
type ReadState = ReturnType<Upstreams["cChain"]["announce"]>["read"];
type AccountState = Awaited<ReturnType<ReadState>>;
type AccountHistory = Awaited<
  ReturnType<Upstreams["explorer"]["readAccount"]>
>["body"];

/**
 * The stored signals of an address, and how often this process had stored
 * signals of the address before that read.
 */
export interface CheckedSignals {
  /** Null if no signals are stored. */
  readonly stored: FoundSignals | null;
  /** The records that new signals are compared with. */
  readonly held: HeldSignals;
  readonly puts: number;
}

/** Priority and requester of a read. */
export interface ReadOptions {
  readonly priority?: Priority;
  /** Who the signals are read for. */
  readonly requester: Requester;
  /** Whether stored signals of seven days stand in where the calls of the sources are used up. */
  readonly allowStale?: boolean | undefined;
  /** Whether fresh signals are read again, because they expire soon. */
  readonly isAhead?: boolean;
  /** What the request has already read from the store; it is read here if absent. */
  readonly checked?: CheckedSignals | undefined;
  /** A record to write in the transaction that stores fetched signals. */
  readonly storedWith?: StoredWith | undefined;
}

interface StoredDeps extends Clock {
  readonly store: { readonly signals: ReturnType<typeof signalStore> };
  readonly upstream: Upstreams;
}

interface SignalDeps extends StoredDeps, TimeLimits {
  readonly log: Log;
  readonly share: ShareWork;
  readonly store: StoredDeps["store"] & {
    readonly setAside: ReturnType<typeof setAsideStore>;
  };
}

/** Longest time for the calls of a read. It begins with its turn. */
const CALLING_MS = READER_WAIT_MS;

/** Part of that time for the calls themselves. The rest is for storing the result. */
const CALLING_SHARE = 0.9;

/** Part of that time in which calls may wait for their turns. */
const WAITING_SHARE = 0.8;

/**
 * Reads the signals of an address, lower-case: from the store if they are fresh,
 * else from upstream. If upstream fails, returns stored signals of the last seven
 * days as `stale`, or throws the fault if there are none. The calls that are used up
 * are no failure: then the request must allow it.
 */
export async function readSignals(
  deps: SignalDeps,
  address: string,
  {
    priority = "reader",
    requester,
    allowStale = false,
    isAhead = false,
    storedWith,
    ...found
  }: ReadOptions,
): Promise<FoundSignals> {
  const checked = found.checked ?? await checkSignals(deps, address);
  const { stored } = checked;
  if (stored?.freshness === "fresh" && !isAhead) return stored;
  try {
    return await deps.share(
      // A paid read neither waits for a free one nor gets its failure. The same holds
      // for a reader and a job, because a job may wait longer.
      `signals/${priority}/${requester.of}/${address}`,
      () =>
        refresh(deps, address, { priority, requester, storedWith, checked }),
      requester.parties[0]?.name,
    );
  } catch (error) {
    const isEnough = stored && isUsable(stored.signals, deps.now().getTime());
    const mayServe = !isAhead && error instanceof Fault &&
      (allowStale || !isUsedUp(error.failure));
    if (mayServe && isEnough) return stored;
    throw error;
  }
}

/** Finds the stored signals of an address, for a read that may have to refresh them. */
export async function checkSignals(
  deps: StoredDeps,
  address: string,
): Promise<CheckedSignals> {
  const puts = deps.store.signals.countPuts(address);
  const [[stored], held] = await Promise.all([
    findSignals(deps, [address]),
    deps.store.signals.findHeld(address),
  ]);
  return { stored: stored ?? null, held, puts };
}

/** Finds the stored signals of addresses, of any age and in their order; null for those without signals of this upstream. */
export async function findSignals(
  { now, store, upstream }: StoredDeps,
  addresses: readonly string[],
): Promise<(FoundSignals | null)[]> {
  const found = await store.signals.findAll(addresses);
  const at = now().getTime();
  return found.map((stored) => {
    const usable = ofUpstream(upstream.explorer, stored);
    if (!usable) return null;
    const { signals, isEarlier } = usable;
    return {
      signals,
      freshness: isEarlier ? "stale" : freshnessOf(signals, at),
    };
  });
}

/**
 * Waits for a turn, then fetches and stores signals. A partial answer counts as a failure if complete
 * signals are stored: those are served, and upstream gets its cooldown.
 */
async function refresh(
  deps: SignalDeps,
  address: string,
  { priority, requester, storedWith, checked }:
    & Required<Pick<ReadOptions, "priority">>
    & ReadOptions
    & { readonly checked: CheckedSignals },
): Promise<FoundSignals> {
  // Another request of this process may have stored them since the caller checked.
  if (deps.store.signals.countPuts(address) !== checked.puts) {
    const [stored] = await findSignals(deps, [address]);
    if (stored?.freshness === "fresh") return stored;
  }
  const { explorer, cChain } = deps.upstream;
  const state = cChain.announce(address);
  // The queues and the calls have limits of their own, so nothing else ends the wait.
  const { signal } = new AbortController();
  const waiting = { priority, requester, subject: address, signal };
  // If nobody waits, the node is asked while the turn is counted. Otherwise the
  // batch of another read may take the address along meanwhile.
  const early = explorer.waitMs(waiting) === 0
    ? state.read({ ...waiting, isStarted: true })
    : undefined;
  early?.catch(() => {});
  try {
    const started = await explorer.start(waiting);
    const readState: ReadState = (options) => early ?? state.read(options);
    return await unlessAborted(
      fetchAndStore(deps, address, { started, readState, storedWith, checked }),
      deps.timeout(CALLING_MS),
      () => upstreamDown(hostOf(deps), "answer took too long"),
    );
  } finally {
    state.leave();
  }
}

/** Fetches signals whose turn has come, and stores them. */
async function fetchAndStore(
  deps: SignalDeps,
  address: string,
  { started, readState, storedWith, checked }: {
    readonly started: CallOptions;
    readonly readState: ReadState;
    readonly storedWith: StoredWith | undefined;
    readonly checked: CheckedSignals;
  },
): Promise<FoundSignals> {
  const signal = deps.timeout(CALLING_MS * CALLING_SHARE);
  // A call that waits too long for its turn is refused before the time is over, so that it keeps a place.
  const waitUntil = deps.now().getTime() + CALLING_MS * WAITING_SHARE;
  const options = { ...started, signal, waitUntil };
  const signals = await fetchSignals(deps, address, { options, readState });
  const origin = deps.upstream.explorer.baseUrl;
  const fetched = { signals, origin };
  const kept = await deps.store.signals.put(address, fetched, {
    storedWith,
    held: checked.held,
    ...await findTies(deps, address, signals, options),
  });
  if (kept !== null) return { signals: kept, freshness: "fresh" };
  const [newer] = await findSignals(deps, [address]);
  if (newer?.freshness === "fresh") return newer;
  throw upstreamDown(hostOf(deps), "the history came in parts only");
}

/**
 * Returns whether neither the funder nor the sweep target of an address is a hub, and
 * what a node said about them, to be stored. They are looked up only if ties are
 * stored, once in 30 days, in one batch; if that fails, nobody is tied.
 */
async function findTies(
  { store, upstream }: SignalDeps,
  address: string,
  signals: ChainSignals,
  options: CallOptions,
): Promise<Pick<PutOptions, "areTied" | "hubs">> {
  const { funding, sweptTo } = signals;
  if (funding === null || sweptTo === null) return {};
  const [isDue, [funder, target]] = await Promise.all([
    store.signals.isTieDue(address, signals),
    store.signals.findHubs([funding.funder, sweptTo]),
  ]);
  if (!isDue) return {};
  if (funder && target) return { areTied: !isHub(funder) && !isHub(target) };
  const read = await upstream.cChain
    .readOrigin(funding.funder, sweptTo, options)
    .then(({ body }) => body, nullIfDown);
  return read === null ? {} : {
    areTied: !read.some(isHub),
    hubs: [[funding.funder, read[0]], [sweptTo, read[1]]],
  };
}

/** Calls both upstreams in parallel. Without the history there are no signals. */
async function fetchSignals(
  { log, now, store, upstream }: SignalDeps,
  address: string,
  { options, readState }: {
    readonly options: CallOptions;
    readonly readState: ReadState;
  },
): Promise<ChainSignals> {
  const fetchedAt = now().getTime();
  const reading = readState(options).catch(nullIfDown);
  const fetching = upstream.explorer.readAccount(address, {
    ...options,
    countSent: async () => countSent(await reading),
  });
  const [{ body }, found] = await Promise.all([fetching, reading]);
  const [reason] = body.unread;
  if (reason !== undefined) {
    const of = "transactions of addresses";
    const setAside = { of, rows: body.unread.length, reason };
    log("source.rows_set_aside", setAside);
    await store.setAside.put({ ...setAside, foundAt: fetchedAt });
  }
  return joinSignals(body, found, fetchedAt);
}

function joinSignals(
  history: AccountHistory,
  state: AccountState | null,
  fetchedAt: number,
): ChainSignals {
  return {
    firstTxAt: history.firstTxAt,
    recentTxAt: history.recentTxAt,
    nonce: countSent(state) ?? history.nonce,
    gasAvax: history.gasAvax,
    use: history.use,
    funding: history.funding,
    origin: history.origin,
    sweptTo: history.sweptTo,
    // Counted when the signals are stored, by comparison with other wallets.
    alike: 0,
    isContract: state?.isContract ?? false,
    isPartial: state === null || lacksAny(history, state) ||
      history.unread.length > 0,
    fetchedAt,
  };
}

/** Returns how many transactions the address has sent; null if its state is unknown. */
function countSent(state: AccountState | null): number | null {
  // The nonce of a delegated account also counts authorizations, which are no transactions of it.
  if (state === null || state.isDelegated) return null;
  // The nonce of a contract counts created contracts.
  return state.isContract ? 0 : state.nonce;
}

/** Returns whether sent transactions are missing from the history. */
function lacksAny(history: AccountHistory, state: AccountState): boolean {
  if (countSent(state) === 0) return false;
  if (state.isDelegated) return history.isPartial;
  // The index is behind the chain.
  if (history.firstTxAt === null) return true;
  return history.isPartial && history.recentTxAt.length < state.nonce;
}

/** A requester's own limit must not make signals partial for everybody. */
function nullIfDown(error: unknown): null {
  if (error instanceof Fault && refusedClient(error) === undefined) return null;
  throw error;
}

function hostOf({ upstream }: Pick<SignalDeps, "upstream">): string {
  return new URL(upstream.explorer.baseUrl).host;
}
