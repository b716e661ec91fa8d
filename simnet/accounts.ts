/** The accounts of the C-Chain: any address has a persona and a history, worked out on request. */
import { DAY_MS, dayAt, dayOf } from "./series/days.ts";
import { hash32, hexBytes, unit } from "./series/noise.ts";

/** What kind of life an address leads. */
export type Persona =
  | "unused"
  | "new"
  | "dormant"
  | "heavy"
  | "contract"
  | "delegated"
  | "ordinary";

/** How many of a hundred addresses are of each kind. */
const PERSONA_PERCENT: Readonly<Record<Persona, number>> = {
  unused: 10,
  new: 12,
  dormant: 15,
  heavy: 4,
  contract: 6,
  delegated: 3,
  ordinary: 50,
};

/** The records of an address: one every so often, from one instant to another. */
interface Lifetime {
  readonly startMs: number;
  readonly everyMs: number;
  readonly endMs: number;
}

/** One record in so many is received, the first one among them. */
const RECEIVED_EVERY = 8;

/** Transactions that a heavy address has sent by a fixed day. */
const HEAVY_TXS = 50_000;
const HEAVY_DAY = dayOf("2026-11-01");

/** Returns the persona of an address, the same for ever. */
export function personaOf(address: string): Persona {
  let roll = hash32(`persona/${address}`, 0) % 100;
  const personas = Object.entries(PERSONA_PERCENT) as [Persona, number][];
  for (const [persona, share] of personas) {
    if (roll < share) return persona;
    roll -= share;
  }
  return "ordinary";
}

/** Returns the n-th of the addresses that stand as examples of a persona. */
export function exampleOf(persona: Persona, nth = 0): string {
  let left = nth;
  for (let number = 0;; number++) {
    const address = `0x${hexBytes("example", number, 20)}`;
    if (personaOf(address) === persona && left-- === 0) return address;
  }
}

/** Counts the records of an address up to an instant. */
export function countRecords(address: string, nowMs: number): number {
  const life = lifetimeOf(address, nowMs);
  const untilMs = life ? Math.min(nowMs, life.endMs) : 0;
  if (!life || untilMs < life.startMs) return 0;
  const index = Math.floor((untilMs - life.startMs) / life.everyMs);
  return timeIn(life, address, index) <= untilMs ? index + 1 : index;
}

/** Works out when a record was made, as seen at an instant. */
export function recordTimeMs(
  address: string,
  index: number,
  nowMs: number,
): number {
  return timeIn(lifetimeOf(address, nowMs)!, address, index);
}

/** Returns the nonce of a record that the address sent, or null for a received one. */
export function nonceOf(address: string, index: number): number | null {
  if (personaOf(address) === "contract" || index % RECEIVED_EVERY === 0) {
    return null;
  }
  return index - Math.ceil(index / RECEIVED_EVERY);
}

/** Counts what an address has sent; a contract has created one other. */
export function countSent(address: string, nowMs: number): number {
  if (personaOf(address) === "contract") return 1;
  const records = countRecords(address, nowMs);
  return records - Math.ceil(records / RECEIVED_EVERY);
}

/** Returns the code at an address, `0x` where there is none. */
export function codeAt(address: string): string {
  const persona = personaOf(address);
  if (persona === "contract") return `0x60806040${hexBytes(address, 0, 96)}`;
  if (persona === "delegated") return `0xef0100${hexBytes(address, 1, 20)}`;
  return "0x";
}

/** Returns what an address holds, in wei. */
export function balanceOf(address: string): bigint {
  if (personaOf(address) === "unused") return 0n;
  return BigInt(hash32(`balance/${address}`, 0)) * 10n ** 10n;
}

/** Jitter stays below a whole step, so that records keep their order. */
function timeIn(life: Lifetime, address: string, index: number): number {
  const jitter = 0.8 * unit(`record/${address}`, index);
  return life.startMs + Math.floor((index + jitter) * life.everyMs);
}

/** Only the new live in step with the clock, as they would not stay new. */
function lifetimeOf(address: string, nowMs: number): Lifetime | null {
  const draw = (what: string, from: number, to: number) =>
    from + (to - from) * unit(`${what}/${address}`, 0);
  const from = (first: string, last: string, stepDays: [number, number]) => ({
    startMs: Math.floor(draw("start", dayOf(first), dayOf(last)) * DAY_MS),
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
