/** What an owner should know now: the quota is nearly used up, or the paid plan ends soon. */
import { DAY_MS, dayAt, formatDay } from "../platform/days.ts";
import type { Notice } from "./account_schema.ts";

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
