/** Quota and bursts of the scoring API over HTTP: headers, refusals and usage. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { DAY_MS } from "../../../services/platform/days.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { type Answer, enrol, WALLET } from "../../support/callers.ts";
import { testDeps } from "../../support/deps.ts";

const ADDRESS = exampleOf("ordinary");
const SCORE = `/score/${ADDRESS}`;
const MINUTE_MS = 60_000;

/** Addresses of a batch. */
const addresses = (count: number) =>
  Array.from({ length: count }, (_, nth) => exampleOf("ordinary", nth));

Deno.test("every keyed answer, errors too, has the quota status of the caller", async (t) => {
  using deps = await testDeps();
  const free = await enrol(deps);
  const wallet = `0x${"bb".repeat(20)}`;
  const builder = await enrol(deps, { plan: "builder", wallet });
  await free.ask(SCORE);
  await builder.leave(13);
  await builder.batch({ addresses: addresses(1) });
  const start = deps.now().getTime();
  const leavesAt = Math.floor(start / 3_600_000 + 1) * 3_600_000 + 30 * DAY_MS;
  const batch = (count: number) =>
    builder.batch({ addresses: addresses(count) });
  const cases: [
    status: number,
    ask: () => Promise<Answer>,
    left: string,
    burst: string,
  ][] = [
    [200, () => free.ask(SCORE), '2498"2500', '58"60'],
    [200, () => free.ask("/usage"), '2498"2500', '58"60'],
    [400, () => free.ask("/score/0x12"), '2498"2500', '58"60'],
    [402, () => free.batch({ addresses: [] }), '2498"2500', '10"10'],
    [400, () => batch(0), '12"25000', '9"10'],
    [429, () => batch(50), '12"25000', '9"10'],
  ];
  for (const [status, ask, left, burst] of cases) {
    const [remaining, limit] = left.split('"') as [string, string];
    const [requests, most] = burst.split('"');
    await t.step(`${status} with ${remaining} of ${limit} left`, async () => {
      const { headers, ...answer } = await ask();
      assertEquals(answer.status, status, answer.text);
      assertEquals(headers.get("X-RateLimit-Limit"), limit);
      assertEquals(headers.get("X-RateLimit-Remaining"), remaining);
      assertEquals(
        headers.get("X-RateLimit-Reset"),
        new Date(leavesAt).toISOString(),
      );
      assertEquals(
        headers.get("RateLimit-Policy"),
        `"period";q=${limit};w=2592000, "burst";q=${most};w=60`,
      );
      const rate = headers.get("RateLimit")!;
      const seconds = Math.ceil((leavesAt - deps.now().getTime()) / 1000);
      assertStringIncludes(rate, `"period";r=${remaining};t=${seconds}, `);
      assertStringIncludes(rate, `"burst";r=${requests};t=`);
      assertMatch(headers.get("X-Request-Id")!, /^[\w-]{16,}$/);
      assertMatch(headers.get("Cache-Control")!, /\bprivate\b/);
      assertEquals(headers.get("Vary"), "X-Api-Key");
      assertEquals(headers.has("Retry-After"), status === 429);
    });
  }
});

Deno.test("100 parallel calls give 60 answers and 40 refusals that tell the minute from the 30 days, and 60 more a minute later", async () => {
  using deps = await testDeps();
  const { ask, used } = await enrol(deps);
  const other = await enrol(deps, { wallet: `0x${"bb".repeat(20)}` });
  await other.ask(SCORE);
  const start = deps.now().getTime();
  const leavesAt = Math.floor(start / 3_600_000 + 1) * 3_600_000 + 30 * DAY_MS;
  const calm = () => Promise.all(Array.from({ length: 100 }, () => ask(SCORE)));
  for (let minute = 1; minute <= 2; minute++) {
    const answers = await calm();
    const refused = answers.filter(({ status }) => status === 429);
    const served = answers.filter(({ status }) => status === 200);
    assertEquals([served.length, refused.length], [60, 40]);
    for (const { headers, body } of refused) {
      assertEquals(headers.get("Retry-After"), "60");
      assertEquals(body.code, "RATE_LIMITED");
      assertEquals(body.retryAfterMs, MINUTE_MS);
      assertEquals(body.limitedBy, "burst");
      assertEquals([body.needed, body.remaining], [1, 0]);
      assertEquals(
        headers.get("X-RateLimit-Reset"),
        new Date(leavesAt).toISOString(),
      );
      const left = 2500 - 60 * minute;
      const seconds = Math.ceil((leavesAt - deps.now().getTime()) / 1000);
      assertEquals(
        headers.get("RateLimit"),
        `"period";r=${left};t=${seconds}, "burst";r=0;t=60`,
      );
    }
    const left = served.map(({ headers }) =>
      Number(headers.get("X-RateLimit-Remaining"))
    ).sort((a, b) => b - a);
    assertEquals(
      left,
      Array.from(
        { length: 60 },
        (_, nth) => 2500 - 60 * (minute - 1) - nth - 1,
      ),
    );
    assertEquals(await used(), 60 * minute);
    deps.advance(MINUTE_MS - 1);
    const early = await ask(SCORE);
    assertEquals(early.status, 429);
    assertEquals(early.headers.get("Retry-After"), "1");
    deps.advance(1);
  }
});

