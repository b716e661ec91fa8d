/** The account page of a wallet. */
import { readQuotaStatus, readUsageDays } from "./access.ts";
import { MAX_KEYS } from "./api_keys.ts";
import { type AccountAnswer, MAX_GRACE_S } from "./account_schema.ts";
import type { AccountsDeps } from "./deps.ts";
import { formatDay } from "../platform/days.ts";
import { instant, readEntitlements } from "../payments/entitlements.ts";
import { kindOf } from "./key_format.ts";

/** Units are counted by wallet; only bursts need a key. */
const NO_KEY = "";

/** Reads the account of a wallet: entitlements, keys, usage and audit trail. */
export async function readAccount(
  deps: Pick<AccountsDeps, "now" | "store">,
  wallet: string,
): Promise<AccountAnswer> {
  const entitlements = await readEntitlements(deps, wallet);
  const caller = { keyId: NO_KEY, wallet, plan: entitlements.plan };
  const [status, days, keys, audit] = await Promise.all([
    readQuotaStatus(deps, caller, "score"),
    readUsageDays(deps, wallet),
    deps.store.apiKeys.list(wallet, deps.now().getTime()),
    deps.store.audit.list(wallet),
  ]);
  const { limit, remaining, resetAt } = status;
  return {
    wallet,
    ...entitlements,
    keys: keys.toSorted((a, b) => b.createdAt - a.createdAt).map((key) => ({
      id: key.id,
      name: key.name,
      prefix: key.prefix,
      kind: kindOf(key.prefix),
      createdAt: instant(key.createdAt),
      expiresAt: instant(key.expiresAt),
    })),
    limits: { keys: MAX_KEYS, graceSeconds: MAX_GRACE_S },
    usage: {
      limit,
      used: limit - remaining,
      remaining,
      resetAt: instant(resetAt),
      days: days.map(({ day, units }) => ({ date: formatDay(day), units })),
    },
    audit: audit.map(({ at, ...entry }) => ({ at: instant(at), ...entry })),
  };
}
