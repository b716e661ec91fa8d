/** How often one client may ask for what costs nothing and fills the store. */
import type { RateLimitDeps } from "./take_call.ts";
import type { Limit } from "./call_budget.ts";
import { DAY_MS, HOUR_MS } from "../days.ts";
import { Fault } from "../fault.ts";
import { networkOf } from "./networks.ts";

/** What is limited, and how: a person signs in a few times a day. */
const LIMITS = {
  /** So one client has at most 120 messages waiting, of less than 1 kB each. */
  challenge: [
    { calls: 12, perMs: 60_000 },
    { calls: 120, perMs: HOUR_MS },
  ],
  /** Free requests are counted by wallet, and a wallet costs nothing. */
  keyCreation: [{ calls: 20, perMs: DAY_MS }],
} as const satisfies Record<string, readonly Limit[]>;

/** Counts a call of a client, known by its network address; throws a fault past the limit. */
export async function limitClient(
  { now, store }: RateLimitDeps,
  what: keyof typeof LIMITS,
  hostname: string,
): Promise<void> {
  const whose = `${what} ${networkOf(hostname)}`;
  const at = now().getTime();
  const admission = await store.budgets.take(whose, LIMITS[what], at);
  if (admission.allowed) return;
  throw new Fault("Cannot serve the request: too many came from your network", {
    kind: "tooManyChanges",
    retryAfterMs: admission.retryAfterMs,
  });
}
