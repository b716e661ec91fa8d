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
  callsUsedUp,
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
import { boundedCache } from "../../platform/cache.ts";
import { MINUTE_MS } from "../../platform/days.ts";
import { timeoutSignal, unlessAborted } from "../../platform/clock.ts";
import {
  type AccountHistory,
  type OwnTx,
  type Receipt,
  summarize,
} from "./account_history.ts";
import type { ExplorerAccounts } from "./explorer_accounts_client.ts";

/** Calls that the public portal allows without a key: twenty in ten seconds. */
export const PORTAL_CALLS: AllowedCalls = { perSecond: 2 };

/** Addresses of one scan. A query may have 256 KiB; these take 10. */
export const MAX_ADDRESSES = 100;

/** How long a read waits for a scan, and longest time of one answer. Another index can still be asked after it. */
export const SCAN_MS = 5_000;

/** Longest time of a scan whose answers come in time. */
const LONGEST_SCAN_MS = 30_000;

/** How long what a long scan has shown is kept for the reads that come again, and of how many addresses. */
const KEPT_MS = MINUTE_MS;
const MAX_KEPT = 1_000;

/** How long a portal that fails is left alone: another index is asked meanwhile. */
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

/**
 * Records of addresses with too many that an answer may still bring, 8 MB or so. Then the
 * rest is asked for without them.
 */
const MAX_IGNORED = 20_000;

/** Addresses that a scan has more than the one before it, if that one ended in time. */
const GROWTH = 10;

/** Addresses with too many records that are remembered, so that no scan has them again. */
const MAX_REMEMBERED = 5_000;

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

/** The history of an address that has sent nothing. */
const NOTHING = summarize(new Map(), {
  received: [],
  unread: [],
  isPartial: false,
});

/** The newest block, as the header says it. */
const Head = z.string().regex(/^\d+$/).transform(Number);

const TxHash = z.object({ hash: z.string() });

/** What a scan has found of one address. */
interface Found {
  /** The transactions, each with the time of its block. */
  rows: unknown[];
  /** When it first sent one, epoch s. Later receipts count for nothing. */
  firstAt: number;
  /** True if it has too many records, or too many for this scan. */
  isLeft: boolean;
  /** True if it has too many records for any scan. */
  isTooLarge: boolean;
}

/** A scan of the chain for some addresses. */
interface Scan {
  readonly found: ReadonlyMap<string, Found>;
  /** Calls that were counted already. */
  readonly counted: CallOptions[];
  /** Resolves with whether the answers were simulated, once the head is reached. */
  readonly done: Promise<boolean>;
  /** True if its first answer has come. */
  hasAnswered: boolean;
  /** Addresses whose reads were told to come again. */
  readonly awaited: Set<string>;
}

/** What a scan has shown of an address. */
interface Shown {
  /** Null if it has too many records for the scan. */
  readonly history: AccountHistory | null;
  /** Its sent transactions. */
  readonly count: number;
  readonly isTooLarge: boolean;
  readonly simulated: boolean;
}

/** What a long scan has shown of an address, or that it cannot be read. */
interface Kept {
  readonly shown: Promise<Shown>;
  /** When the scan ended, epoch ms. */
  readonly at: number;
}

