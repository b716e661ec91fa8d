/** Keyed scores from memory: what the commit of a request verifies. */
import { assertEquals } from "@std/assert";
import { createApiKey } from "../../../services/accounts/api_keys.ts";
import { callerCache } from "../../../services/accounts/caller_cache.ts";
import { keyedScores } from "../../../services/scores/keyed_scores.ts";
import { findKeyedRequest } from "../../../services/scores/metered_calls.ts";
import { readScore } from "../../../services/scores/scores.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { testDeps } from "../../support/deps.ts";

const ADDRESS = exampleOf("ordinary");

Deno.test("keyedScores() verifies the records of an address once a second, and answers with the second of the request", async () => {
  using deps = await testDeps();
  const wallet = `0x${"ee".repeat(20)}`;
  const { key } = (await createApiKey(deps, { wallet, name: "test" }))!;
  const callers = callerCache(deps);
  await callers.authorize(key);
  const checked: string[][] = [];
  const { usage } = deps.store;
  const store: typeof deps.store = {
    ...deps.store,
    usage: {
      ...usage,
      spendIf(preconditions, ...rest) {
        checked.push(preconditions.map(({ key: [name] }) => String(name)));
        return usage.spendIf(preconditions, ...rest);
      },
    },
  };
  const read = keyedScores({ ...deps, store });
  await readScore(deps, ADDRESS);
  async function ask() {
    const request = findKeyedRequest(callers, key, null)!;
    const { address, fetchedAt } = JSON.parse(await read(request, ADDRESS));
    const second = deps.now().toISOString().replace(/\.\d+/, ".000");
    assertEquals([address, fetchedAt], [ADDRESS, second]);
    assertEquals([request.units, request.unverified], [1, null]);
    return checked.pop()!.includes("profiles");
  }
  assertEquals(await ask(), false, "read while the call is counted");
  assertEquals(await ask(), true, "the first from memory");
  assertEquals(await ask(), false, "in the same second");
  deps.advance(999);
  assertEquals(await ask(), false, "in the same second");
  deps.advance(1);
  assertEquals(await ask(), true, "in the next second");
  deps.advance(60_000);
  assertEquals(await ask(), true, "in the next minute");
});
