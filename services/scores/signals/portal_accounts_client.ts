/**
 * Client of account histories at a portal of SQD, which streams the transactions of
 * many addresses at once: all reads that wait are one scan of the chain.
 */
import { z } from "zod";
import type {
  AllowedCalls,
} from "../../platform/rate_limit/upstream_limits.ts";
import {
  type CallOptions,
  READER_WAIT_MS,
} from "../../platform/rate_limit/call_budget.ts";
import {
  Fault,
  isPause,
  refusedClient,
  upstreamDown,
  upstreamPaused,
} from "../../platform/fault.ts";
import {
  describe,
  judgeRows,
  nameSource,
  OTHER_SHAPE,
  Refused,
} from "../../platform/http/upstream_answer.ts";
import { getResponse, type Http } from "../../platform/http/http_client.ts";
import { HexNumber, Numeric } from "../../platform/http/numeric_schema.ts";
import { timeoutSignal, unlessAborted } from "../../platform/clock.ts";
import { type OwnTx, type Receipt, summarize } from "./account_history.ts";
import type { ExplorerAccounts } from "./explorer_accounts_client.ts";

/** Calls that the public portal allows without a key: twenty in ten seconds. */
export const PORTAL_CALLS: AllowedCalls = { perSecond: 2 };

/** Addresses of one scan. A query may have 256 KiB; these take 10. */
export const MAX_ADDRESSES = 100;

/** Longest time of a scan. Another index can still be asked after it. */
export const SCAN_MS = 5_000;

/** How long a portal that fails or needs longer is left alone: another index is asked meanwhile. */
const PAUSE_MS = 60_000;

/** Estimated wait for a scan: all reads that wait go with the next call. */
const GATHERING_MS = 1_000;

/**
 * Records of one address: as many as the explorer index shows on one page. An address
 * with more is left to the index, so that both sources show the same of it.
 */
const MAX_RECORDS = 2_500;

/** Records of all addresses of a scan, about 400 bytes each in memory. */
const MAX_SCAN_RECORDS = 50_000;

/** Longest line, in characters: one block. */
const MAX_LINE = 4 * 2 ** 20;

/** The fields that are read. */
const FIELDS = {
  block: { number: true, timestamp: true },
  transaction: {
    hash: true,
    from: true,
    to: true,
    value: true,
    sighash: true,
    nonce: true,
    gasUsed: true,
    effectiveGasPrice: true,
    status: true,
  },
};

/** Returns the query for what addresses sent, and others received, from a block on. */
export function streamQuery(
  { fromBlock, from, to }: {
    readonly fromBlock: number;
    readonly from: readonly string[];
    readonly to: readonly string[];
  },
) {
  return {
    type: "evm",
    fromBlock,
    fields: FIELDS,
    transactions: [{ from }, ...to.length > 0 ? [{ to }] : []],
  };
}

const Seconds = Numeric.pipe(z.int().max(2 ** 32 - 1));

/** One line of a stream. */
const Block = z.object({
  header: z.object({ number: z.int().nonnegative(), timestamp: Seconds }),
  transactions: z.array(z.unknown()).default([]),
});

const Address = z.string().transform((address) => address.toLowerCase());

/** Whom a transaction is about. One that creates a contract has no receiver. */
const Parties = z.object({ from: Address, to: Address.catch("") });

const Details = Parties.extend({
  timestamp: Seconds,
  value: HexNumber.catch(0n),
  status: z.number().catch(1),
});

const ReceivedRow = Details.transform(
  ({ from, timestamp, value, status }): Receipt => ({
    from,
    at: timestamp * 1000,
    value: status === 0 ? 0n : value,
  }),
);

