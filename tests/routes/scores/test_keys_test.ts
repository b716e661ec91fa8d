/**
 * Test keys: they are answered the published addresses only, are never charged,
 * and read nothing of the live data.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createApiKey } from "../../../services/accounts/api_keys.ts";
import {
  FAILED_FIXTURES,
  FIXTURE_ADDRESSES,
  SCORED_FIXTURES,
} from "../../../services/scores/test_key_answers.ts";
import {
  type Answer,
  askScoring,
  enrol,
  WALLET,
} from "../../support/callers.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";

const SCORED = Object.values(SCORED_FIXTURES).map(({ address }) => address);
const [ADDRESS] = SCORED as [string];

async function testCaller(deps: TestDeps, wallet = WALLET) {
  const created = await createApiKey(deps, {
    wallet,
    name: "test",
    kind: "test",
  });
  assert(created);
  const { key } = created;
  const ask = (path: string, init: RequestInit = {}) => {
    const headers = { "X-Api-Key": key, "Content-Type": "application/json" };
    return askScoring(deps, path, { ...init, headers });
  };
  const batch = (addresses: readonly string[]) =>
    ask("/score/batch", {
      method: "POST",
      body: new TextEncoder().encode(JSON.stringify({ addresses })),
    });
  return { key, ask, batch };
}

/**
 * Lists the stored keys of the database, without API keys and the audit entries
 * of their creation.
 */
async function stored(deps: TestDeps) {
  const entries = await Array.fromAsync(deps.kv.list({ prefix: [] }));
  return entries.map(({ key }) => key).filter(([collection]) =>
    !/^(api_key|wallet_keys|audit)/.test(String(collection))
  );
}

Deno.test("a test key is answered every endpoint on the Free plan, charged nothing, and leaves nothing", async () => {
  using deps = await testDeps();
  const { ask, batch } = await testCaller(deps);
  for (const address of SCORED) {
    for (const path of ["", "/history", "/history?days=90&include=breakdown"]) {
      const { status, text } = await ask(`/score/${address}${path}`);
      assertEquals(status, 200, text);
    }
  }
  const screened = await batch(SCORED);
  assertEquals([screened.status, screened.body.count], [200, SCORED.length]);
  const { body } = await ask("/usage");
  assertEquals([body.used, body.remaining], [0, 2_500]);
  assertEquals(await stored(deps), []);
  assertEquals(deps.upstreams.explorer.calls.length, 0);
  assertEquals(deps.upstreams.cChainRpc.calls.length, 0);
});

Deno.test("a test key's answers are the same bytes at any time, for any wallet", async () => {
  using deps = await testDeps();
  const { ask, batch } = await testCaller(deps);
  const all = async (ask: (path: string) => Promise<{ text: string }>) =>
    (await Promise.all(
      FIXTURE_ADDRESSES.map(({ address }) => ask(`/score/${address}`)),
    )).map(({ text }) => text);
  const before = await all(ask);
  const screened = (await batch(SCORED)).text;
  deps.advance(400 * 86_400_000);
  const other = await testCaller(deps, `0x${"bb".repeat(20)}`);
  assertEquals(await all(other.ask), before);
  assertEquals((await other.batch(SCORED)).text, screened);
});

Deno.test("the headers of a test key reveal nothing about its wallet, which spends nothing", async () => {
  using deps = await testDeps();
  const live = await enrol(deps);
  await live.ask(`/score/0x${"12".repeat(20)}`);
  const { ask } = await testCaller(deps);
  const { headers } = await ask(`/score/${ADDRESS}`);
  assertEquals(headers.get("X-RateLimit-Limit"), "2500");
  assertEquals(headers.get("X-RateLimit-Remaining"), "2500");
  assert(headers.get("RateLimit")!.includes('"burst";r=60;t=0'));
  assertEquals(await live.used(), 1);
});

Deno.test("each simulated error has a test address that returns it, with its headers", async (t) => {
  using deps = await testDeps();
  const { ask, batch } = await testCaller(deps);
  const now = deps.now().getTime();
  const inFuture = (ms: number) => new Date(now + ms).toISOString();
  const month = inFuture(30 * 86_400_000);
  const cases: [
    kind: keyof typeof FAILED_FIXTURES,
    status: number,
    code: string,
    headers: Record<string, string | null>,
  ][] = [
    ["planRequired", 402, "PLAN_REQUIRED", {
      "Retry-After": null,
      "X-RateLimit-Remaining": "2500",
      "X-RateLimit-Reset": month,
    }],
    ["rateLimited", 429, "RATE_LIMITED", {
      "Retry-After": "30",
      "X-RateLimit-Remaining": "2500",
      "X-RateLimit-Reset": month,
      "RateLimit": '"period";r=2500;t=2592000, "burst";r=0;t=30',
    }],
    ["scoringDown", 500, "UPSTREAM_UNAVAILABLE", {
      "Retry-After": "30",
      "X-RateLimit-Remaining": "2500",
    }],
  ];
  for (const [kind, status, code, headers] of cases) {
    const { address } = FAILED_FIXTURES[kind];
    await t.step(kind, async () => {
      for (
        const answer of [
          await ask(`/score/${address}`),
          await ask(`/score/${address}/history`),
          await batch([ADDRESS, address]),
        ]
      ) {
        assertEquals([answer.status, answer.body.code], [status, code]);
        const { limitedBy, needed, remaining } = answer.body;
        assertEquals(
          [limitedBy, needed, remaining],
          code === "RATE_LIMITED" ? ["burst", 1, 0] : Array(3).fill(undefined),
        );
        for (const [name, value] of Object.entries(headers)) {
          assertEquals(answer.headers.get(name), value, name);
        }
      }
    });
  }
  assertEquals((await ask("/usage")).body.used, 0);
});

