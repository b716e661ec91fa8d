/** The on-chain signals of addresses: as stored while they are good, else read once for all who wait. */
import type { ScoresDeps, ScoresStores } from "./deps.ts";
import type {
  CallOptions,
  Priority,
} from "../platform/rate_limit/call_budget.ts";
import { Fault, upstreamDown } from "../platform/fault.ts";
import { type Freshness, freshnessOf } from "./signal_freshness.ts";
import type { ChainSignals } from "./model/signals.ts";
import { withTimeout } from "../platform/timeout.ts";
import { ofUpstream } from "../platform/http/origin.ts";

/** Signals, and how current they are. */
export interface UsableSignals {
  readonly signals: ChainSignals;
  readonly freshness: Exclude<Freshness, "none">;
}

type Upstreams = Pick<ScoresDeps["upstream"], "cChain" | "explorer">;
type AccountState = Awaited<
  ReturnType<Upstreams["cChain"]["readAccount"]>
>["body"];
type AccountHistory = Awaited<
  ReturnType<Upstreams["explorer"]["readAccount"]>
>["body"];

/** Whom a read is for, and how long they wait. */
export interface ReadOptions {
  readonly priority?: Priority;
  readonly waitMs?: number;
}

type HoldingDeps = Pick<ScoresDeps, "now"> & {
  readonly store: Pick<ScoresStores, "signals">;
  readonly upstream: Upstreams;
};

/** Longest that a reader waits for both upstreams together. */
const WAIT_MS = 10_000;

/** Part of the wait that upstream has; what it gave by then is made use of in the rest. */
const CALLING_SHARE = 0.9;

/**
 * Reads the signals of an address, lower-case, from upstream where the stored
 * ones are no longer good. Where that fails, stored ones of the last seven days
 * serve as `stale`; without any, the fault is thrown and nothing is stored.
 */
export async function readSignals(
  deps: HoldingDeps & Pick<ScoresDeps, "share">,
  address: string,
  { priority = "reader", waitMs = WAIT_MS }: ReadOptions = {},
): Promise<UsableSignals> {
  const [held] = await findSignals(deps, [address]);
  if (held?.freshness === "fresh") return held;
  try {
    return await deps.share(
      `signals/${address}`,
      () =>
        // Waiting for the rate limiter alone may take longer.
        withTimeout(
          refresh(deps, address, { priority, waitMs }),
          waitMs,
          () => upstreamDown(hostOf(deps), "answer took too long"),
        ),
    );
  } catch (error) {
    if (error instanceof Fault && held) return held;
    throw error;
  }
}

/** Finds the stored signals of addresses, in their order; null where none is usable. */
export async function findSignals(
  { now, store, upstream }: HoldingDeps,
  addresses: readonly string[],
): Promise<(UsableSignals | null)[]> {
  const found = await store.signals.findAll(addresses);
  const at = now().getTime();
  return found.map((stored) => {
    const signals = ofUpstream(upstream.explorer, stored)?.signals;
    const freshness = signals ? freshnessOf(signals, at) : "none";
    return signals && freshness !== "none" ? { signals, freshness } : null;
  });
}

/**
 * Reads and stores signals. A part of what is held whole counts as a failure, so
 * that it is the whole that serves and upstream is left alone for a while.
 */
async function refresh(
  deps: HoldingDeps,
  address: string,
  { priority, waitMs }: Required<ReadOptions>,
): Promise<UsableSignals> {
  // Somebody may have brought them since the caller looked.
  const [held] = await findSignals(deps, [address]);
  if (held?.freshness === "fresh") return held;
  const options: CallOptions = {
    priority,
    signal: AbortSignal.timeout(waitMs * CALLING_SHARE),
  };
  const signals = await fetchSignals(deps, address, options);
  const origin = deps.upstream.explorer.baseUrl;
  if (await deps.store.signals.put(address, { signals, origin })) {
    return { signals, freshness: "fresh" };
  }
  const [newer] = await findSignals(deps, [address]);
  if (newer?.freshness === "fresh") return newer;
  throw upstreamDown(hostOf(deps), "the history came in parts only");
}

/** Reads both upstreams side by side; without the history there are no signals. */
async function fetchSignals(
  { now, upstream }: HoldingDeps,
  address: string,
  { priority, signal }: CallOptions,
): Promise<ChainSignals> {
  const fetchedAt = now().getTime();
  const failed = new AbortController();
  const options: CallOptions = {
    priority,
    signal: AbortSignal.any([signal, failed.signal]),
  };
  const asked = upstream.cChain.readAccount(address, options)
    .then(({ body }) => body, nullOnFault);
  const told = upstream.explorer.readAccount(address, {
    ...options,
    hasSent: async () => maySend(await asked),
  });
  try {
    const [{ body }, state] = await Promise.all([told, asked]);
    return joinSignals(body, state, fetchedAt);
  } catch (error) {
    // Nobody needs the other half any more.
    failed.abort();
    await Promise.allSettled([told, asked]);
    throw error;
  }
}

function joinSignals(
  history: AccountHistory,
  state: AccountState | null,
  fetchedAt: number,
): ChainSignals {
  return {
    firstTxAt: history.firstTxAt,
    recentTxAt: history.recentTxAt,
    // A contract's own nonce counts what it has created.
    nonce: state?.isContract ? 0 : state?.nonce ?? history.nonce,
    gasAvax: history.gasAvax,
    isContract: state?.isContract ?? false,
    isPartial: state === null || lacksAny(history, state),
    fetchedAt,
  };
}

/** Returns whether there may be own transactions; a state that could not be read excludes none. */
function maySend(state: AccountState | null): boolean {
  return state === null || (!state.isContract && state.nonce > 0);
}

/** Returns whether something was sent that the history does not show. */
function lacksAny(history: AccountHistory, state: AccountState): boolean {
  if (!maySend(state)) return false;
  // An index that has nothing of an address that sent is behind the chain.
  if (history.firstTxAt === null) return true;
  return history.isPartial && history.recentTxAt.length < state.nonce;
}

function nullOnFault(error: unknown): null {
  if (error instanceof Fault) return null;
  throw error;
}

function hostOf({ upstream }: Pick<HoldingDeps, "upstream">): string {
  return new URL(upstream.explorer.baseUrl).host;
}
