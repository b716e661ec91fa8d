/** Requests of the endpoints that need an API key. */
import {
  FAILED_FIXTURES,
  SCORED_FIXTURES,
} from "../../../services/scores/test_key_answers.ts";
import { NO_LIMITS } from "../../../services/accounts/key_limits_schema.ts";
import { createApiKey } from "../../../services/accounts/api_keys.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { SIGNING } from "../attestations.ts";
import { enrol, WALLET } from "../callers.ts";
import { type TestDeps, testDeps } from "../deps.ts";
import { newOwner } from "../owners.ts";
import type { PlanName } from "../../../services/payments/plans_schema.ts";
import { tapKv } from "../kv/tapped_kv.ts";
import type { Walk } from "./walk.ts";

const SCORE = "/api/v1/score";
const ELITE = SCORED_FIXTURES.elite.address;

/** Returns the init of a request with a key and a body; no headers without a key. */
function sent(key: string | null, body?: unknown): RequestInit {
  const headers: Record<string, string> = key === null
    ? {}
    : { "X-Api-Key": key };
  if (body === undefined) return { headers };
  headers["Content-Type"] = "application/json";
  return { method: "POST", headers, body: JSON.stringify(body) };
}

/** The request of each operation for an address. */
const REQUESTS = {
  getScore: (address: string) => [`${SCORE}/${address}`],
  postBatch: (address: string) => [
    `${SCORE}/batch`,
    { addresses: [address, SCORED_FIXTURES.none.address] },
  ],
  getHistory: (address: string) => [
    `${SCORE}/${address}/history?days=3&include=breakdown`,
  ],
} as const satisfies Record<string, (address: string) => [string, unknown?]>;

/** Requests scores. Test keys return a 402, a 429 and a 500, always with the same data. */
export async function walkScores(walk: Walk): Promise<void> {
  using deps = await testDeps();
  const order = { wallet: WALLET, name: "walk", kind: "test" } as const;
  const { key } = (await createApiKey(deps, order))!;
  const failing = Object.values(FAILED_FIXTURES).map(({ address }) => address);
  for (const [operationId, requestOf] of Object.entries(REQUESTS)) {
    for (const address of [ELITE, ...failing, "0x123"]) {
      const [path, body] = requestOf(address);
      await walk.ask(deps, operationId, path, sent(key, body));
    }
    const [path, body] = requestOf(ELITE);
    await walk.ask(deps, operationId, path, sent(null, body));
  }
  const limits = { ...NO_LIMITS, scopes: ["signed"] as const };
  const limited = await createApiKey(deps, { ...order, limits });
  for (const [operationId, requestOf] of Object.entries(REQUESTS)) {
    const [path, body] = requestOf(ELITE);
    await walk.ask(deps, operationId, path, sent(limited!.key, body));
  }
  const usage = sent(limited!.key);
  await walk.ask(deps, "getUsage", "/api/v1/usage", usage);
  const flood = { addresses: ["0x".padEnd(70_000, "0")] };
  await walk.ask(deps, "postBatch", `${SCORE}/batch`, sent(key, flood));
  await walk.ask(deps, "getUsage", "/api/v1/usage", sent(key));
  await walk.ask(deps, "getUsage", "/api/v1/usage?days=3", sent(key));
  await walk.ask(deps, "getUsage", "/api/v1/usage", sent(null));
}

/** Requests signed scores, which need a live key, or a session for one's own. */
export async function walkSigned(walk: Walk): Promise<void> {
  const path = `${SCORE}/${exampleOf("heavy")}/signed`;
  const ask = (deps: TestDeps, key: string | null, query = "?ttl=3600") =>
    walk.ask(deps, "getSigned", `${path}${query}`, sent(key));
  /** Asks as the owner of a wallet with a plan. */
  const askOwn = async (deps: TestDeps, plan: PlanName, times = 1) => {
    const owner = newOwner(deps);
    await owner.signIn();
    await enrol(deps, { plan, wallet: owner.wallet });
    for (let nth = 0; nth < times; nth++) {
      await walk.call(owner, "postOwnSigned", ["POST", "/score/signed"]);
    }
  };
  {
    using deps = await testDeps({ settings: SIGNING });
    const { key, leave } = await enrol(deps, { plan: "growth" });
    await ask(deps, key);
    await ask(deps, key, "?ttl=1");
    await ask(deps, null);
    const limits = { ...NO_LIMITS, networks: ["192.0.2.1/32"] };
    const order = { wallet: WALLET, name: "walk", limits };
    await ask(deps, (await createApiKey(deps, order))!.key);
    const free = await enrol(deps, { wallet: `0x${"bb".repeat(20)}` });
    await ask(deps, free.key);
    // One unit is spent already.
    await leave(1);
    await ask(deps, key);
    await askOwn(deps, "free");
    await askOwn(deps, "growth", 5);
  }
  using unsigned = await testDeps();
  await askOwn(unsigned, "growth");
  await ask(unsigned, (await enrol(unsigned, { plan: "growth" })).key);
  using cut = await testDeps({
    settings: SIGNING,
    fetch: () => Promise.reject(new TypeError("refused")),
  });
  await ask(cut, (await enrol(cut, { plan: "growth" })).key);
  await askOwn(cut, "growth");
  using contended = await testDeps({ settings: SIGNING });
  const { key } = await enrol(contended, { plan: "growth" });
  tapKv(contended.kv, () => Promise.resolve({ ok: false }));
  await ask(contended, key);
}