const OwnRow = Details.extend({
  sighash: z.string().regex(/^0x[0-9a-f]{8}$/i).catch(""),
  nonce: z.int().nonnegative(),
  gasUsed: HexNumber,
  effectiveGasPrice: HexNumber,
}).transform((row): OwnTx => ({
  at: row.timestamp * 1000,
  nonce: row.nonce,
  gasUnits: Number(row.gasUsed),
  paidWei: row.gasUsed * row.effectiveGasPrice,
  to: row.to,
  method: row.sighash.toLowerCase(),
  value: row.value,
  failed: row.status === 0,
}));

/** The newest block, as the header says it. */
const Head = z.string().regex(/^\d+$/).transform(Number);

const TxHash = z.object({ hash: z.string() });

/** What a scan has found of one address. */
interface Found {
  /** The transactions, each with the time of its block. */
  rows: unknown[];
  /** When it first sent one, epoch s. Later receipts count for nothing. */
  firstAt: number;
  /** True if it has too many records. */
  isLeft: boolean;
}

/** A scan of the chain for some addresses. */
interface Scan {
  readonly found: ReadonlyMap<string, Found>;
  /** Calls that were counted already. */
  readonly counted: CallOptions[];
  /** Resolves with whether the answers were simulated, once the head is reached. */
  readonly done: Promise<boolean>;
}

/** A read that waits for a scan. */
interface Waiting {
  readonly address: string;
  /** Aborted when a scan takes it along. */
  readonly joined: AbortController;
  scan: Scan | null;
}

/** Where a stream ended. */
interface Progress {
  /** The first block that was not covered. */
  readonly next: number;
  /** The time of the last one that was, epoch s. */
  readonly lastAt: number;
  /** True if there are no further blocks. */
  readonly isEnd: boolean;
}

