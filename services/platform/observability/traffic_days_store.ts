/** Requests by UTC day, summed over all processes. */
import { addReceipt, checkAndSet } from "../kv/commit.ts";
import { ANY_NUMBER, type Rule, type StoredRecords } from "../kv/store_rule.ts";
import { DAY_MS, HOUR_MS } from "../days.ts";
import { HISTORY_DAYS } from "./process_metrics_schema.ts";

/** How long what the status shows of a day is kept: two days longer than it is shown. */
export const HISTORY_EXPIRE_MS = (HISTORY_DAYS + 2) * DAY_MS;

/** How long a receipt is kept. */
const RECEIPT_EXPIRE_MS = HOUR_MS;

/** Keys. */
const keys = {
  /** The requests of a UTC day, counted from 1970. */
  trafficDay: (day: number) => ["traffic_days", day],
  /** Shows that requests were added to a day. */
  trafficReceipt: (id: string) => ["traffic_receipts", id],
};

/** The requests of a day. */
export interface DayTraffic {
  readonly requests: number;
  /** Failures, as the traffic of the last hour counts them. */
  readonly serverErrors: number;
}

/** Store of the requests of each day. Records expire, so their number is bounded. */
export function trafficDayStore(kv: Deno.Kv) {
  return {
    /** Adds the requests that one process counted, once also if the database loses its answer. */
    add(day: number, more: DayTraffic): Promise<void> {
      const key = keys.trafficDay(day);
      const receipt = keys.trafficReceipt(crypto.randomUUID());
      return checkAndSet<DayTraffic, void>(kv, key, ({ value }) => {
        const sum: DayTraffic = {
          requests: (value?.requests ?? 0) + more.requests,
          serverErrors: (value?.serverErrors ?? 0) + more.serverErrors,
        };
        return {
          value: undefined,
          write(atomic) {
            addReceipt(atomic, receipt);
            return atomic.set(key, sum, { expireIn: HISTORY_EXPIRE_MS })
              .set(receipt, true, { expireIn: RECEIPT_EXPIRE_MS });
          },
        };
      });
    },

    /** Lists the recorded days up to one, oldest first. */
    async list(
      lastDay: number,
    ): Promise<(DayTraffic & { readonly day: number })[]> {
      const range = {
        start: keys.trafficDay(lastDay - HISTORY_DAYS + 1),
        end: keys.trafficDay(lastDay + 1),
      };
      return await Array.fromAsync(
        kv.list<DayTraffic>(range),
        ({ key, value }) => ({ day: key[1] as number, ...value }),
      );
    },
  };
}

const trafficDay: Rule<DayTraffic> = {
  name: "traffic-day",
  of: keys.trafficDay(ANY_NUMBER),
  invariant: "no more requests of a day failed than were made",
  holds: ({ value: { requests, serverErrors } }) =>
    serverErrors >= 0 && serverErrors <= requests,
};

/** The collections and the rules. */
export const TRAFFIC_RECORDS: StoredRecords = {
  collections: {
    traffic_days: { expireMs: HISTORY_EXPIRE_MS, isIndependent: true },
    traffic_receipts: {
      expireMs: RECEIPT_EXPIRE_MS,
      isLeftOut: true,
      isUnchecked: true,
    },
  },
  rules: [trafficDay],
};