/** Waits for what is shown of an address, as long as a read may. */
type Show = (options: CallOptions) => Promise<Shown>;

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
  /** The results of started reads, by what was reserved for each. */
  const started = new WeakMap<object, Show>();

  /** The scan that runs. Reads that come meanwhile are the next one, so that each is large. */
  let running: Scan | null = null;
  /** What long scans have shown of addresses, for the reads that come again. */
  const kept = boundedCache<Kept>(MAX_KEPT);
  /** Addresses of a scan: fewer after one that did not end in time. */
  let most = MAX_ADDRESSES;
  /** Addresses with too many records. */
  const tooLarge = boundedCache<string>(MAX_REMEMBERED);

  function findKept(address: string): Promise<Shown> | undefined {
    const found = kept.get(address);
    const isKept = found !== undefined &&
      Math.abs(http.now().getTime() - found.at) < KEPT_MS;
    return isKept ? found.shown : undefined;
  }

  /** Waits until a scan for an address begins: its own, or that of a read that waits, too. */
  async function join(address: string, options: CallOptions): Promise<Show> {
    if (tooLarge.has(address)) throw tooLargeFault();
    const earlier = findKept(address);
    if (earlier !== undefined) return () => earlier;
    if (running?.found.has(address)) return showOf(running, address);
    const joined = new AbortController();
    const own: Waiting = { address, joined, scan: null };
    const signal = AbortSignal.any([options.signal, joined.signal]);
    const waitUntil = http.now().getTime() + READER_WAIT_MS;
    const late = timeout(READER_WAIT_MS);
    waiting.add(own);
    try {
      while (own.scan === null) {
        if (running !== null) {
          const ended = running.done.then(() => {}, () => {});
          await unlessAborted(
            unlessAborted(ended, late, () => busy(options)),
            signal,
          );
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
    return showOf(own.scan!, address);
  }

  function begin(own: Waiting, turn: CallOptions): void {
    waiting.delete(own);
    const members = [own, ...waiting].slice(0, most);
    const found = new Map(
      members.map(({ address }): [string, Found] => [
        address,
        { rows: [], firstAt: Infinity, isLeft: false, isTooLarge: false },
      ]),
    );
    const counted = [turn];
    // The calls are for all, so those that follow count for nobody in particular.
    const requester = { ...turn.requester, parties: [] };
    const ofAll = { ...turn, requester, reserved: undefined };
    const scan: Scan = {
      found,
      counted,
      hasAnswered: false,
      awaited: new Set(),
      done: Promise.resolve().then(() =>
        scanChain(scan, () => counted.shift() ?? ofAll)
      ),
    };
    running = scan;
    scan.done.then(() => {
      running = null;
      for (const address of scan.awaited) {
        const shown = showOf(scan, address)(ofAll);
        // The read that comes again is told.
        shown.catch(() => {});
        kept.set(address, { shown, at: http.now().getTime() });
      }
    }, () => running = null);
    for (const member of members) {
      member.scan = scan;
      waiting.delete(member);
      member.joined.abort();
    }
  }

  /** Returns the refusal of a read for which a scan takes too long. What it finds is kept. */
  function busy({ requester: { of, parties } }: CallOptions): Fault {
    return callsUsedUp("scoringBusy", {
      upstream: host,
      requester: parties[0]?.name ?? of,
      usedBy: "everyone",
      retryAfterMs: SCAN_MS,
    });
  }

  const tooLargeFault = () => upstreamDown(host, "it finds the call too large");

  /**
   * Returns what a scan shows of an address. A scan that takes longer than a read waits
   * goes on, and the read comes again.
   */
  function showOf(scan: Scan, address: string): Show {
    return async (options) => {
      const late = timeout(SCAN_MS);
      const simulated = await unlessAborted(scan.done, late).catch((error) => {
        if (error !== late.reason) throw error;
        // Without any answer, it ends at this moment, too: it has failed.
        if (!scan.hasAnswered) return scan.done;
        scan.awaited.add(address);
        throw busy(options);
      });
      const { rows, isLeft, isTooLarge } = scan.found.get(address)!;
      const { own, received, unread } = judge(rows, address);
      return {
        history: isLeft
          ? null
          : summarize(own, { received, unread, isPartial: false }),
        count: own.size + unread.length,
        isTooLarge,
        simulated,
      };
    };
  }

  /**
   * Streams the records of addresses up to the newest block. An answer may end at any
   * block, so it is continued after the last one; only the head ends a scan.
   */
  async function scanChain(
    scan: Scan,
    nextCall: () => CallOptions,
  ): Promise<boolean> {
    const { found } = scan;
    const whole = timeout(LONGEST_SCAN_MS);
    let signal = whole;
    let waitUntil = 0;
    let at: Progress = { next: 0, lastAt: 0, isEnd: false };
    let isSimulated = false;
    try {
      while (!at.isEnd) {
        waitUntil = http.now().getTime() + SCAN_MS;
        signal = AbortSignal.any([whole, timeout(SCAN_MS)]);
        const { body, simulated } = await getResponse(
          http,
          requestFor(found, at),
          (response) => readBlocks(response, found, { at, signal }),
          { ...nextCall(), signal, waitUntil },
        );
        at = body;
        isSimulated ||= simulated;
        scan.hasAnswered = true;
      }
      most = Math.min(MAX_ADDRESSES, most + GROWTH);
    } catch (cause) {
      // Fewer addresses are found sooner.
      if (whole.aborted && most > 1) {
        most = Math.ceil(Math.min(most, found.size) / 2);
        throw upstreamDown(host, "answer took too long", { cause });
      }
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
      const show = await join(options.subject!, options);
      // The turn is the scan's, so nothing is left of it for this read.
      const reserved = { budget: rateLimiter.name, until: Infinity, left: 0 };
      started.set(reserved, show);
      return { ...options, isStarted: true, reserved };
    },

    prepare: (options) => rateLimiter.prepare(options),

    waitMs(options) {
      const { subject = "" } = options;
      if (tooLarge.has(subject)) return Infinity;
      if (findKept(subject) !== undefined) return -Infinity;
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
      const show = options.reserved && started.get(options.reserved) ||
        await join(address, options);
      const { history, count, isTooLarge, simulated } = await show(options);
      const sent = await countSent?.() ?? null;
      // What an address received shows nothing unless it has sent something.
      if (history === null && sent !== 0) {
        if (isTooLarge) tooLarge.set(address, address);
        throw tooLargeFault();
      }
      if (sent !== null && count < sent) {
        throw upstreamDown(host, "it lacks the data");
      }
      return {
        body: history ?? NOTHING,
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
  let ignored = 0;
  try {
    for await (const line of linesOf(response)) {
      const { header, transactions } = Block.parse(JSON.parse(line));
      if (header.number < next) throw new Refused(OTHER_SHAPE);
      next = header.number + 1;
      lastAt = header.timestamp;
      for (const tx of transactions) {
        if (!addRecord(found, tx, lastAt)) ignored++;
      }
      if (transactions.length > 0) leaveLargest(found);
      // The rest is asked for without those that have too many.
      if (ignored > MAX_IGNORED || countLeft(found) === found.size) break;
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

/**
 * Adds a record to what is known of the addresses that it is about; one that cannot be
 * read may be about any. Returns whether it says something of one of them.
 */
function addRecord(
  found: ReadonlyMap<string, Found>,
  tx: unknown,
  timestamp: number,
): boolean {
  const row = typeof tx === "object" && tx !== null ? { ...tx, timestamp } : tx;
  const parties = Parties.safeParse(tx).data;
  if (parties === undefined) {
    for (const one of found.values()) add(one, row);
    return true;
  }
  const sender = found.get(parties.from);
  const receiver = found.get(parties.to);
  let isUsed = false;
  if (sender !== undefined) {
    sender.firstAt = Math.min(sender.firstAt, timestamp);
    isUsed = add(sender, row);
  }
  // Anybody can send to an address once it is known.
  const isFunding = receiver !== undefined && receiver !== sender &&
    timestamp <= receiver.firstAt;
  return isFunding && add(receiver, row) || isUsed;
}

function add(one: Found, row: unknown): boolean {
  if (one.isLeft) return false;
  one.rows.push(row);
  one.isTooLarge = one.rows.length > MAX_RECORDS;
  if (one.isTooLarge) leave(one);
  return true;
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
