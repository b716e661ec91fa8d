/** Requests by UTC day, summed over all processes. */
import { addReceipt, checkAndSet } from "../kv/commit.ts";
import * as keys from "../kv/keys.ts";
import { HISTORY_DAYS } from "./traffic_schema.ts";

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
      const { traffic_days, traffic_receipts } = keys.COLLECTIONS;
      return checkAndSet<DayTraffic, void>(kv, key, ({ value }) => {
        const sum: DayTraffic = {
          requests: (value?.requests ?? 0) + more.requests,
          serverErrors: (value?.serverErrors ?? 0) + more.serverErrors,
        };
        return {
          value: undefined,
          write(atomic) {
            addReceipt(atomic, receipt);
            return atomic.set(key, sum, { expireIn: traffic_days.expireMs })
              .set(receipt, true, { expireIn: traffic_receipts.expireMs });
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