/** Creates the client of the dataset at a base URL. It reads histories as the explorer index does. */
export function portalAccounts(http: Http, baseUrl: string): ExplorerAccounts {
  const { host } = new URL(baseUrl);
  const { rateLimiter, timeout = timeoutSignal } = http;
  const waiting = new Set<Waiting>();
  /** The scans of started reads, by what was reserved for each. */
  const started = new WeakMap<object, Scan>();

  /** The scan that runs. Reads that come meanwhile are the next one, so that each is large. */
  let running: Scan | null = null;

  /** Waits until a scan for an address begins: its own, or that of a read that waits, too. */
  async function join(address: string, options: CallOptions): Promise<Scan> {
    const joined = new AbortController();
    const own: Waiting = { address, joined, scan: null };
    const signal = AbortSignal.any([options.signal, joined.signal]);
    const waitUntil = http.now().getTime() + READER_WAIT_MS;
    waiting.add(own);
    try {
      while (own.scan === null) {
        if (running !== null) {
          await unlessAborted(running.done.then(() => {}, () => {}), signal);
        }
        const turn = await rateLimiter.start({ ...options, signal, waitUntil });
        const scan = own.scan ?? running;
        if (scan === null) begin(own, turn);
        else scan.counted.push(turn);
      }
    } catch (error) {
      // Its wait was ended by the scan that took it along.
      if (own.scan === null) throw error;
    } finally {
      waiting.delete(own);
    }
    return own.scan!;
  }

  function begin(own: Waiting, turn: CallOptions): void {
    waiting.delete(own);
    const members = [own, ...waiting].slice(0, MAX_ADDRESSES);
    const found = new Map(
      members.map(({ address }): [string, Found] => [
        address,
        { rows: [], firstAt: Infinity, isLeft: false },
      ]),
    );
    const counted = [turn];
    // The calls are for all, so those that follow count for nobody in particular.
    const requester = { ...turn.requester, parties: [] };
    const ofAll = { ...turn, requester, reserved: undefined };
    const done = scanChain(found, () => counted.shift() ?? ofAll)
      .finally(() => running = null);
    // Each member is told when it asks.
    done.catch(() => {});
    running = { found, counted, done };
    for (const member of members) {
      member.scan = running;
      waiting.delete(member);
      member.joined.abort();
    }
  }

  /**
   * Streams the records of addresses up to the newest block. An answer may end at any
   * block, so it is continued after the last one; only the head ends a scan.
   */
  async function scanChain(
    found: ReadonlyMap<string, Found>,
    nextCall: () => CallOptions,
  ): Promise<boolean> {
    const waitUntil = http.now().getTime() + SCAN_MS;
    const signal = timeout(SCAN_MS);
    let at: Progress = { next: 0, lastAt: 0, isEnd: false };
    let isSimulated = false;
    try {
      while (!at.isEnd) {
        const { body, simulated } = await getResponse(
          http,
          requestFor(found, at),
          (response) => readBlocks(response, found, { at, signal }),
          { ...nextCall(), signal, waitUntil },
        );
        at = body;
        isSimulated ||= simulated;
      }
    } catch (cause) {
      const isLate = signal.aborted || http.now().getTime() >= waitUntil;
      // A limit of all is no refusal of the one whose turn it was.
      if (!isLate && refusedClient(cause) !== undefined) {
        throw upstreamDown(host, "the budget of calls is used up", { cause });
      }
      // What fails on this side, such as a busy database, says nothing of the portal.
      const isItsFailure = isLate ||
        cause instanceof Fault && cause.failure.kind === "upstreamDown";
      if (isPause(cause) || !isItsFailure) throw cause;
      await rateLimiter.pause(PAUSE_MS);
      if (!isLate) throw cause;
      throw upstreamPaused(host, { cause, retryAfterMs: PAUSE_MS });
    }
    return isSimulated;
  }

  function requestFor(
    found: ReadonlyMap<string, Found>,
    { next, lastAt }: Progress,
  ): Request {
    const left = [...found].filter(([, { isLeft }]) => !isLeft);
    const from = left.map(([address]) => address);
    const to = left.filter(([, { firstAt }]) => firstAt >= lastAt)
      .map(([address]) => address);
    return new Request(`${baseUrl.replace(/\/$/, "")}/finalized-stream`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(streamQuery({ fromBlock: next, from, to })),
    });
  }

  return {
    baseUrl,

    async start(options) {
      const scan = await join(options.subject!, options);
      // The turn is the scan's, so nothing is left of it for this read.
      const reserved = { budget: rateLimiter.name, until: Infinity, left: 0 };
      started.set(reserved, scan);
      return { ...options, isStarted: true, reserved };
    },

    prepare: (options) => rateLimiter.prepare(options),

    waitMs(options) {
      const waitMs = Math.min(rateLimiter.waitMs(options), GATHERING_MS);
      // A place that is kept here stays one while a scan runs.
      return running === null || waitMs < 0 ? waitMs : SCAN_MS / 2;
    },

    hasStarted: ({ reserved }) =>
      reserved !== undefined && started.has(reserved),

    /**
     * Reads the sent transactions of an address. Throws a fault unless the whole history
     * was read: up to the newest block, and as many as were sent.
     */
    async readAccount(address, { countSent, ...options }) {
      const scan = options.reserved && started.get(options.reserved) ||
        await join(address, options);
      const simulated = await scan.done;
      const { rows, isLeft } = scan.found.get(address)!;
      const sent = await countSent?.() ?? null;
      // What an address received shows nothing unless it has sent something.
      if (isLeft && sent !== 0) {
        throw upstreamDown(host, "it finds the call too large");
      }
      const { own, received, unread } = judge(rows, address);
      if (sent !== null && own.size + unread.length < sent) {
        throw upstreamDown(host, "it lacks the data");
      }
      return {
        body: summarize(own, { received, unread, isPartial: false }),
        source: nameSource("SQD Portal", { host, simulated }),
      };
    },
  };

  /** Judges the records of an address one by one. */
  function judge(records: readonly unknown[], address: string) {
    try {
      const { rows, setAside } = judgeRows(records, {
        parse: (row) =>
          Parties.parse(row).from === address
            ? { own: OwnRow.parse(row) }
            : { received: ReceivedRow.parse(row) },
        idOf: (row) => TxHash.safeParse(row).data?.hash ?? null,
      });
      return {
        own: new Map(
          rows.flatMap(({ own }) =>
            own === undefined ? [] : [[own.nonce, own]]
          ),
        ),
        received: rows.flatMap(({ received = [] }) => received),
        unread: setAside.map(({ reason }) => reason),
      };
    } catch (cause) {
      throw upstreamDown(host, describe(cause), { cause });
    }
  }
}

