/** Fills the cache of keyed scores. */
import { SERVICE } from "../../../services/platform/rate_limit/call_budget.ts";
import { assertEquals } from "@std/assert";
import { createApiKey } from "../../../services/accounts/api_keys.ts";
import { callerCache } from "../../../services/accounts/access.ts";
import { keyedScores } from "../../../services/scores/keyed_scores.ts";
import { cachedRequest } from "../callers.ts";
import { NO_CHAIN } from "../../../services/model/signals.ts";
import { readScore } from "../../../services/scores/scores.ts";
import { START, testDeps } from "../deps.ts";
import { countUntil } from "./count_until.ts";

const NOW = Date.parse(START);

const addressOf = (id: number) => `0x${String(id).padStart(40, "0")}`;

/** Reads keyed scores of many addresses with long histories; returns the bytes of those answered from memory. */
export async function fillScores(): Promise<number> {
  using deps = await testDeps();
  const wallet = `0x${"ee".repeat(20)}`;
  const { key } = (await createApiKey(deps, { wallet, name: "test" }))!;
  const callers = callerCache(deps);
  await callers.authorize(key);
  const recentTxAt: number[] = Array(100_000).fill(NOW - 1);
  const signals = { ...NO_CHAIN, firstTxAt: NOW - 1, nonce: 1, recentTxAt };
  const stored = { signals: { ...signals, fetchedAt: NOW } };
  const origin = deps.upstream.explorer.baseUrl;
  let reads = 0;
  const scored = {
    ...deps,
    store: {
      ...deps.store,
      signals: {
        ...deps.store.signals,
        findAll: () => Promise.resolve([{ ...stored, origin }]),
      },
      tracked: () => {
        reads++;
        return deps.store.tracked();
      },
    },
  };
  const { answerCached, answerStored } = keyedScores(scored);
  const ask = async (id: number) => {
    const request = cachedRequest(callers, key);
    return await answerCached(request, addressOf(id)) ??
      await answerStored(request, addressOf(id));
  };
  const ids = Array.from({ length: 50 }, (_, id) => id);
  for (const id of ids) {
    await readScore(scored, addressOf(id), { requester: SERVICE });
    await ask(id);
  }
  assertEquals(reads, ids.length);
  // The key may make sixty requests a minute.
  deps.advance(60_000);
  const kept = await countUntil(ids, async (id) => {
    const before = reads;
    await ask(id);
    return reads === before;
  });
  return kept * (8_192 + 8 * recentTxAt.length);
}
