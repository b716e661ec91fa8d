/** An app that has cached a caller and an address, and what its requests cost. */
import { assertEquals } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { enrol } from "../callers.ts";
import type { TestDeps } from "../deps.ts";
import { tapKv } from "../kv/tapped_kv.ts";

export const ADDRESS = exampleOf("ordinary");
export const SCORE = `/score/${ADDRESS}`;

/** An app with a cached caller and address: both were requested twice. */
export async function warm(
  deps: TestDeps,
  options: Parameters<typeof enrol>[1] = { plan: "builder" },
) {
  const { id, key, wallet } = await enrol(deps, options);
  const warmApp = createApp(deps);
  const ask = async (
    path = SCORE,
    init: RequestInit = {},
    app = warmApp,
  ) => {
    const headers = new Headers(init.headers);
    if (!headers.has("X-Api-Key")) headers.set("X-Api-Key", key);
    const url = `http://firn.test/api/v1${path}`;
    const response = await app.fetch(new Request(url, { ...init, headers }));
    const text = await response.text();
    return { status: response.status, headers: response.headers, text };
  };
  /** Asks another app on the same store, which has cached nothing. */
  const askCold = (init: RequestInit = {}) => ask(SCORE, init, createApp(deps));
  assertEquals((await ask()).status, 200);
  assertEquals((await ask()).status, 200);
  return { id, key, wallet, ask, askCold };
}

/** Counts the units that a wallet has spent. */
export async function used(
  { store }: TestDeps,
  wallet: string,
): Promise<number> {
  const { period } = await store.usage.readWallet(wallet);
  return period.hours.units.reduce((sum, units) => sum + units, 0);
}

/** Returns whether a request was answered without reading the key's record. */
export async function isWarm(deps: TestDeps, ask: () => Promise<unknown>) {
  const { reads } = tapKv(deps.kv);
  await ask();
  return !reads.flat().some(([room]) => room === "api_keys");
}