Deno.test("all words and headers name the Free plan and its limit, whatever the wallet's own", async (t) => {
  using deps = await testDeps();
  await enrol(deps, { plan: "builder" });
  const { ask, batch } = await testCaller(deps);
  const limitOf = ({ headers }: Answer) => headers.get("X-RateLimit-Limit");
  const own = await ask(`/score/${ADDRESS}`);
  assertEquals(limitOf(own), "2500");
  await t.step("planRequired", async () => {
    const answer = await ask(`/score/${FAILED_FIXTURES.planRequired.address}`);
    assertStringIncludes(answer.body.error, "on the Free plan");
    assertEquals(limitOf(answer), "2500");
    const policy = answer.headers.get("RateLimit-Policy")!;
    assertStringIncludes(policy, '"period";q=2500;');
  });
  const { address } = FAILED_FIXTURES.rateLimited;
  for (
    const [answer, requests] of [
      [await ask(`/score/${address}`), 60],
      [await batch([address]), 10],
    ] as const
  ) {
    await t.step(`rateLimited, ${requests} a minute`, () => {
      assertStringIncludes(
        answer.body.error,
        `the limit of this key is ${requests} requests a minute; try again in 30 seconds`,
      );
      const policy = answer.headers.get("RateLimit-Policy")!;
      assertStringIncludes(policy, `"burst";q=${requests};`);
      assertEquals([answer.body.needed, answer.body.remaining], [1, 0]);
    });
  }
});

Deno.test("a signed answer is a 501 for a test key, whatever the address", async () => {
  using deps = await testDeps();
  const { ask } = await testCaller(deps);
  for (const address of [ADDRESS, `0x${"12".repeat(20)}`]) {
    const { status, body } = await ask(`/score/${address}/signed`);
    assertEquals([status, body.code], [501, "NOT_ENABLED"]);
  }
});

Deno.test("any other address is a 400 that says where the accepted ones are, and malformed input stays one", async (t) => {
  using deps = await testDeps();
  const { ask, batch } = await testCaller(deps);
  const other = `0x${"12".repeat(20)}`;
  const answers = {
    score: await ask(`/score/${other}`),
    history: await ask(`/score/${other}/history`),
    batch: await batch([ADDRESS, other]),
  };
  for (const [name, { status, body }] of Object.entries(answers)) {
    await t.step(name, () => {
      assertEquals([status, body.code], [400, "BAD_REQUEST"]);
      assertEquals(body.invalid, [other]);
      const parameter = name === "batch" ? "addresses" : "address";
      assertEquals(body.parameter, parameter);
      assertEquals(
        body.error,
        `Invalid address "${other}": expected, for a test key, one of the testAddresses listed at ${deps.publicUrl}/api/v1`,
      );
    });
  }
  assertEquals((await ask(`/score/${ADDRESS}/history?days=0`)).status, 400);
  assertEquals((await batch([])).status, 400);
  const { body } = await askScoring(deps, "");
  assertEquals(body.testAddresses, FIXTURE_ADDRESSES);
});

Deno.test("test keys count within the ten, are revoked like others, and are shown nowhere", async () => {
  using deps = await testDeps();
  const order = { wallet: WALLET, name: "x" } as const;
  for (let nth = 0; nth < 5; nth++) {
    await createApiKey(deps, order);
    await createApiKey(deps, { ...order, kind: "test" });
  }
  assertEquals(await createApiKey(deps, { ...order, kind: "test" }), null);
  const { key, ask } = await testCaller(deps, `0x${"bb".repeat(20)}`);
  const misplaced = await ask(`/score/${ADDRESS}?key=${key}`);
  assertEquals(misplaced.status, 401);
  assert(!misplaced.text.includes(key));
});

Deno.test("a live key is answered live at a fixture address", async () => {
  using deps = await testDeps();
  const { ask, used } = await enrol(deps);
  const { status, body } = await ask(`/score/${ADDRESS}`);
  assertEquals([status, body.fetchedAt], [200, deps.now().toISOString()]);
  assertEquals(await used(), 1);
});
