/**
 * The account page of a wallet, its last calls, and what its owner should know now: the
 * quota is nearly used up, or the paid plan ends soon.
 */
import { MAX_WALLET_KEYS, summarizeKey } from "./api_keys.ts";
import {
  type AccountAnswer,
  type CallsAnswer,
  MAX_GRACE_S,
  type Notice,
} from "./account_schema.ts";
import { SESSION_KEY } from "./access.ts";
import type { AccountsDeps } from "./deps.ts";
import { DAY_MS, dayAt, formatDay } from "../platform/days.ts";
import { instant } from "../platform/clock.ts";
import { readEntitlements } from "../payments/entitlements.ts";
import { PLANS } from "../payments/plans_schema.ts";
import { listDays } from "./quota/quota.ts";
import { HOURLY, windowStatus } from "./quota/rolling_window.ts";

/** Reads the account of a wallet: entitlements, keys, usage and audit trail. */
export async function readAccount(
  deps: Pick<AccountsDeps, "callLog" | "now" | "readColdReads" | "store">,
  wallet: string,
): Promise<AccountAnswer> {
  const entitlements = await readEntitlements(deps, wallet);
  const now = deps.now().getTime();
  await deps.callLog.writeOf(wallet);
  const { plan } = entitlements;
  const [usage, keys, audit, { lastUsed }, coldReads] = await Promise.all([
    deps.store.usage.readWallet(wallet),
    deps.store.apiKeys.list(wallet, now),
    deps.store.audit.list(wallet),
    deps.store.callLogs.read(wallet, now),
    deps.readColdReads({ wallet, plan }),
  ]);
  const { limit, used, remaining, resetAt } = windowStatus(
    HOURLY,
    usage.period.hours,
    { limit: PLANS[entitlements.plan].requests, now },
  );
  return {
    wallet,
    ...entitlements,
    keys: keys.toSorted((a, b) => b.createdAt - a.createdAt)
      .map((key) => summarizeKey(key, { counted: usage.keys, lastUsed }, now)),
    limits: { keys: MAX_WALLET_KEYS, graceSeconds: MAX_GRACE_S },
    usage: {
      limit,
      used,
      remaining,
      resetAt: instant(resetAt),
      notices: noticesOf({
        ...entitlements,
        isFollowed: entitlements.next.length > 0,
        used,
        limit,
      }, now),
      days: listDays(usage.period, now).map(({ day, units }) => ({
        date: formatDay(day),
        units,
      })),
    },
    coldReads,
    audit: audit.map(({ at, ...entry }) => ({ at: instant(at), ...entry })),
  };
}

/** Reads the last calls of a wallet, newest first. Those of this process are written first. */
export async function readCalls(
  { callLog, now, store }: Pick<AccountsDeps, "callLog" | "now" | "store">,
  wallet: string,
): Promise<CallsAnswer> {
  const at = now().getTime();
  await callLog.writeOf(wallet);
  const [{ calls }, keys] = await Promise.all([
    store.callLogs.read(wallet, at),
    store.apiKeys.list(wallet, at),
  ]);
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  names.set(SESSION_KEY, "Signed-in session");
  return {
    calls: calls.map(({ at, keyId, ...call }) => ({
      at: new Date(at).toISOString(),
      keyId,
      keyName: names.get(keyId) ?? null,
      ...call,
    })),
  };
}

/** The end of a plan is announced this long before it. */
const ENDS_SOON_MS = 7 * DAY_MS;

/** From this share of the quota on, its use is announced. */
const NEARLY_USED = 0.8;

const COUNT = new Intl.NumberFormat("en-US");

/** The plan and its use at an instant. */
export interface PlanUse {
  readonly planLabel: string;
  /** ISO 8601; null on the free plan. */
  readonly paidUntil: string | null;
  /** Whether another paid plan follows. */
  readonly isFollowed: boolean;
  readonly used: number;
  readonly limit: number;
}

/** Lists the notices at an instant, epoch ms, the most urgent first. */
export function noticesOf(
  { planLabel, paidUntil, isFollowed, used, limit }: PlanUse,
  now: number,
): Notice[] {
  const notices: Notice[] = [];
  const share = `${COUNT.format(used)} of ${
    COUNT.format(limit)
  } units used in the last 30 days.`;
  if (used >= limit) {
    const message =
      `${share} Requests are refused until older units leave the window.`;
    notices.push({ code: "QUOTA_USED_UP", message });
  } else if (used >= NEARLY_USED * limit) {
    notices.push({ code: "QUOTA_80_PERCENT", message: share });
  }
  const end = paidUntil === null || isFollowed ? NaN : Date.parse(paidUntil);
  if (end - now <= ENDS_SOON_MS) {
    notices.push({
      code: "PLAN_ENDS_SOON",
      message: `The ${planLabel} plan ends on ${
        formatDay(dayAt(end))
      } (UTC). It does not renew automatically; after that, the Free plan applies.`,
    });
  }
  return notices;
}
