/** Keys and plans of the scoring API over HTTP. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import {
  createApiKey,
  revokeApiKey,
} from "../../../services/accounts/api_keys.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import { createKey } from "../../../services/accounts/key_format.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import {
  type Answer,
  askScoring,
  enrol,
  WALLET,
} from "../../support/callers.ts";
import { testDeps } from "../../support/deps.ts";

const ADDRESS = exampleOf("ordinary");
const SCORE = `/score/${ADDRESS}`;

/** The headers of an answer that two alike answers share. */
function headersOf({ headers }: Answer): [string, string][] {
  return [...headers].filter(([name]) => name !== "x-request-id");
}

Deno.test("a missing, malformed, unknown or revoked key is refused in one and the same way", async (t) => {
  using deps = await testDeps();
  const { id, key } = await enrol(deps);
  assert(await revokeApiKey(deps, id));
  const expected = await askScoring(deps, SCORE);
  assertEquals(expected.status, 401);
  const { error, message, code, docs, ...rest } = expected.body;
  assertEquals([message, code, rest], [error, "UNAUTHORIZED", {}]);
  assertEquals(docs, "/docs/errors#UNAUTHORIZED");
  assertEquals(
    expected.headers.get("WWW-Authenticate"),
    'ApiKey realm="firn", header="X-Api-Key"',
  );
  assertEquals(expected.headers.get("Vary"), "X-Api-Key");
  assertEquals(expected.headers.get("Cache-Control"), "no-store");
  assert(expected.headers.get("X-Request-Id"));
  const swapped = key.slice(0, -1) + (key.endsWith("0") ? "1" : "0");
  const keys: Record<string, string> = {
    empty: "",
    short: "firn_live_",
    "of another kind": key.replace("live", "test"),
    "with a wrong checksum": swapped,
    "in lower case": createKey().toLowerCase(),
    "sent twice": `${key}, ${key}`,
    "very long": "x".repeat(10_000),
    unknown: createKey(),
    revoked: key,
  };
  for (const [name, value] of Object.entries(keys)) {
    await t.step(name, async () => {
      const headers = { "X-Api-Key": value };
      const answer = await askScoring(deps, SCORE, { headers });
      assertEquals(answer.status, 401);
      assertEquals(answer.text, expected.text);
      assertEquals(headersOf(answer), headersOf(expected));
    });
  }
  assertEquals(deps.lines, []);
});

Deno.test("a key anywhere but in X-Api-Key is refused with a hint and never repeated", async (t) => {
  using deps = await testDeps();
  const { key } = await enrol(deps);
  const places: [path: string, headers: HeadersInit, hint: RegExp][] = [
    [`${SCORE}?key=${key}`, {}, /query string/],
    [`${SCORE}?${key}`, {}, /query string/],
    [`/usage?x-api-key=${key}`, { "X-Api-Key": key }, /query string/],
    [`/score/batch?a=b&c=${key}x`, {}, /query string/],
    [`${SCORE}?key=${key.replaceAll("_", "%5F")}`, {}, /query string/],
    [`${SCORE}?key=%66%49rn&k=%66irn%5flive_${key.slice(10)}`, {}, /query/],
    [`/score/%66${key.slice(1)}`, { "X-Api-Key": key }, /path/],
    [SCORE, { Authorization: `Bearer ${key}` }, /Authorization/],
    [SCORE, { Authorization: key, "X-Api-Key": key }, /Authorization/],
  ];
  for (const [path, headers, hint] of places) {
    await t.step(path.replaceAll(key, "KEY"), async () => {
      const answer = await askScoring(deps, path, { headers });
      assertEquals(answer.status, 401);
      assertMatch(answer.body.error, hint);
      assertStringIncludes(answer.body.error, "X-Api-Key");
      const shown = JSON.stringify([answer.text, ...answer.headers]);
      assert(!shown.includes(key), shown);
      assert(!deps.lines.join().includes(key));
    });
  }
});

Deno.test("a key that was sent as the address is not repeated either", async () => {
  using deps = await testDeps();
  const { ask, key } = await enrol(deps);
  for (const path of [`/score/${key}`, `/score/${key}/history`]) {
    const { status, text } = await ask(path);
    assert(status >= 400 && status < 500, String(status));
    assert(!text.includes(key), text);
  }
});

