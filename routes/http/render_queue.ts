/** Renders pages and charts one at a time, so that keyed requests never wait for more than one. */
import type { PlatformDeps } from "../../services/platform/deps.ts";
import { Fault } from "../../services/platform/fault.ts";
import { retryWords } from "../../services/platform/http/retry_after.ts";
import { ipRateLimiter } from "../../services/platform/rate_limit/ip_rate_limit.ts";
import { withTimeout } from "../../services/platform/with_timeout.ts";
import { heldRefusals } from "./held_refusals.ts";
import { networkCounts } from "./network_counts.ts";

/** A page takes about as much CPU time as this many ordinary requests. */
const RENDER_WEIGHT = 20;

/** Renders of a network, and of all, that may wait or run. */
const MAX_RENDERS = { ofNetwork: 8, ofAll: 256 };

/** Retry-After of a network with too many renders under way. */
const BUSY_MS = 1_000;

/** A render that waits for an upstream gives its turn away after this time. */
const TURN_MS = 100;

/** Keyed traffic counts as present for this long after a request. */
const KEYED_MS = 1_000;

/** While there is keyed traffic, each render is followed by a pause of this many times its length. */
const PAUSE_FACTOR = 2;

/** Queues renders by network. Networks take turns. */
export function renderQueue(
  deps: Pick<PlatformDeps, "now" | "openRequestsPerMinute" | "sleep">,
) {
  const perMinute = Math.ceil(deps.openRequestsPerMinute / RENDER_WEIGHT);
  const limiter = ipRateLimiter(perMinute);
  const hold = heldRefusals(deps);
  /** The renders of each network that wait, by network. */
  const waiting = new Map<string, (() => void)[]>();
  const counts = networkCounts(MAX_RENDERS);
  let isBusy = false;
  let keyedAt = -Infinity;
  let readyAt = 0;

  /** Returns why a network may not render now; null if it may, which takes one of its tokens. */
  function refusalOf(network: string): Fault | null {
    if (counts.isFull(network)) return tooManyRenders(network);
    const waitMs = limiter.take(network, "renders", deps.now().getTime());
    return waitMs === 0 ? null : limiter.refusal(network, "renders", waitMs);
  }

  /** Waits for a turn of the network. */
  async function takeTurn(network: string): Promise<void> {
    if (isBusy) {
      await new Promise<void>((resolve) => {
        const queue = waiting.get(network) ?? [];
        waiting.set(network, [...queue, resolve]);
      });
    }
    isBusy = true;
    const pauseMs = readyAt - performance.now();
    if (pauseMs > 0) await wait(pauseMs);
  }

  /** Gives the turn to the network that has waited longest. */
  function passTurn(startedAt: number): void {
    const now = performance.now();
    const isKeyed = now - keyedAt < KEYED_MS;
    readyAt = isKeyed ? now + PAUSE_FACTOR * (now - startedAt) : now;
    const [next] = waiting;
    if (next === undefined) {
      isBusy = false;
      return;
    }
    const [network, [start, ...others]] = next;
    waiting.delete(network);
    if (others.length > 0) waiting.set(network, others);
    start!();
  }

  return {
    /** Notes that keyed requests are being served. */
    noteKeyed(): void {
      keyedAt = performance.now();
    },

    /** Renders in the turn of a network; undefined is an unknown one. Throws a fault beyond its limits. */
    async run<T>(
      network: string | undefined,
      render: () => Promise<T>,
    ): Promise<T> {
      const refusal = network === undefined ? null : refusalOf(network);
      if (network !== undefined && refusal !== null) {
        await hold(network);
        throw refusal;
      }
      const name = network ?? "";
      counts.change(name, 1);
      try {
        await takeTurn(name);
        const startedAt = performance.now();
        const work = render();
        await withTimeout(work, TURN_MS).catch(() => {});
        passTurn(startedAt);
        return await work;
      } finally {
        counts.change(name, -1);
      }
    },
  };
}

/** Returns whether a fault refuses a render, so that no other page should be rendered instead. */
export function isRenderRefused({ failure }: Fault): boolean {
  return failure.kind === "ipRateLimit" && failure.of === "renders";
}

/** The queue of renders. */
export type RenderQueue = ReturnType<typeof renderQueue>;

function tooManyRenders(network: string): Fault {
  return new Fault(
    `Too many pages and charts are being drawn: expected at most ${MAX_RENDERS.ofNetwork} of this network at once, and ${MAX_RENDERS.ofAll} in all; ${
      retryWords(BUSY_MS)
    }`,
    {
      kind: "ipRateLimit",
      of: "renders",
      network,
      most: MAX_RENDERS.ofNetwork,
      perSeconds: BUSY_MS / 1_000,
      retryAfterMs: BUSY_MS,
    },
  );
}

/** Waits in real time, which `performance.now()` measures. */
function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
