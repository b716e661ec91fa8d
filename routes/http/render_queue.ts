/**
 * Does everything that is not cached one at a time, so that keyed requests never wait
 * for more than one. A network is charged what the work costs, by a table of routes.
 */
import type { MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import type { PlatformDeps } from "../../services/platform/open/deps.ts";
import { Fault } from "../../services/platform/fault.ts";
import { retryWords } from "../../services/platform/text.ts";
import { ipRateLimiter } from "../../services/platform/rate_limit/ip_rate_limit.ts";
import { type Turn, workIn } from "../../services/platform/cache.ts";
import { type ClientDeps, networkOfClient } from "./client_address.ts";
import { heldRefusals, networkCounts } from "./rate_limiting.ts";
import { compress } from "./representation.ts";

/**
 * CPU time in ms of the largest answer of each route pattern, made and compressed
 * once. `deno task bench costs` measures it, and a test holds each row to it within a
 * factor of two. The time that a piece of work takes is not charged: it grows with
 * what else runs at the same time. The rows of pictures and of chunks of files, the first
 * of which includes opening the file, have the name of their kind.
 */
export const ROUTE_COSTS = {
  /** Pages, charts and pictures. */
  page: {
    "/": 24,
    "/chains": 14,
    "/chains/:chainId": 11,
    "/charts/:metric": 11,
    "/days/:series/:chainId/:day": 2.5,
    "/disputes": 20,
    "/revisions": 5.5,
    "/downloads": 18,
    "/embed/chart/:metric": 14,
    "/dashboard/*": 1.1,
    "/tools/score": 0.6,
    "/tools/score/:address": 25,
    "/tools/verify-attestation": 0.8,
    "/profiles/:addressOrSlug": 1.9,
    "/api/profiles/*": 0.55,
    "/status": 15,
    "/docs/*": 1.4,
    "/llms.txt": 0.55,
    "/llms-full.txt": 4.4,
    "/sitemap.xml": 1.25,
    picture: 90,
  },
  /** Answers of chain data, and what else programs read. */
  data: {
    "/api/chain-data": 6,
    "/api/chain-data/chains": 8,
    "/api/chain-data/metrics": 6,
    "/api/chain-data/monthly-transactions": 4.4,
    "/api/chain-data/transaction-fees": 7,
    "/api/chain-data/block-production": 16,
    "/api/chain-data/validators": 25,
    "/api/chain-data/quality": 41,
    "/api/chain-data/disputes": 12,
    "/api/chain-data/revisions": 6,
    "/api/account/*": 1.2,
    "/api/tools/score-badge/:address": 1.6,
    "/chart/:file{[^]+\\.(?:svg|png|csv)}": 14,
    "/downloads/:path{.+}": 8,
    chunk: 2,
    "/openapi.json": 48,
    "/status.json": 2.7,
    "/mcp": 2.5,
    /** Paths without a route. */
    "/*": 1.2,
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, number>>>>;

/**
 * CPU time in ms of a read of the sources that the work waits for. A series of five years
 * takes 6 to 9 and a wallet 0.5 to 1.5, and either answer is charged its cost within a
 * factor of two: `deno task bench costs` measures both.
 */
export const UPSTREAM_MS = 2;

/** Kinds of work. */
type Work = keyof typeof ROUTE_COSTS;

/** The routes with a row. */
export type Route = {
  [Of in Work]: keyof typeof ROUTE_COSTS[Of];
}[Work];

const ROWS = new Map<string, { readonly of: Work; readonly ms: number }>(
  Object.entries(ROUTE_COSTS).flatMap(([of, rows]) =>
    Object.entries(rows).map(([route, ms]) => [route, { of: of as Work, ms }])
  ),
);

/** Returns the kind and the CPU time in ms of the work of a route. Throws if it has no row. */
export function costOf(route: string) {
  const row = ROWS.get(route);
  if (row === undefined) throw new Error(`No row of ROUTE_COSTS is ${route}`);
  return row;
}

/**
 * CPU time that a network may use for each request a minute that it may make: 20 s a
 * minute, a third of a core, at the usual limit. Beyond it, its work is slowed down
 * and not refused.
 */
const MS_PER_REQUEST = 10 / 3;

/**
 * What may wait or run, of a network and of all. Chain data has no quota: its limit
 * is met only by floods, and by no client that polls every series each hour.
 */
const MAX_WORK: Readonly<
  Record<Work, Parameters<typeof networkCounts>[0]>
> = {
  page: { ofNetwork: 8, ofAll: 256 },
  data: { ofNetwork: 512, ofAll: 4_096 },
};

/** Retry-After of a network with too much work under way. */
const BUSY_MS = 1_000;

/** Work that has not ended gives its turn away after this time, as if the database hangs. */
const TURN_MS = 100;

/** Keyed traffic counts as present for this long after a request. */
const KEYED_MS = 1_000;

/** While there is keyed traffic, each render is followed by a pause of this many times its length. */
const PAUSE_FACTOR = 2;

/** Queues renders by network. Networks take turns. */
export function renderQueue(
  deps: Pick<PlatformDeps, "now" | "openRequestsPerMinute" | "sleep">,
) {
  const limiter = ipRateLimiter(
    Math.ceil(deps.openRequestsPerMinute * MS_PER_REQUEST),
  );
  const hold = heldRefusals(deps);
  /** The renders of each network that wait, by network. */
  const waiting = new Map<string, (() => void)[]>();
  const counts = {
    page: networkCounts(MAX_WORK.page),
    data: networkCounts(MAX_WORK.data),
  };
  let isBusy = false;
  let keyedAt = -Infinity;
  let readyAt = 0;

  /** Charges CPU time to a network. Returns the ms by which to delay it, if it has used its time: at most two seconds. */
  function charge(network: string | undefined, ms: number): number {
    if (network === undefined) return 0;
    const now = deps.now().getTime();
    const waitMs = limiter.waitOf(network, "renders", now);
    limiter.add(network, "renders", -ms, now);
    return waitMs;
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

  /** Makes the turns of one piece of work. */
  function turnsOf(network: string | undefined) {
    let startedAt: number | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let waits = 0;
    let isOver = false;
    let taking: Promise<void> | undefined;

    async function takeNow(): Promise<void> {
      await takeTurn(network ?? "");
      taking = undefined;
      startedAt = performance.now();
      timer = setTimeout(pass, TURN_MS);
      // Other parts of the work may have begun to wait, or it has ended without this one.
      if (isOver || waits > 0) pass();
    }

    const take = () => taking ??= takeNow();

    function pass(): void {
      if (startedAt === null) return;
      clearTimeout(timer);
      passTurn(startedAt);
      startedAt = null;
    }

    const outside: Turn["outside"] = async (wait) => {
      if (waits++ === 0) pass();
      try {
        return await wait();
      } finally {
        if (--waits === 0 && !isOver) await take();
      }
    };
    return {
      outside,
      noteRead: () => void charge(network, UPSTREAM_MS),
      take,
      end(): void {
        isOver = true;
        pass();
      },
    };
  }

  return {
    /** Notes that keyed requests are being served. */
    noteKeyed(): void {
      keyedAt = performance.now();
    },

    /**
     * Works in the turn of a network, which is charged what `route` costs and each read
     * of the sources that the work waits for; undefined is an unknown network. Throws a
     * fault if too much of its work is waiting.
     */
    async run<T>(
      network: string | undefined,
      work: () => Promise<T>,
      { route }: { readonly route: string },
    ): Promise<T> {
      const { of, ms } = costOf(route);
      if (network !== undefined && counts[of].isFull(network)) {
        await hold(network);
        throw tooMuchWork(network, of);
      }
      const name = network ?? "";
      counts[of].change(name, 1);
      const turn = turnsOf(network);
      try {
        const waitMs = charge(network, ms);
        if (waitMs > 0) await deps.sleep(waitMs);
        await turn.take();
        // Work that throws at once passes its turn too.
        return await workIn(turn, () => Promise.try(work));
      } finally {
        turn.end();
        counts[of].change(name, -1);
      }
    },
  };
}

/** Middleware that answers in the turn of the client's network, where no cache does. */
export function inTurn(
  deps: ClientDeps,
  { run }: Pick<RenderQueue, "run">,
): MiddlewareHandler {
  return (c, next) =>
    run(networkOfClient(deps, c), async () => {
      await next();
      const { res } = c;
      const compressed = await compress(c.req.raw, res);
      if (compressed !== res) {
        // Otherwise its headers are added to those of the compressed answer.
        c.res = undefined;
        c.res = compressed;
      }
    }, { route: routePath(c) });
}

/** Returns whether a fault refuses a render, so that no other page should be rendered instead. */
export function isRenderRefused({ failure }: Fault): boolean {
  return failure.kind === "ipRateLimit" && failure.of === "renders";
}

/** The queue of renders. */
export type RenderQueue = ReturnType<typeof renderQueue>;

const NOUNS: Readonly<Record<Work, string>> = {
  page: "pages and charts are being drawn",
  data: "answers are being made",
};

function tooMuchWork(network: string, of: Work): Fault {
  const { ofNetwork, ofAll } = MAX_WORK[of];
  return new Fault(
    `Too many ${
      NOUNS[of]
    }: expected at most ${ofNetwork} of this network at once, and ${ofAll} in all; ${
      retryWords(BUSY_MS)
    }`,
    {
      kind: "ipRateLimit",
      of: "renders",
      network,
      most: ofNetwork,
      perSeconds: BUSY_MS / 1_000,
      retryAfterMs: BUSY_MS,
    },
  );
}

/** Waits in real time, which `performance.now()` measures. */
function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