Deno.test("a revoked key is refused on its next request, and the wallet's others are not", async () => {
  using deps = await testDeps();
  const { ask, id } = await enrol(deps);
  const other = await enrol(deps);
  assertEquals((await ask(SCORE)).status, 200);
  assert(await revokeApiKey(deps, id));
  assertEquals((await ask(SCORE)).status, 401);
  assertEquals((await other.ask(SCORE)).status, 200);
  assertEquals(await other.used(), 2);
});

Deno.test("an endpoint outside the plan is a 402 that names the required plan and deducts nothing", async () => {
  using deps = await testDeps();
  const { ask, batch, used } = await enrol(deps);
  for (
    const answer of [
      await batch({ addresses: [ADDRESS] }),
      await ask(`${SCORE}/history`),
    ]
  ) {
    assertEquals(answer.status, 402);
    const { error, message, ...facts } = answer.body;
    assertEquals(error, message);
    assertMatch(error, /Free plan.*from Builder on/);
    assertEquals(facts, {
      code: "PLAN_REQUIRED",
      docs: "/docs/errors#PLAN_REQUIRED",
      requiredPlan: "builder",
      upgrade: `${deps.publicUrl}/dashboard`,
    });
    assertEquals(answer.headers.get("X-RateLimit-Remaining"), "2500");
  }
  assertEquals(await used(), 0);
});

Deno.test("a plan ends at its instant, and the wallet is on Free from then on", async () => {
  using deps = await testDeps();
  const { ask } = await enrol(deps, { plan: "builder" });
  const history = `${SCORE}/history`;
  deps.advance(30 * DAY_MS - 1);
  const last = await ask(history);
  assertEquals(last.status, 200);
  assertEquals(last.headers.get("X-RateLimit-Limit"), "25000");
  deps.advance(1);
  const over = await ask(history);
  assertEquals(over.status, 402);
  assertEquals(over.headers.get("X-RateLimit-Limit"), "2500");
  assertEquals(over.headers.get("X-RateLimit-Remaining"), "2499");
  const { body } = await ask("/usage");
  assertEquals([body.plan, body.planLabel, body.paidUntil], [
    "free",
    "Free",
    null,
  ]);
});

Deno.test("checks come in the order 401, 402, 400, 429", async (t) => {
  using deps = await testDeps();
  const free = await enrol(deps);
  const wallet = `0x${"bb".repeat(20)}`;
  const builder = await enrol(deps, { plan: "builder", wallet });
  await builder.leave(0);
  const post = { method: "POST", body: "{" };
  const cases: [name: string, ask: () => Promise<Answer>, status: number][] = [
    [
      "no key, plan or address",
      () => askScoring(deps, "/score/x/history"),
      401,
    ],
    ["no key, bad body", () => askScoring(deps, "/score/batch", post), 401],
    ["Free, bad address", () => free.ask("/score/x/history?days=0"), 402],
    ["Free, bad body", () => free.batch("{"), 402],
    ["Free, huge body", () => free.batch("x".repeat(100_000)), 402],
    ["nothing left, bad address", () => builder.ask("/score/x"), 400],
    [
      "nothing left, bad days",
      () => builder.ask(`${SCORE}/history?days=0`),
      400,
    ],
    ["nothing left, bad body", () => builder.batch("{"), 400],
    ["nothing left, good address", () => builder.ask(SCORE), 429],
    [
      "nothing left, good batch",
      () => builder.batch({ addresses: [ADDRESS] }),
      429,
    ],
  ];
  for (const [name, ask, status] of cases) {
    await t.step(name, async () => assertEquals((await ask()).status, status));
  }
  assertEquals(await free.used(), 0);
  assertEquals(await builder.used(), 25_000);
});

Deno.test("the eleventh key of a wallet is refused, whatever its name", async () => {
  using deps = await testDeps();
  for (let nth = 0; nth < 10; nth++) await enrol(deps);
  const args = { wallet: WALLET, name: "one more" };
  assertEquals(await createApiKey(deps, args), null);
});
