/** The accounts of the C-Chain: persona and history of any address, computed on request. */
import { DAY_MS, dayAt, dayOf } from "./series/days.ts";
import { hash32, hexBytes, unit } from "./series/noise.ts";

/** The kind of account that an address simulates. */
export type Persona =
  | "unused"
  | "new"
  | "dormant"
  | "heavy"
  | "contract"
  | "delegated"
  | "ordinary";

/** Percentage of addresses of each persona. */
const PERSONA_PERCENT: Readonly<Record<Persona, number>> = {
  unused: 10,
  new: 12,
  dormant: 15,
  heavy: 4,
  contract: 6,
  delegated: 3,
  ordinary: 50,
};

/** When an address has records: one each `everyMs` from `startMs` to `endMs`. */
interface Lifetime {
  readonly startMs: number;
  readonly everyMs: number;
  readonly endMs: number;
}

/** One record in 8 is received, starting with the first. */
const RECEIVED_EVERY = 8;

/** Transactions that a heavy address has sent by `HEAVY_DAY`. */
const HEAVY_TXS = 50_000;
const HEAVY_DAY = dayOf("2026-11-01");

/** Returns the persona of an address. It depends on the address alone. */
export function personaOf(address: string): Persona {
  let roll = hash32(`persona/${address}`, 0) % 100;
  const personas = Object.entries(PERSONA_PERCENT) as [Persona, number][];
  for (const [persona, share] of personas) {
    if (roll < share) return persona;
    roll -= share;
  }
  return "ordinary";
}

/** The example addresses of each persona that were found so far, among how many. */
const examples = new Map<Persona, { found: string[]; searched: number }>();

/** Returns the n-th example address of a persona. */
export function exampleOf(persona: Persona, nth = 0): string {
  const known = examples.get(persona) ?? { found: [], searched: 0 };
  examples.set(persona, known);
  while (known.found.length <= nth) {
    const address = `0x${hexBytes("example", known.searched++, 20)}`;
    if (personaOf(address) === persona) known.found.push(address);
  }
  return known.found[nth]!;
}

/** Counts the records of an address up to `nowMs`. */
export function countRecords(address: string, nowMs: number): number {
  const life = lifetimeOf(address, nowMs);
  const untilMs = life ? Math.min(nowMs, life.endMs) : 0;
  if (!life || untilMs < life.startMs) return 0;
  const index = Math.floor((untilMs - life.startMs) / life.everyMs);
  return timeIn(life, address, index) <= untilMs ? index + 1 : index;
}

/** Returns the time of a record, as seen at `nowMs`. */
export function recordTimeMs(
  address: string,
  index: number,
  nowMs: number,
): number {
  return timeIn(lifetimeOf(address, nowMs)!, address, index);
}

/** Returns the nonce of a sent record, or null for a received one. */
export function nonceOf(address: string, index: number): number | null {
  if (personaOf(address) === "contract" || index % RECEIVED_EVERY === 0) {
    return null;
  }
  return index - Math.ceil(index / RECEIVED_EVERY);
}

/** Counts the transactions that an address has sent. A contract has created one other contract. */
export function countSent(address: string, nowMs: number): number {
  if (personaOf(address) === "contract") return 1;
  const records = countRecords(address, nowMs);
  return records - Math.ceil(records / RECEIVED_EVERY);
}

/** Returns the code at an address; `0x` if it has none. */
export function codeAt(address: string): string {
  const persona = personaOf(address);
  if (persona === "contract") return `0x60806040${hexBytes(address, 0, 96)}`;
  if (persona === "delegated") return `0xef0100${hexBytes(address, 1, 20)}`;
  return "0x";
}

/** Returns the balance of an address in wei. */
export function balanceOf(address: string): bigint {
  if (personaOf(address) === "unused") return 0n;
  return BigInt(hash32(`balance/${address}`, 0)) * 10n ** 10n;
}

/** Jitter stays below one step, so that records keep their order. */
function timeIn(life: Lifetime, address: string, index: number): number {
  const jitter = 0.8 * unit(`record/${address}`, index);
  return life.startMs + Math.floor((index + jitter) * life.everyMs);
}

/** Only new accounts start relative to the clock: with a fixed start they would become old. */
function lifetimeOf(address: string, nowMs: number): Lifetime | null {
  const draw = (what: string, from: number, to: number) =>
    from + (to - from) * unit(`${what}/${address}`, 0);
  const from = (first: string, last: string, stepDays: [number, number]) => ({
    startMs: Math.floor(draw("start", dayOf(first), dayOf(last)) * DAY_MS),
    // deno-lint-ignore firn/spread-arguments -- two
    everyMs: Math.floor(draw("every", ...stepDays) * DAY_MS),
    endMs: Infinity,
  });
  switch (personaOf(address)) {
    case "unused":
      return null;
    case "new": {
      const life = from("2021-01-01", "2021-01-02", [0.2, 1.5]);
      const age = Math.floor(draw("age", 2, 20));
      const part = life.startMs % DAY_MS;
      return { ...life, startMs: (dayAt(nowMs) - age) * DAY_MS + part };
    }
    case "dormant": {
      const life = from("2020-10-01", "2023-06-01", [1, 9]);
      return { ...life, endMs: life.startMs + 300 * DAY_MS };
    }
    case "heavy": {
      const life = from("2021-03-01", "2023-01-01", [1, 1]);
      const records = HEAVY_TXS * RECEIVED_EVERY / (RECEIVED_EVERY - 1);
      const spanMs = HEAVY_DAY * DAY_MS - life.startMs;
      return { ...life, everyMs: Math.floor(spanMs / records) };
    }
    case "contract":
      return from("2021-06-01", "2025-06-01", [0.05, 0.5]);
    case "delegated":
    case "ordinary":
      return from("2020-12-01", "2025-12-01", [0.3, 6]);
  }
}
