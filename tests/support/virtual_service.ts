/** A service whose clock stands still until nothing is left to do, and then moves to the next timer. */
import { createApp } from "../../routes/app.ts";
import { readConfig } from "../../services/config.ts";
import { openDeps } from "../../services/deps.ts";
import {
  asFetch,
  type SimnetOptions,
  simulateUpstreams,
  UPSTREAM_PATHS,
} from "../../simnet/upstreams.ts";
import { unlessAborted } from "../../services/platform/clock.ts";
import { START } from "./deps.ts";

/** Turns of the event loop without work, after which only timers are left. */
const IDLE_TURNS = 4;

/** A clock that stands still while there is work. */
export function virtualClock() {
  let ms = Date.parse(START);
  let underWay = 0;
  const timers: { readonly at: number; readonly end: () => void }[] = [];

  /** Counts a promise as work while it lasts. */
  async function counted<T>(promise: Promise<T>): Promise<T> {
    underWay++;
    try {
      return await promise;
    } finally {
      underWay--;
    }
  }

  /** Lets everything run that waits for no timer. */
  async function settle(): Promise<void> {
    for (let idle = 0; idle < IDLE_TURNS;) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      idle = underWay === 0 ? idle + 1 : 0;
    }
  }

  function moveTo(at: number): void {
    ms = Math.max(ms, at);
    timers.sort((a, b) => a.at - b.at);
    while (timers.length > 0 && timers[0]!.at <= ms) timers.shift()!.end();
  }

  const nextAt = () => Math.min(...timers.map(({ at }) => at));

  return {
    now: () => new Date(ms),
    sleep(forMs: number): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      timers.push({ at: ms + Math.max(0, forMs), end: resolve });
      return promise;
    },
    timeout(forMs: number): AbortSignal {
      const over = new AbortController();
      const end = () =>
        over.abort(new DOMException("Signal timed out.", "TimeoutError"));
      timers.push({ at: ms + forMs, end });
      return over.signal;
    },
    counted,
    watched: (kv: Deno.Kv) => watchedKv(kv, counted),
    /** The same; each of its calls takes this long. */
    slowed(kv: Deno.Kv, forMs: number): Deno.Kv {
      return watchedKv(kv, async (promise) => {
        const result = await counted(promise);
        await this.sleep(forMs);
        return result;
      });
    },

    /** Moves the clock by this much, from timer to timer. */
    async pass(forMs: number): Promise<void> {
      const until = ms + forMs;
      for (;;) {
        await settle();
        if (nextAt() > until) break;
        moveTo(nextAt());
      }
      moveTo(until);
    },

    /** Moves the clock from timer to timer until the work has ended. */
    async run(work: Promise<unknown>): Promise<void> {
      let hasEnded = false;
      work.finally(() => hasEnded = true).catch(() => {});
      for (;;) {
        await settle();
        if (hasEnded) return void await work;
        if (timers.length > 0) moveTo(nextAt());
      }
    },
  };
}

/** Opens the service with the public limits of its sources. */
export async function virtualService(
  settings: Readonly<Record<string, string>> = {},
  { latencyMs, storeLatencyMs = 0, ...options }: Omit<SimnetOptions, "now"> & {
    /** Returns how long the next call to a host takes; none takes time by default. */
    readonly latencyMs?: (host: string) => number;
    /** How long a call of the database takes. */
    readonly storeLatencyMs?: number;
  } = {},
) {
  const clock = virtualClock();
  const { now, sleep, timeout } = clock;
  const upstreams = simulateUpstreams({ ...options, now });
  const send = asFetch(upstreams);
  const kv = await Deno.openKv(":memory:");
  const config = readConfig({
    METRICS_API_URL: `http://metrics.test${UPSTREAM_PATHS.metricsApi}`,
    EXPLORER_API_URL: `http://explorer.test${UPSTREAM_PATHS.explorer}`,
    C_CHAIN_RPC_URL: `http://c-chain.test${UPSTREAM_PATHS.cChainRpc}`,
    P_CHAIN_RPC_URL: `http://p-chain.test${UPSTREAM_PATHS.pChainRpc}`,
    FAIR_USE_PER_MINUTE: "1000000",
    ...settings,
  });
  const lines: string[] = [];
  const deps = openDeps(config, {
    kv: storeLatencyMs === 0
      ? clock.watched(kv)
      : clock.slowed(kv, storeLatencyMs),
    now,
    sleep,
    timeout,
    async fetch(input, init) {
      const response = await clock.counted(send(input, init));
      const { host } = new URL(input instanceof Request ? input.url : input);
      const forMs = latencyMs?.(host) ?? 0;
      // The service always gives a signal.
      if (forMs > 0) await unlessAborted(sleep(forMs), init!.signal!);
      return response;
    },
    write: (line) => lines.push(line),
  });
  return {
    deps,
    upstreams,
    lines,
    sleep,
    run: clock.run,
    app: createApp(deps),
    [Symbol.dispose]: () => kv.close(),
  };
}

/** Returns a database that counts its operations as work while they last. */
function watchedKv(
  kv: Deno.Kv,
  counted: <T>(promise: Promise<T>) => Promise<T>,
): Deno.Kv {
  return new Proxy(kv, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      if (name === "atomic") {
        return () => {
          const atomic = target.atomic();
          const commit = atomic.commit.bind(atomic);
          atomic.commit = () => counted(commit());
          return atomic;
        };
      }
      if (name === "list") {
        return (...args: unknown[]) => {
          const entries = value.apply(target, args);
          const next = entries.next.bind(entries);
          entries.next = () => counted(next());
          return entries;
        };
      }
      if (name === "close" || name === "watch") return value.bind(target);
      return (...args: unknown[]) => counted(value.apply(target, args));
    },
  });
}

/** A service on a virtual clock. */
export type VirtualService = Awaited<ReturnType<typeof virtualService>>;