/**
 * Reads the blocks of a response. One that breaks off is continued after its last whole
 * block, if it has one.
 */
async function readBlocks(
  response: Response,
  found: ReadonlyMap<string, Found>,
  { at, signal }: { readonly at: Progress; readonly signal: AbortSignal },
): Promise<Progress> {
  // No block is newer.
  if (response.status === 204) return { ...at, isEnd: true };
  let { next, lastAt } = at;
  try {
    for await (const line of linesOf(response)) {
      const { header, transactions } = Block.parse(JSON.parse(line));
      if (header.number < next) throw new Refused(OTHER_SHAPE);
      next = header.number + 1;
      lastAt = header.timestamp;
      const leftBefore = countLeft(found);
      for (const tx of transactions) addRecord(found, tx, lastAt);
      if (transactions.length > 0) leaveLargest(found);
      // The rest is asked for without those that have too many.
      if (countLeft(found) > leftBefore) break;
    }
  } catch (error) {
    const isBroken = !(error instanceof z.ZodError || error instanceof Refused);
    if (!isBroken || next === at.next || signal.aborted) throw error;
  }
  if (next === at.next) throw new Refused(OTHER_SHAPE);
  const head = Head.safeParse(
    response.headers.get("X-Sqd-Finalized-Head-Number"),
  ).data;
  const isEnd = head !== undefined && next > head ||
    countLeft(found) === found.size;
  return { next, lastAt, isEnd };
}

/** Splits a response into its lines. The last one may lack its end. */
async function* linesOf(response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of response.body ?? []) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop()!;
    if (rest.length > MAX_LINE) throw new Refused("answer is too large");
    yield* lines.filter((line) => line !== "");
  }
  if (rest !== "") yield rest;
}

/** Adds a record to what is known of the addresses that it is about; one that cannot be read may be about any. */
function addRecord(
  found: ReadonlyMap<string, Found>,
  tx: unknown,
  timestamp: number,
): void {
  const row = typeof tx === "object" && tx !== null ? { ...tx, timestamp } : tx;
  const parties = Parties.safeParse(tx).data;
  if (parties === undefined) {
    for (const one of found.values()) add(one, row);
    return;
  }
  const sender = found.get(parties.from);
  if (sender !== undefined) {
    sender.firstAt = Math.min(sender.firstAt, timestamp);
    add(sender, row);
  }
  const receiver = found.get(parties.to);
  if (receiver === undefined || receiver === sender) return;
  // Anybody can send to an address once it is known.
  if (timestamp <= receiver.firstAt) add(receiver, row);
}

function add(one: Found, row: unknown): void {
  if (one.isLeft) return;
  one.rows.push(row);
  if (one.rows.length > MAX_RECORDS) leave(one);
}

/** Leaves out the addresses with the most records until those of a scan are few enough. */
function leaveLargest(found: ReadonlyMap<string, Found>): void {
  const all = [...found.values()];
  while (
    all.reduce((sum, { rows }) => sum + rows.length, 0) > MAX_SCAN_RECORDS
  ) {
    leave(all.reduce((a, b) => b.rows.length > a.rows.length ? b : a));
  }
}

function leave(one: Found): void {
  one.isLeft = true;
  one.rows = [];
}

function countLeft(found: ReadonlyMap<string, Found>): number {
  return [...found.values()].filter(({ isLeft }) => isLeft).length;
}
