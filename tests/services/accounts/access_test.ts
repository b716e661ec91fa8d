/** Callers of the keyed API: what is read of a key, and how a refused call is worded. */
import { assertEquals } from "@std/assert";
import {
  callerAt,
  findKey,
  type KeyFacts,
  spend,
} from "../../../services/accounts/access.ts";
import { NO_LIMITS } from "../../../services/accounts/key_limits_schema.ts";
import {
  chargeOf,
  quotaStatusOf,
} from "../../../services/accounts/quota/quota.ts";
import { testDeps } from "../../support/deps.ts";
import { NOTHING } from "../../support/payers.ts";

const WALLET = `0x${"aa".repeat(20)}`;

const FACTS: KeyFacts = {
  record: {
    id: "key",
    originId: "origin",
    wallet: WALLET,
    name: "test",
    prefix: "firn_live_abcd",
    createdAt: 0,
    revokedAt: null,
    expiresAt: null,
    limits: NO_LIMITS,
  },
  times: [],
  networks: null,
};

Deno.test("findKey() reads nothing for a text that is no key", async () => {
  const read = () => Promise.reject(new Error("nothing is to be read"));
  using deps = await testDeps();
  const { apiKeys, plans } = deps.store;
  const store = {
    apiKeys: { ...apiKeys, find: read },
    plans: { ...plans, find: read },
  };
  for (const key of ["", "firn_live_", "x".repeat(48)]) {
    assertEquals(await findKey(store, key, WALLET), null);
  }
});

Deno.test("spend() says which limit refuses a call, and by how much", async (t) => {
  using deps = await testDeps();
  const now = deps.now().getTime();
  const caller = callerAt(FACTS, now)!;
  const quotaStatus = quotaStatusOf(NOTHING, chargeOf("free", "score"), now);
  const shortage = { retryAfterMs: 90_000, needed: 5, remaining: 2 };
  const limitOf = (of: string) =>
    `Cannot serve the request: the limit of this ${of}; try again in 90 seconds`;
  const cases = [
    ["burst", null, "rateLimited", limitOf("key is 60 requests a minute")],
    ["cap", 7, "capReached", limitOf("key is 7 units in 30 days")],
    [
      "period",
      null,
      "quotaExceeded",
      limitOf("wallet is 2500 requests in 30 days"),
    ],
  ] as const;
  const spendBy = async (decision: object, maxUnits: number | null) => {
    const refuse = () => Promise.resolve({ allowed: false, ...decision });
    // deno-lint-ignore no-explicit-any -- the usage that it did not change is not read.
    const usage = { ...deps.store.usage, spend: refuse as any };
    const limits = { ...NO_LIMITS, maxUnits };
    return await spend(
      { ...deps, store: { ...deps.store, usage } },
      { ...caller, limits },
      { endpoint: "score", units: 5 },
    );
  };
  for (const [which, maxUnits, kind, message] of cases) {
    await t.step(which, async () => {
      const refused = { which, ...shortage, quotaStatus };
      const spent = await spendBy(refused, maxUnits);
      assertEquals([spent.quotaStatus, spent.spentAt], [quotaStatus, now]);
      assertEquals(spent.refusal?.message, message);
      const limitedBy = which;
      assertEquals(spent.refusal?.failure, { kind, limitedBy, ...shortage });
    });
  }
  await t.step("contended", async () => {
    const spent = await spendBy({ which: "contended" }, null);
    assertEquals([spent.quotaStatus, spent.spentAt], [null, now]);
    assertEquals(spent.refusal?.failure.kind, "contended");
  });
});
