/** Rules of API keys, sessions and what is counted against them. */
import {
  BURSTS,
  METERED_NAMES,
  PLAN_NAMES,
  PLANS,
} from "../payments/plans_schema.ts";
import { type Counter, total } from "./quota/slot_counter.ts";
import type { LedgerEntry } from "../payments/ledger.ts";
import type { Period } from "./quota/quota.ts";
import {
  type ApiKeyRecord,
  heldKeyOf,
  type WalletKeysRecord,
} from "./api_keys_store.ts";
import type { AuditEntry } from "../platform/kv/audit_store.ts";
import { CLOCK_SKEW_MS } from "../platform/clock.ts";
import * as keys from "./keys.ts";
import * as paymentsKeys from "../payments/keys.ts";
import type { SessionRecord } from "./sessions_store.ts";
import { unpack, type UsageRecord } from "./quota/usage_record.ts";
import {
  numberAt,
  type Records,
  type Rule,
  textAt,
} from "../platform/kv/store_rule.ts";

const HOURS_A_DAY = 24;

const keyListed: Rule<ApiKeyRecord> = {
  name: "key-listed",
  of: ["api_keys", null],
  demands:
    "a key that works is among those of its wallet until it ends, and a revoked one is not",
  async holds({ key, value }, { find, now }) {
    const { id, wallet, revokedAt, expiresAt } = value;
    const all = await find<WalletKeysRecord>(keys.walletKeys(wallet));
    const listed = all?.[id];
    if (revokedAt !== null) return listed === undefined;
    // The list forgets what has ended, the record keeps it.
    if (listed === undefined) {
      return (expiresAt ?? Infinity) <= now + CLOCK_SKEW_MS;
    }
    const held = heldKeyOf(listed);
    return held.hash === key[1] && held.expiresAt === (expiresAt ?? null);
  },
};

const keyOwner: Rule<ApiKeyRecord> = {
  name: "key-owner",
  of: ["api_keys", null],
  demands: "the id of a key names its wallet until the key is revoked",
  async holds({ value: { id, wallet, revokedAt } }, { find }) {
    const owner = await find<string>(keys.apiKeyOwner(id));
    return owner === (revokedAt === null ? wallet : null);
  },
};

const listedKey: Rule<WalletKeysRecord> = {
  name: "listed-key",
  of: ["wallet_keys", null],
  demands: "every key of a wallet has a record, which is that wallet's",
  async holds({ key, value }, { find }) {
    const records = await Promise.all(
      Object.values(value).map((held) =>
        find<ApiKeyRecord>(keys.apiKey(heldKeyOf(held).hash))
      ),
    );
    const ids = Object.keys(value);
    return records.every((record, nth) =>
      record?.id === ids[nth] && record?.wallet === key[1]
    );
  },
};

const usageSums: Rule<UsageRecord> = {
  name: "usage-sums",
  of: ["usage", null],
  demands: "of each whole day the hours and the endpoints count the same units",
  holds: ({ value }) => {
    const { hours, days } = unpack(value).period;
    const lastHour = hours.since + hours.units.length - 1;
    // Of the first day, hours may have been forgotten.
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
  of: ["usage", null],
  demands: "a wallet never spent more in 30 days than a plan it had allows",
  async holds({ key, value }, records) {
    const { hours } = unpack(value).period;
    return total(hours, 0) <= await mostUnits(records, textAt(key, 1));
  },
};

const usageBurst: Rule<UsageRecord> = {
  name: "usage-burst",
  of: ["usage", null],
  demands: "the requests of a key are in order, and no more than a burst has",
  holds: ({ value }) =>
    Object.values(unpack(value).bursts).every(({ single, batch }) =>
      isLog(single, BURSTS.single.requests) &&
      isLog(batch, BURSTS.batch.requests)
    ),
};

const session: Rule<SessionRecord> = {
  name: "session",
  of: ["sessions", null],
  demands: "a session ends after it began",
  holds: ({ value: { createdAt, expiresAt } }) => createdAt < expiresAt,
};

const auditEntry: Rule<AuditEntry> = {
  name: "audit-order",
  of: ["audit", null, null, null],
  demands: "an entry of an audit trail stands at its own instant",
  holds: ({ key, value: { at } }) => numberAt(key, 2) === at,
};

const nonce: Rule<number> = {
  name: "attestation-nonce",
  of: ["attestation_nonces", null],
  demands: "the last nonce of a subject is a whole number above 0",
  holds: ({ value }) => Number.isSafeInteger(value) && value > 0,
};

/** The rules of who may call, and of what they called. */
export const ACCESS_RULES: readonly Rule<never>[] = [
  keyListed,
  keyOwner,
  listedKey,
  usageSums,
  usageLimit,
  usageBurst,
  session,
  auditEntry,
  nonce,
];

function unitsOfDay(days: Period["days"], day: number): number {
  return METERED_NAMES.reduce((sum, name) => sum + unitsAt(days[name], day), 0);
}

function unitsAt(counter: Counter | undefined, slot: number): number {
  return counter?.units[slot - counter.since] ?? 0;
}

/** Returns the units of the largest plan that a wallet ever had. */
async function mostUnits(
  { list }: Records,
  wallet: string,
): Promise<number> {
  const had: string[] = ["free"];
  for await (
    const { value } of list<LedgerEntry>(paymentsKeys.ledger(wallet))
  ) {
    had.push(value.kind === "grant" ? value.plan : value.order?.product ?? "");
  }
  const plans = PLAN_NAMES.filter((name) => had.includes(name));
  return Math.max(...plans.map((name) => PLANS[name].requests));
}

function isLog(log: ArrayLike<number>, most: number): boolean {
  return log.length <= most &&
    Array.from(log).every((at, nth, all) => nth === 0 || at >= all[nth - 1]!);
}
