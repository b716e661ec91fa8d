/** Keys with limits, and requests with them from an address. */
import { assertEquals } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import type { KeyLimitsBody } from "../../../services/accounts/key_limits_schema.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import type { TestDeps } from "../deps.ts";
import { newOwner } from "../owners.ts";

/** Addresses that have a score. */
const addresses = (count: number) =>
  Array.from({ length: count }, (_, nth) => exampleOf("ordinary", nth));
/** The path of a score. */
export const SCORE = `/score/${exampleOf("ordinary")}`;
/** The address that requests come from. */
export const HERE = "198.51.100.9";

/** An owner on the Growth plan, and requests with a key of theirs from an address. */
export async function openAccount(deps: TestDeps) {
  const owner = newOwner(deps);
  await owner.signIn();
  const at = deps.now().getTime();
  const paidUntil = at + 90 * DAY_MS;
  const grant = { at, plan: "growth", paidUntil } as const;
  await deps.store.payments.grant(owner.wallet, grant);
  const app = createApp(deps);

  async function ask(
    key: string,
    path = SCORE,
    { from = HERE, body }: { from?: string; body?: unknown } = {},
  ) {
    const init: RequestInit = { headers: { "X-Api-Key": key } };
    if (body !== undefined) {
      init.method = "POST";
      init.body = JSON.stringify(body);
      init.headers = { ...init.headers, "Content-Type": "application/json" };
    }
    const remoteAddr = { transport: "tcp", hostname: from, port: 50_000 };
    const answer = await app.request(`/api/v1${path}`, init, { remoteAddr });
    const { status, headers } = answer;
    return { status, headers, body: await answer.json() };
  }

  async function create(limits: Partial<KeyLimitsBody>, kind = "live") {
    const { status, text, body } = await owner.createKey("bot", kind, limits);
    assertEquals(status, 201, text);
    return body as { id: string; key: string; limits: KeyLimitsBody };
  }

  return {
    owner,
    ask,
    create,
    askBatch: (key: string, count: number) =>
      ask(key, "/score/batch", { body: { addresses: addresses(count) } }),
    listKeys: async () => (await owner.call("GET", "")).body.keys,
    used: async () => (await owner.call("GET", "")).body.usage.used,
  };
}
