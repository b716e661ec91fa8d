/** Keyed scores from memory: what the commit of a request verifies. */
import { SERVICE } from "../../../services/platform/rate_limit/call_budget.ts";
import { assertEquals } from "@std/assert";
import { createApiKey } from "../../../services/accounts/api_keys.ts";
import { callerCache } from "../../../services/accounts/access.ts";
import { keyedScores } from "../../../services/scores/keyed_scores.ts";
import { cachedRequest } from "../../support/callers.ts";
import { readScore } from "../../../services/scores/scores.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";

const WALLET = `0x${"ee".repeat(20)}`;
const ADDRESS = exampleOf("ordinary");

/** Returns a function that requests the score and tells whether it was answered from memory, with its records verified. */
async function cachedReader(deps: TestDeps) {
  const { key } = (await createApiKey(deps, { wallet: WALLET, name: "test" }))!;
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
  const { answerCached, answerStored } = keyedScores({ ...deps, store });
  await readScore(deps, ADDRESS, { requester: SERVICE });
  return async () => {
    const request = cachedRequest(callers, key);
    const text = await answerCached(request, ADDRESS) ??
      await answerStored(request, ADDRESS);
    const { address, fetchedAt } = JSON.parse(text);
    const second = deps.now().toISOString().replace(/\.\d+/, ".000");
    assertEquals([address, fetchedAt], [ADDRESS, second]);
    assertEquals([request.units, request.unverified], [1, null]);
    return checked.pop()!.includes("profiles");
  };
}

Deno.test("keyedScores() verifies the records of an address a second after the last time, and answers with the second of the request", async () => {
  using deps = await testDeps();
  const ask = await cachedReader(deps);
  assertEquals(await ask(), false, "read while the call is counted");
  assertEquals(await ask(), true, "the first from memory");
  assertEquals(await ask(), false, "at once");
  deps.advance(999);
  assertEquals(await ask(), false, "within a second");
  deps.advance(1);
  assertEquals(await ask(), true, "after a second");
  deps.advance(60_000);
  assertEquals(await ask(), true, "in the next minute");
});

Deno.test("keyedScores() answers a history that came in parts from memory for five minutes, and then reads it again", async () => {
  using deps = await testDeps();
  const { findAll } = deps.store.signals;
  deps.store.signals.findAll = async (addresses) =>
    (await findAll(addresses)).map((found) =>
      found && { ...found, signals: { ...found.signals, isPartial: true } }
    );
  const ask = await cachedReader(deps);
  assertEquals(await ask(), false, "read while the call is counted");
  deps.advance(300_000);
  assertEquals(await ask(), true, "five minutes old");
  deps.advance(1_000);
  assertEquals(await ask(), false, "a second older");
});

/** Counts a request whose first reads of the address fail. Returns its outcome, and the spent units. */
async function askAfterFailures(failures: number) {
  using deps = await testDeps();
  const { key } = (await createApiKey(deps, { wallet: WALLET, name: "test" }))!;
  const callers = callerCache(deps);
  await callers.authorize(key);
  await readScore(deps, ADDRESS, { requester: SERVICE });
  const { store } = deps;
  const failing = ({ profiles, ...others }: typeof store): typeof store => ({
    ...others,
    profiles: {
      ...profiles,
      findStored: (address) =>
        failures-- > 0
          ? Promise.reject(new Error("no read"))
          : profiles.findStored(address),
    },
  });
  const { answerStored } = keyedScores({
    ...deps,
    store: {
      ...failing(store),
      tracked() {
        const { store: tracked, versions } = store.tracked();
        return { store: failing(tracked as typeof store), versions };
      },
    },
  });
  const request = cachedRequest(callers, key);
  const outcome = await answerStored(request, ADDRESS)
    .then((text) => JSON.parse(text).address, ({ message }) => message);
  const { period } = await store.usage.readWallet(WALLET);
  const spent = period.hours.units.reduce((sum, units) => sum + units, 0);
  return [outcome, request.units, spent];
}

Deno.test("an address that cannot be read while its call is counted is read afterwards; if that fails, the unit is refunded", async () => {
  assertEquals(await askAfterFailures(1), [ADDRESS, 1, 1]);
  assertEquals(await askAfterFailures(2), ["no read", 0, 0]);
});
