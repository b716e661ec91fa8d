/** Store rules of API keys, sessions, usage and audit trails. */
import {
  BURSTS,
  METERED_NAMES,
  PLAN_NAMES,
  PLANS,
} from "../payments/plans_schema.ts";
import { type Counter, total } from "./quota/slot_counter.ts";
import type { LedgerEntry } from "../payments/ledger.ts";
import type { Period } from "./quota/quota.ts";
import { type ApiKeyRecord, type WalletKeys } from "./api_keys_store.ts";
import { CLOCK_SKEW_MS } from "../platform/clock.ts";
import { MAX_CALLS } from "./calls/call_log_schema.ts";
import {
  type CallLogRecord,
  unpack as unpackCalls,
} from "./calls/call_record.ts";
import * as keys from "./keys.ts";
import * as paymentsKeys from "../payments/keys.ts";
import type { SessionRecord } from "./sessions_store.ts";
import { unpack, type UsageRecord } from "./quota/usage_record.ts";
import {
  ANY,
  type Records,
  type Rule,
  textAt,
} from "../platform/kv/store_rule.ts";
import { maxOf } from "../platform/extremes.ts";

const HOURS_A_DAY = 24;

const keyListed: Rule<ApiKeyRecord> = {
  name: "key-listed",
  of: keys.apiKey(ANY),
  invariant: "a wallet lists its working keys, and no revoked ones",
  async holds({ key, value }, { find, now }) {
    const { id, wallet, revokedAt, expiresAt, limits } = value;
    const all = await find<WalletKeys>(keys.walletKeys(wallet));
    const listed = all?.[id];
    if (revokedAt !== null) return listed === undefined;
    // Expired keys leave the list; their records stay.
    if (listed === undefined) {
      const end = Math.min(expiresAt ?? Infinity, limits.expiresAt ?? Infinity);
      return end <= now + CLOCK_SKEW_MS;
    }
    return listed.hash === key[1] && listed.expiresAt === expiresAt &&
      listed.limitedTo === limits.expiresAt;
  },
};

const keyOwner: Rule<ApiKeyRecord> = {
  name: "key-owner",
  of: keys.apiKey(ANY),
  invariant: "the id of a key points to its wallet until the key is revoked",
  async holds({ value: { id, wallet, revokedAt } }, { find }) {
    const owner = await find<string>(keys.apiKeyOwner(id));
    return owner === (revokedAt === null ? wallet : null);
  },
};

const listedKey: Rule<WalletKeys> = {
  name: "listed-key",
  of: keys.walletKeys(ANY),
  invariant: "every key in a wallet's list has a record of that wallet",
  async holds({ key, value }, { find }) {
    const records = await Promise.all(
      Object.values(value).map(({ hash }) =>
        find<ApiKeyRecord>(keys.apiKey(hash))
      ),
    );
    const ids = Object.keys(value);
    return records.every((record, nth) =>
      record?.id === ids[nth] && record?.wallet === key[1]
    );
  },
};

const callLog: Rule<CallLogRecord> = {
  name: "call-log",
  of: keys.callLog(ANY),
  invariant:
    "a log has at most 100 calls, newest first, and names no address in their endpoints",
  holds({ value }) {
    const { calls } = unpackCalls(value);
    return calls.length <= MAX_CALLS &&
      calls.every(({ at, endpoint }, nth) =>
        at <= (calls[nth - 1]?.at ?? Infinity) && !/0x[0-9a-f]/i.test(endpoint)
      );
  },
};

const usageSums: Rule<UsageRecord> = {
  name: "usage-sums",
  of: keys.usage(ANY),
  invariant: "for each whole day, hours and endpoints add up to the same units",
  holds: ({ value }) => {
    const { hours, days } = unpack(value).period;
    const lastHour = hours.since + hours.units.length - 1;
    // Hours of the first day may have been dropped.
    const first = Math.floor(hours.since / HOURS_A_DAY) + 1;
    const last = Math.floor(lastHour / HOURS_A_DAY);
    for (let day = first; day <= last; day++) {
      const byHour = total(hours, day * HOURS_A_DAY) -
        total(hours, (day + 1) * HOURS_A_DAY);
      if (byHour !== unitsOfDay(days, day)) return false;
    }
    return true;
  },
};

const usageLimit: Rule<UsageRecord> = {
  name: "usage-limit",
  of: keys.usage(ANY),
  invariant: "a wallet spent no more in 30 days than the largest plan it had",
  async holds({ key, value }, records) {
    const { hours } = unpack(value).period;
    return total(hours, 0) <= await maxUnits(records, textAt(key, 1));
  },
};

const usageBurst: Rule<UsageRecord> = {
  name: "usage-burst",
  of: keys.usage(ANY),
  invariant:
    "the requests of a key are in order, and no more than its burst allows",
  holds: ({ value }) =>
    Object.values(unpack(value).bursts).every(({ single, batch }) =>
      isLog(single, BURSTS.single.requests) &&
      isLog(batch, BURSTS.batch.requests)
    ),
};

const usageKeys: Rule<UsageRecord> = {
  name: "usage-keys",
  of: keys.usage(ANY),
  invariant: "the keys of a wallet spent no more than the wallet",
  holds: ({ value }) => {
    const { period: { days }, keys: counted } = unpack(value);
    // A counter of an endpoint drops its first days before that of a key does.
    const since = maxOf(Object.values(days).map(({ since }) => since));
    const sum = (counters: readonly Counter[]) =>
      counters.reduce((units, counter) => units + total(counter, since), 0);
    return sum(Object.values(counted)) <= sum(Object.values(days));
  },
};

const session: Rule<SessionRecord> = {
  name: "session",
  of: keys.session(ANY),
  invariant: "a session expires after it was created",
  holds: ({ value: { createdAt, expiresAt } }) => createdAt < expiresAt,
};

/** The store rules of accounts. */
export const ACCESS_RULES: readonly Rule<never>[] = [
  keyListed,
  keyOwner,
  listedKey,
  callLog,
  usageSums,
  usageLimit,
  usageBurst,
  usageKeys,
  session,
];

function unitsOfDay(days: Period["days"], day: number): number {
  return METERED_NAMES.reduce((sum, name) => sum + unitsAt(days[name], day), 0);
}

function unitsAt(counter: Counter | undefined, slot: number): number {
  return counter?.units[slot - counter.since] ?? 0;
}

/** Returns the units of the largest plan that a wallet has had. */
async function maxUnits(
  { list }: Records,
  wallet: string,
): Promise<number> {
  const had: string[] = ["free"];
  for await (
    const { value } of list<LedgerEntry>(paymentsKeys.ledger(wallet))
  ) {
    if (value.kind === "grant") had.push(value.plan);
    if (value.kind === "payment") had.push(value.order?.product ?? "");
  }
  const plans = PLAN_NAMES.filter((name) => had.includes(name));
  return maxOf(plans.map((name) => PLANS[name].requests));
}

function isLog(log: ArrayLike<number>, most: number): boolean {
  return log.length <= most &&
    Array.from(log).every((at, nth, all) => nth === 0 || at >= all[nth - 1]!);
}
