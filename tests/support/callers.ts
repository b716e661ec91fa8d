/** Callers of the scoring API: a wallet with a key and a plan. */
import { assert } from "@std/assert";
import { appOf } from "./app.ts";
import { createApiKey } from "../../services/accounts/api_keys.ts";
import type { CallerCache } from "../../services/accounts/access.ts";
import type { KeyedRequest } from "../../services/scores/charge_and_refund.ts";
import type {
  Metered,
  PlanName,
} from "../../services/payments/plans_schema.ts";
import { DAY_MS } from "../../services/platform/days.ts";
import { chargeOf } from "../../services/accounts/quota/quota.ts";
import { payerOf } from "./payers.ts";
import type { TestDeps } from "./deps.ts";

/** The default wallet of a caller. */
export const WALLET = `0x${"aa".repeat(20)}`;

/** A response with its body as text and as JSON. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // deno-lint-ignore no-explicit-any -- tests look into any shape there is.
  readonly body: any;
}

/** Requests a path of the scoring API without a key. */
export async function askScoring(
  deps: TestDeps,
  path: string,
  init?: RequestInit,
): Promise<Answer> {
  const response = await appOf(deps).request(`/api/v1${path}`, init);
  const text = await response.text();
  const { status, headers } = response;
  return { status, headers, text, body: JSON.parse(text) };
}

/** Returns a keyed request of a cached caller. */
export function cachedRequest(callers: CallerCache, key: string): KeyedRequest {
  const unverified = callers.find(key)!;
  const { caller } = unverified;
  return {
    key,
    callers,
    caller,
    unverified,
    endpoint: "score",
    quotaStatus: null,
    units: 0,
    hostname: null,
  };
}

/** Gives a wallet a key and a plan for 30 days; returns functions that call with the key. */
export async function enrol(
  deps: TestDeps,
  { plan = "free", wallet = WALLET }: { plan?: PlanName; wallet?: string } = {},
) {
  const created = await createApiKey(deps, { wallet, name: "test" });
  assert(created);
  const { id, key } = created;
  if (plan !== "free") {
    const at = deps.now().getTime();
    const paidUntil = at + 30 * DAY_MS;
    await deps.store.payments.grant(wallet, { at, plan, paidUntil });
  }
  function ask(path: string, init: RequestInit = {}): Promise<Answer> {
    const headers = new Headers(init.headers);
    headers.set("X-Api-Key", key);
    return askScoring(deps, path, { ...init, headers });
  }
  return {
    id,
    key,
    wallet,

    /** Requests a path with the key. */
    ask,

    /** Posts a batch: text unchanged, anything else as JSON. */
    batch(body: unknown, type: string | null = "application/json") {
      const text = typeof body === "string" ? body : JSON.stringify(body);
      return ask("/score/batch", {
        method: "POST",
        body: new TextEncoder().encode(text),
        headers: type === null ? {} : { "Content-Type": type },
      });
    },

    /** Spends the units of the plan with another key until `units` are left. */
    async leave(units: number, endpoint: Metered = "score"): Promise<void> {
      const { limit, ...charge } = chargeOf(plan, endpoint);
      const all = { ...charge, limit, units: limit - units };
      const at = deps.now().getTime();
      await deps.store.usage.spend(payerOf(wallet, "other"), all, at);
    },

    /** Returns the units that the wallet has spent. */
    async used(): Promise<number> {
      const headers = { "X-Api-Key": key };
      const answer = await appOf(deps).request("/api/v1/usage", { headers });
      const body = await answer.json();
      assert(answer.status === 200, JSON.stringify(body));
      return body.used;
    },
  };
}
