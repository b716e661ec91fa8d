/** On-chain signals: one record an address, a few KiB at most. */
import { DAY_MS } from "../domain/days.ts";
import { supersedes } from "../domain/signal_freshness.ts";
import type { ChainSignals } from "../domain/signals.ts";
import { checkAndSet } from "./commit.ts";
import * as keys from "./keys.ts";

/** Signals and who gave them. */
export interface StoredSignals {
  readonly signals: ChainSignals;
  /** Base URL of the upstream that gave the history. */
  readonly origin: string;
}

/** Whole seconds, as blocks have them: 1,000 of them take 4,000 bytes, as numbers 9,000. */
interface SignalsRecord extends Omit<ChainSignals, "recentTxAt"> {
  readonly origin: string;
  readonly recentTxSeconds: Uint32Array<ArrayBuffer>;
}

/** The address space is endless: what nobody reads again goes, in its own time. */
const KEPT_MS = 30 * DAY_MS;

/** Keys that one `getMany` takes. */
const ADDRESSES_A_READ = 10;

/** Signals in a store. */
export function signalStore(kv: Deno.Kv) {
  return {
    /** Finds the signals of an address, however old. */
    async find(address: string): Promise<StoredSignals | null> {
      const { value } = await kv.get<SignalsRecord>(keys.signals(address));
      return value && unpack(value);
    },

    /** Finds the signals of many addresses, in their order. */
    async findAll(
      addresses: readonly string[],
    ): Promise<(StoredSignals | null)[]> {
      const reads: Promise<Deno.KvEntryMaybe<SignalsRecord>[]>[] = [];
      for (let at = 0; at < addresses.length; at += ADDRESSES_A_READ) {
        const some = addresses.slice(at, at + ADDRESSES_A_READ);
        reads.push(kv.getMany<SignalsRecord[]>(some.map(keys.signals)));
      }
      return (await Promise.all(reads)).flat()
        .map(({ value }) => value && unpack(value));
    },

    /**
     * Puts the signals of an address; false, and nothing changed, where the held
     * ones are better. Those of another upstream never are.
     */
    put(address: string, { signals, origin }: StoredSignals): Promise<boolean> {
      const key = keys.signals(address);
      return checkAndSet<SignalsRecord, boolean>(kv, key, ({ value: held }) => {
        if (held?.origin === origin && !supersedes(signals, held)) {
          return { value: false };
        }
        const { recentTxAt, ...rest } = signals;
        const record: SignalsRecord = {
          ...rest,
          origin,
          recentTxSeconds: Uint32Array.from(recentTxAt, (ms) => ms / 1000),
        };
        return {
          value: true,
          write: (atomic) => atomic.set(key, record, { expireIn: KEPT_MS }),
        };
      });
    },
  };
}

function unpack(record: SignalsRecord): StoredSignals {
  const { origin, recentTxSeconds, ...rest } = record;
  const recentTxAt = Array.from(recentTxSeconds, (seconds) => seconds * 1000);
  return { signals: { ...rest, recentTxAt }, origin };
}