Deno.test("score and history share a burst of 60, batches have their own of 10, keys each their own", async () => {
  using deps = await testDeps();
  const { ask, batch } = await enrol(deps, { plan: "builder" });
  const other = await enrol(deps, { plan: "builder" });
  await other.ask(SCORE);
  for (let call = 0; call < 30; call++) {
    assertEquals((await ask(SCORE)).status, 200);
    assertEquals((await ask(`${SCORE}/history`)).status, 200);
  }
  assertEquals((await ask(SCORE)).status, 429);
  assertEquals((await ask(`${SCORE}/history`)).status, 429);
  for (let call = 0; call < 10; call++) {
    assertEquals((await batch({ addresses: [ADDRESS] })).status, 200);
  }
  const refused = await batch({ addresses: [ADDRESS, ADDRESS] });
  assertEquals(refused.status, 429);
  assertEquals(
    refused.body.error,
    "Cannot serve the request: the limit of this key is 10 requests a minute; try again in 60 seconds",
  );
  assertEquals([refused.body.needed, refused.body.remaining], [1, 0]);
  assertEquals((await ask("/usage")).status, 200);
  assertEquals((await other.ask(SCORE)).status, 200);
});

Deno.test("a batch of 50 with 12 units left is refused whole: 429, nothing charged", async () => {
  using deps = await testDeps();
  const { batch, leave, used } = await enrol(deps, { plan: "builder" });
  await leave(12);
  const { status, body, headers } = await batch({ addresses: addresses(50) });
  assertEquals(status, 429);
  assertEquals(body.code, "QUOTA_EXCEEDED");
  assertEquals([body.needed, body.remaining], [50, 12]);
  assert(Number(headers.get("Retry-After")) > 29 * 86_400);
  assertEquals(await used(), 24_988);
  assertEquals((await batch({ addresses: addresses(12) })).status, 200);
  assertEquals(await used(), 25_000);
});

Deno.test("the usage of a wallet adds up its keys, by day and endpoint, and is free", async () => {
  using deps = await testDeps();
  const wallet = WALLET;
  const { ask, batch } = await enrol(deps, { plan: "builder" });
  const second = await enrol(deps, { plan: "builder", wallet });
  const paidUntil = new Date(deps.now().getTime() + 30 * DAY_MS).toISOString();
  await ask(SCORE);
  await second.ask(`${SCORE}/history`);
  await batch({ addresses: addresses(7) });
  deps.advance(DAY_MS);
  await second.ask(SCORE);
  const { body, headers } = await ask("/usage");
  const { days, resetAt, ...rest } = body;
  assertEquals(rest, {
    plan: "builder",
    planLabel: "Builder",
    paidUntil,
    limit: 25_000,
    used: 10,
    remaining: 24_990,
    cap: null,
    notices: [],
  });
  assertEquals(headers.get("X-RateLimit-Reset"), resetAt);
  assertEquals(days.length, 30);
  assertEquals(days.at(-2), {
    date: "2026-11-21",
    units: { score: 1, batch: 7, history: 1, signed: 0 },
  });
  assertEquals(days.at(-1), {
    date: "2026-11-22",
    units: { score: 1, batch: 0, history: 0, signed: 0 },
  });
  assertEquals((await ask("/usage?days=1")).status, 400);
});
