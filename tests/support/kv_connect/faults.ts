/** What goes wrong in a database of the KV Connect server, and what was asked of it. */

/** Switches of a database. Counts apply to the next requests; each is used up. */
export interface Faults {
  /** Time of each request on its way there and back, in ms. */
  latencyMs: number;
  /** Writes that are done, but whose answer breaks off: the client throws. */
  lostAnswers: number;
  /** Writes that are done, but answered with a 503: the client sends them again. */
  repeatedWrites: number;
  /** Requests that are answered with a 503 before they are done: the client sends them again. */
  unavailable: number;
  /** Requests that are answered with a 429: the client throws. */
  throttled: number;
  /** Whether all writes are refused. */
  refusesWrites: boolean;
  /** Whether reads are answered by a replica that stands still, as at the moment of the switch. */
  isStale: boolean;
  /** How long a token is valid, in ms. */
  tokenLifeMs: number;
}

/** A database without faults. */
export const NO_FAULTS: Faults = {
  latencyMs: 0,
  lostAnswers: 0,
  repeatedWrites: 0,
  unavailable: 0,
  throttled: 0,
  refusesWrites: false,
  isStale: false,
  tokenLifeMs: 3_600_000,
};

type Count = "lostAnswers" | "repeatedWrites" | "throttled" | "unavailable";

/** Uses up one of a count; false if none is left. */
export function takeOne(faults: Faults, name: Count): boolean {
  if (faults[name] === 0) return false;
  faults[name]--;
  return true;
}

/** What a database was asked. */
export interface Asked {
  exchanges: number;
  reads: number;
  /** Ranges of all reads: keys and lists. */
  ranges: number;
  /** Billed read units: 4 KiB of each key or list, rounded up, and at least one, found or not. */
  readUnits: number;
  writes: number;
  mutations: number;
  /** Billed write units: 1 KiB of each mutation, rounded up, and at least one. */
  writeUnits: number;
  /** Bytes of the bodies of requests and of answers. */
  bytesIn: number;
  bytesOut: number;
  /** The largest number of requests that were under way at once. */
  mostAtOnce: number;
  /** The longest chain of requests in which each began after the previous one was answered. */
  rounds: number;
  /** The rounds of these in which only budgets of rate limits were read or written. */
  limitRounds: number;
}

/** Nothing was asked yet. */
export const NOTHING_ASKED: Asked = {
  exchanges: 0,
  reads: 0,
  ranges: 0,
  readUnits: 0,
  writes: 0,
  mutations: 0,
  writeUnits: 0,
  bytesIn: 0,
  bytesOut: 0,
  mostAtOnce: 0,
  rounds: 0,
  limitRounds: 0,
};
