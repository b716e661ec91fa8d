/** The figures of an address on its score page. */
import { DAY_MS, dayAt, formatDay } from "../platform/days.ts";
import { signalsOf } from "../profiles/profile.ts";
import { isCut } from "./signals/kept_history.ts";
import type { Figures } from "./public_scores_schema.ts";
import type { ScoreInputs } from "./scores.ts";

/** Returns the figures of an address at an instant, epoch ms. */
export function figuresOf(
  { chain: { signals: chain }, service }: ScoreInputs,
  now: number,
): Figures {
  const { firstTxAt, recentTxAt, nonce, use, gasAvax } = chain;
  const { followers, mutual, thin, burst } = service.graph;
  const profile = signalsOf(service.profile, service.purchases);
  const lastTxAt = recentTxAt[0] ?? firstTxAt;
  return {
    transactions: Math.max(nonce, use.count),
    activeDays: use.days.length,
    isCut: isCut(chain),
    firstDay: dayOf(firstTxAt),
    lastDay: dayOf(lastTxAt),
    ageDays: daysSince(firstTxAt, now),
    idleDays: daysSince(lastTxAt, now),
    slots: use.slots,
    gasAvax,
    socials: profile.socials.map(({ kind }) => kind),
    followers,
    mutual,
    thin,
    burst,
    premiumMonths: profile.premiumMonths,
    donatedUsdc: profile.donatedUsdc,
  };
}

function dayOf(at: number | null): string | null {
  return at === null ? null : formatDay(dayAt(at));
}

/** Returns the whole days since an instant. */
function daysSince(at: number | null, now: number): number | null {
  return at === null ? null : Math.max(0, Math.floor((now - at) / DAY_MS));
}
