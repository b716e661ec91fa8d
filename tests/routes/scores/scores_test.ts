/** Scores over HTTP: one address, batches and history, and what is refused. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import {
  BatchAnswer,
  HistoryAnswer,
  ScoreRead,
} from "../../../services/scores/model/scores_schema.ts";
import { DAY_MS, dayAt, formatDay } from "../../../services/platform/days.ts";
import { scoreOf } from "../../../services/scores/model/model.ts";
import {
  NO_CHAIN,
  NO_GRAPH,
  NO_PROFILE,
} from "../../../services/scores/model/signals.ts";
import { exampleOf, type Persona } from "../../../simnet/accounts.ts";
import { type Answer, enrol } from "../../support/callers.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { tapKv } from "../../support/kv/tapped_kv.ts";

const ADDRESS = exampleOf("ordinary");
const SCORE = `/score/${ADDRESS}`;
const HOUR_MS = 3_600_000;

const PERSONAS: readonly Persona[] = [
  "unused",
  "new",
  "dormant",
  "heavy",
  "contract",
  "delegated",
  "ordinary",
];

/** Percent of each dimension in the composite, as the model document says. */
const WEIGHTS = { humanity: 30, activity: 30, social: 15, economic: 25 };

/** Addresses of a batch. */
const addresses = (count: number) =>
  Array.from({ length: count }, (_, nth) => exampleOf("ordinary", nth));

/** Makes both sources of signals refuse, or answer again. */
function setUpstreams(deps: TestDeps, mode: "refuse" | "ok"): void {
  deps.upstreams.explorer.switch.set({ mode });
  deps.upstreams.cChainRpc.switch.set({ mode });
}

/** All that is stored beside budgets and what was spent. */
async function readStore({ kv }: TestDeps) {
  const entries = await Array.fromAsync(kv.list({ prefix: [] }));
  return entries.filter(({ key: [room] }) =>
    !["usage", "budgets"].includes(String(room))
  );
}

/** A refusal: 400 in one shape, whose message says what is accepted. */
function assertRefused({ status, body, text }: Answer, error: RegExp): void {
  assertEquals(status, 400, text);
  assertEquals([body.code, body.message], ["BAD_REQUEST", body.error]);
  assertMatch(body.error, error);
}

Deno.test("GET /score/:address answers the score read, field by field", async (t) => {
  using deps = await testDeps();
  const { ask } = await enrol(deps);
  for (const persona of PERSONAS) {
    await t.step(persona, async () => {
      const address = exampleOf(persona);
      const { status, body, text } = await ask(`/score/${address}`);
      assertEquals(status, 200, text);
      assertEquals(Object.keys(body), [
        "address",
        "headline",
        "s4",
        "graph",
        "explanation",
        "verifiedHuman",
        "score",
        "tier",
        "tierLabel",
        "breakdown",
        "fetchedAt",
        "model",
      ]);
      assertEquals(ScoreRead.parse(body), body, "no field but the schema's");
      assertEquals(body.address, address);
      const second = Math.floor(deps.now().getTime() / 1000) * 1000;
      assertEquals(body.fetchedAt, new Date(second).toISOString());
      assertEquals(body.model, "s4-2026.1");
      const { total, ...parts } = body.breakdown;
      const sum = Object.values<number>(parts).reduce((a, b) => a + b);
      assertEquals(Math.round(sum * 100), Math.round(total * 100));
      assertEquals(total, body.score);
    });
  }
});

Deno.test("the composite can be recomputed from the numbers in the answer", async (t) => {
  using deps = await testDeps();
  const { ask } = await enrol(deps);
  for (const persona of PERSONAS) {
    for (let nth = 0; nth < 4; nth++) {
      await t.step(`${persona} ${nth}`, async () => {
        const { body } = await ask(`/score/${exampleOf(persona, nth)}`);
        const { composite, humanity, activity, social, economic } = body.s4;
        const thousandths = WEIGHTS.humanity * Math.round(humanity * 10) +
          WEIGHTS.activity * Math.round(activity * 10) +
          WEIGHTS.social * Math.round(social * 10) +
          WEIGHTS.economic * Math.round(economic * 10);
        assertEquals(composite, Math.round(thousandths / 10) / 100);
        assertEquals(body.headline.score, Math.round(composite));
      });
    }
  }
});

Deno.test("an address in any case is one address, and comes back in lower case", async () => {
  using deps = await testDeps();
  const { ask } = await enrol(deps);
  const digits = ADDRESS.slice(2);
  const lower = await ask(SCORE);
  const calls = deps.upstreams.explorer.calls.length;
  for (
    const text of [
      digits.toUpperCase(),
      `${digits.slice(0, 20).toUpperCase()}${digits.slice(20)}`,
    ]
  ) {
    const { body } = await ask(`/score/0x${text}`);
    assertEquals(body.address, ADDRESS);
    assertEquals(body.s4, lower.body.s4);
  }
  assertEquals(deps.upstreams.explorer.calls.length, calls, "no second fetch");
});

Deno.test("what is no address is refused on every endpoint, and nothing is charged", async (t) => {
  using deps = await testDeps();
  const { ask, batch, used } = await enrol(deps, { plan: "builder" });
  const digits = ADDRESS.slice(2);
  const bad = [
    `0x${digits.slice(1)}`,
    `0x${digits}0`,
    digits,
    `0X${digits}`,
    ` ${ADDRESS}`,
    `${ADDRESS} `,
    `${ADDRESS}\n`,
    `0x ${digits.slice(1)}`,
    `0x${digits.slice(1)}g`,
    "vitalik.eth",
    "0x",
  ];
  for (const text of bad) {
    await t.step(JSON.stringify(text), async () => {
      const path = `/score/${encodeURIComponent(text)}`;
      const accepted = /expected a C-Chain address: 0x and 40 hexadecimal/;
      assertRefused(await ask(path), accepted);
      assertRefused(await ask(`${path}/history`), accepted);
      const answer = await batch({ addresses: [text] });
      assertRefused(answer, accepted);
      assertEquals(answer.body.invalid, [text]);
    });
  }
  assertRefused(await ask(`${SCORE}?fresh=1`), /"fresh"/);
  assertEquals(await used(), 0);
});

Deno.test("a batch answers in the order sent, duplicates too, each charged", async () => {
  using deps = await testDeps();
  const { ask, batch, used } = await enrol(deps, { plan: "builder" });
  const [a, b] = addresses(2) as [string, string];
  const live = await ask(`/score/${a}`);
  const calls = deps.upstreams.explorer.calls.length;
  const sent = [a, b, a, a.toUpperCase().replace("0X", "0x"), b];
  const { status, body, headers } = await batch({ addresses: sent });
  assertEquals(status, 200);
  assertEquals(BatchAnswer.parse(body), body);
  assertEquals(Object.keys(body), ["count", "results", "fetchedAt", "model"]);
  assertEquals(body.count, 5);
  const results: BatchAnswer["results"] = body.results;
  assertEquals(results.map(({ address }) => address), [a, b, a, a, b]);
  assertEquals(results.map(({ signals }) => signals), [
    "fresh",
    "none",
    "fresh",
    "fresh",
    "none",
  ]);
  const { signals: _, ...item } = results[0]!;
  for (const [name, value] of Object.entries(item)) {
    assertEquals(value, live.body[name], name);
  }
  assertEquals(deps.upstreams.explorer.calls.length, calls, "store alone");
  assertEquals(await used(), 6);
  assertEquals(headers.get("X-RateLimit-Remaining"), "24994");
});

Deno.test("a never-scored address of a batch has zeroes, no confidence, and signals none", async () => {
  using deps = await testDeps();
  const { batch } = await enrol(deps, { plan: "builder" });
  const { body } = await batch({ addresses: [ADDRESS] });
  assertEquals(body.results, [{
    address: ADDRESS,
    score: 0,
    tier: "starter",
    tierLabel: "Starter",
    s4: {
      humanity: 0,
      activity: 0,
      social: 0,
      economic: 0,
      composite: 0,
      confidence: 0,
    },
    graph: { analyzed: false, flags: [], socialDamping: 1 },
    verifiedHuman: null,
    signals: "none",
  }]);
});

Deno.test("a score read makes the signals of later batches: fresh for a day, then stale, then none", async () => {
  using deps = await testDeps();
  const { ask, batch } = await enrol(deps, { plan: "builder" });
  const { body: { fetchedAt } } = await ask(SCORE);
  const move = (to: number) =>
    deps.advance(Date.parse(fetchedAt) + to - deps.now().getTime());
  const steps: [at: number, signals: string][] = [
    [0, "fresh"],
    [DAY_MS - HOUR_MS, "fresh"],
    [DAY_MS + 1, "stale"],
    [7 * DAY_MS - HOUR_MS, "stale"],
    [7 * DAY_MS + 1, "none"],
  ];
  for (const [at, signals] of steps) {
    move(at);
    const { body } = await batch({ addresses: [ADDRESS] });
    assertEquals(body.results[0].signals, signals, `${at / DAY_MS} days`);
  }
});

Deno.test("a batch body that is not 1 to 50 addresses is refused with what is accepted", async (t) => {
  using deps = await testDeps();
  const { batch, used } = await enrol(deps, { plan: "builder" });
  const many = "an array of 1 to 50 addresses";
  const object = "a JSON object with addresses";
  const bodies: [name: string, body: unknown, error: string][] = [
    [
      "no address",
      { addresses: [] },
      "Invalid addresses: given 0, expected 1 to 50",
    ],
    [
      "51 addresses",
      { addresses: addresses(51) },
      "given 51, expected 1 to 50",
    ],
    ["nothing", "", "expected JSON"],
    ["not JSON", "{addresses}", "expected JSON"],
    ["half of JSON", '{"addresses":["0x', "expected JSON"],
    ["two texts of JSON", "{}{}", "expected JSON"],
    ["a number", 5, object],
    ["null", null, object],
    ["a string", JSON.stringify(ADDRESS), object],
    ["an array", [ADDRESS], object],
    ["no addresses", {}, `Missing addresses: expected ${many}`],
    ["null addresses", { addresses: null }, many],
    ["an address alone", { addresses: ADDRESS }, many],
    ["addresses by number", { addresses: { 0: ADDRESS } }, many],
    ["nested arrays", { addresses: [[ADDRESS]] }, "a C-Chain address"],
    ["numbers", { addresses: [1, 2] }, "a C-Chain address"],
    ["nulls", { addresses: [null] }, "a C-Chain address"],
    ["an unknown field", { addresses: [ADDRESS], fresh: true }, '"fresh"'],
    ["__proto__", '{"addresses":[],"__proto__":{"addresses":[1]}}', "given 0"],
  ];
  for (const [name, body, error] of bodies) {
    await t.step(name, async () => {
      assertRefused(await batch(body), new RegExp(error));
    });
  }
  assertEquals(await used(), 0);
});

Deno.test("all bad addresses of a batch are listed, and no good one", async () => {
  using deps = await testDeps();
  const { batch, used } = await enrol(deps, { plan: "builder" });
  const one = await batch({ addresses: addresses(50).with(31, "0x12") });
  assertRefused(one, /addresses\[31\] "0x12"/);
  assertEquals(one.body.invalid, ["0x12"]);
  const bad = ["", "vitalik.eth", `${ADDRESS}0`, "0x", [ADDRESS], 7, null];
  const sent: unknown[] = addresses(50);
  bad.forEach((value, index) => sent[index * 7] = value);
  const many = await batch({ addresses: sent });
  assertRefused(many, /and 4 more/);
  assertEquals(many.body.invalid, [
    "",
    "vitalik.eth",
    `${ADDRESS}0`,
    "0x",
    `["${ADDRESS}"]`,
    "7",
    "null",
  ]);
  assertEquals(await used(), 0);
});

Deno.test("a batch is JSON by its content type, whatever its parameters", async (t) => {
  using deps = await testDeps();
  const { batch } = await enrol(deps, { plan: "builder" });
  const types: [type: string | null, status: number][] = [
    ["application/json", 200],
    ["application/json; charset=utf-8", 200],
    ["Application/JSON", 200],
    [null, 400],
    ["text/plain", 400],
    ["application/jsonp", 400],
    ["application/x-www-form-urlencoded", 400],
    ["multipart/form-data; boundary=x", 400],
    ["text/plain; application/json", 400],
  ];
  for (const [type, status] of types) {
    await t.step(String(type), async () => {
      const answer = await batch({ addresses: [ADDRESS] }, type);
      assertEquals(answer.status, status, answer.text);
      if (status === 400) {
        assertRefused(answer, /Content-Type: expected application\/json/);
      }
    });
  }
});

Deno.test("a body of 1 MB is 413 whether or not its length is told", async (t) => {
  using deps = await testDeps();
  const { ask, used } = await enrol(deps, { plan: "builder" });
  const bytes = new TextEncoder().encode(
    JSON.stringify({ addresses: Array(25_000).fill(ADDRESS) }),
  );
  assert(bytes.length > 1_000_000);
  for (const told of [true, false]) {
    await t.step(told ? "told" : "not told", async () => {
      const length = told ? { "Content-Length": `${bytes.length}` } : {};
      const answer = await ask("/score/batch", {
        method: "POST",
        body: bytes,
        headers: { "Content-Type": "application/json", ...length },
      });
      assertEquals(answer.status, 413, answer.text);
      assertEquals(answer.body.code, "PAYLOAD_TOO_LARGE");
      assertEquals(answer.body.mostBytes, 16_384);
      assertEquals(answer.headers.get("X-RateLimit-Remaining"), "25000");
    });
  }
  assertEquals(await used(), 0);
});

Deno.test("explorer and node down, nothing stored: 500, the unit given back, nothing written", async () => {
  using deps = await testDeps();
  const { ask, used } = await enrol(deps);
  setUpstreams(deps, "refuse");
  const before = await readStore(deps);
  const { status, body, headers } = await ask(SCORE);
  assertEquals(status, 500);
  assertEquals(body.code, "UPSTREAM_UNAVAILABLE");
  assertEquals(body.upstream, "explorer.test");
  assert(Number(headers.get("Retry-After")) > 0);
  assertEquals(headers.get("X-RateLimit-Remaining"), "2500");
  assertEquals(await used(), 0);
  assertEquals(await readStore(deps), before);
  setUpstreams(deps, "ok");
  deps.advance(5 * 60_000);
  assertEquals((await ask(SCORE)).status, 200);
  assertEquals(await used(), 1);
});

Deno.test("explorer and node down past the last seven days: 500, and the old signals stay", async () => {
  using deps = await testDeps();
  const { ask, used } = await enrol(deps);
  await ask(SCORE);
  setUpstreams(deps, "refuse");
  deps.advance(7 * DAY_MS + HOUR_MS);
  const before = await readStore(deps);
  const { status, body } = await ask(SCORE);
  assertEquals([status, body.code], [500, "UPSTREAM_UNAVAILABLE"]);
  assertEquals(await readStore(deps), before);
  assertEquals(await used(), 1);
});

Deno.test("explorer and node down: stored signals of the last seven days are used and named stale", async () => {
  using deps = await testDeps();
  const { ask, used } = await enrol(deps);
  const codes = ({ body }: Answer) =>
    (body as ScoreRead).explanation.reasons.map(({ code }) => code as string);
  const fresh = await ask(SCORE);
  assert(!codes(fresh).includes("STALE_SIGNALS"));
  setUpstreams(deps, "refuse");
  deps.advance(25 * HOUR_MS);
  const stale = await ask(SCORE);
  assertEquals(stale.status, 200, stale.text);
  assert(codes(stale).includes("STALE_SIGNALS"));
  assert(stale.body.s4.confidence < fresh.body.s4.confidence);
  assertEquals(await used(), 2);
  setUpstreams(deps, "ok");
  deps.advance(5 * 60_000);
  assert(!codes(await ask(SCORE)).includes("STALE_SIGNALS"));
});

Deno.test("days of a history are a whole number from 1 to 90, said once", async (t) => {
  using deps = await testDeps();
  const { ask, used } = await enrol(deps, { plan: "builder" });
  const days = /^Invalid days .*expected a whole number from 1 to 90/;
  const refused: [query: string, error: RegExp][] = [
    ["days=0", days],
    ["days=91", days],
    ["days=-1", days],
    ["days=100", days],
    ["days=1e1", days],
    ["days=07", days],
    ["days=%207", days],
    ["days=+7", days],
    ["days=7.0", days],
    ["days=0x7", days],
    ["days=", days],
    ["days=seven", days],
    ["days=%D9%A7", days],
    ["days=7&days=7", /days: given 2 times, expected once/],
    ["days=7&days=8", /days: given 2 times, expected once/],
    ["include=x", /include "x": expected breakdown/],
    ["include=", /include "": expected breakdown/],
    ["include=breakdown,x", /expected breakdown/],
    ["include=breakdown&include=breakdown", /include: given 2 times/],
    ["day=7", /"day": expected one of days, include/],
  ];
  for (const [query, error] of refused) {
    await t.step(query, async () => {
      assertRefused(await ask(`${SCORE}/history?${query}`), error);
    });
  }
  assertEquals(await used(), 0);
  for (const [query, expected] of [["", 30], ["days=1", 1], ["days=90", 90]]) {
    const { status, body } = await ask(`${SCORE}/history?${query}`);
    assertEquals([status, body.days], [200, expected]);
  }
  assertEquals(await used(), 3);
});

Deno.test("the history of a never-scored address is 200 with no entries", async () => {
  using deps = await testDeps();
  const { ask } = await enrol(deps, { plan: "builder" });
  const { status, body } = await ask(`${SCORE}/history?include=breakdown`);
  assertEquals(status, 200);
  assertEquals(body, {
    address: ADDRESS,
    days: 30,
    count: 0,
    history: [],
    fetchedAt: deps.now().toISOString(),
    model: "s4-2026.1",
  });
  assertEquals(deps.upstreams.explorer.calls.length, 0);
});

Deno.test("a history has the last score of each day, oldest first, today included", async () => {
  using deps = await testDeps({ start: "2026-11-18T20:00:00.000Z" });
  const { ask } = await enrol(deps, { plan: "builder" });
  const read: ScoreRead[] = [];
  for (let day = 0; day < 3; day++) {
    await ask(SCORE);
    deps.advance(HOUR_MS);
    read.push((await ask(SCORE)).body);
    deps.advance(DAY_MS - HOUR_MS);
  }
  deps.advance(-DAY_MS);
  const { body } = await ask(`${SCORE}/history?include=breakdown`);
  assertEquals(HistoryAnswer.parse(body), body);
  assertEquals(
    body.history,
    read.map(({ fetchedAt, score, tier, tierLabel, breakdown }) => ({
      date: fetchedAt.slice(0, 10),
      score,
      tier,
      tierLabel,
      breakdown,
    })),
  );
  const plain = await ask(`${SCORE}/history?days=2`);
  assertEquals(
    plain.body.history,
    // deno-lint-ignore no-explicit-any -- an answer of any shape.
    body.history.slice(1).map(({ breakdown: _, ...rest }: any) => rest),
  );
  const today = await ask(`${SCORE}/history?days=1`);
  assertEquals(today.body.count, 1);
  assertEquals(today.body.history[0].date, "2026-11-20");
});

Deno.test("90 days of history with breakdown are 90 entries, and one read of the store", async () => {
  using deps = await testDeps();
  const { ask } = await enrol(deps, { plan: "builder" });
  const today = dayAt(deps.now().getTime());
  const { headline, score, tier, breakdown } = scoreOf({
    chain: NO_CHAIN,
    profile: NO_PROFILE,
    graph: NO_GRAPH,
    freshness: "fresh",
  }, deps.now().getTime());
  for (let day = today - 99; day <= today; day++) {
    const point = { day, headline: headline.score, score, tier, breakdown };
    await deps.store.scores.put(ADDRESS, point, { readAt: null });
  }
  const { reads } = tapKv(deps.kv);
  const path = `${SCORE}/history?days=90&include=breakdown`;
  const { body } = await ask(path);
  assertEquals(body.count, 90);
  assertEquals(body.history[0].date, formatDay(today - 89));
  assertEquals(body.history.at(-1).date, formatDay(today));
  assert("total" in body.history[0].breakdown);
  const read = reads.flat().filter(([room]) => room === "score_histories");
  assertEquals(read, [["score_histories", ADDRESS]]);
});

Deno.test("unknown paths and methods of the surface answer in the same shape", async (t) => {
  using deps = await testDeps();
  const cases: [method: string, path: string, status: number][] = [
    ["GET", `${SCORE}/nothing`, 404],
    ["GET", "/score", 404],
    ["GET", "/nothing", 404],
    ["DELETE", SCORE, 405],
    ["PUT", "/score/batch", 405],
  ];
  const { ask } = await enrol(deps, { plan: "scale" });
  for (const [method, path, status] of cases) {
    await t.step(`${method} ${path}`, async () => {
      const { body, text, ...answer } = await ask(path, { method });
      assertEquals(answer.status, status, text);
      assertEquals(body.error, body.message);
      assertStringIncludes(body.error, `/api/v1${path}`);
    });
  }
});

Deno.test("a batch body that says a name twice, at any depth, is refused", async (t) => {
  using deps = await testDeps();
  const { batch, used } = await enrol(deps, { plan: "builder" });
  const [one, two] = addresses(2).map((address) => `["${address}"]`);
  const bodies = [
    `{"addresses":${one},"addresses":${two}}`,
    `{"addresses":${one},"addresses":${one}}`,
    `{"addresses":7,"addresses":${one}}`,
    `{"\\u0061ddresses":${one} , "addresses" : ${one}}`,
  ];
  for (const body of bodies) {
    await t.step(body, async () => {
      assertRefused(await batch(body), /duplicate name "addresses"/);
    });
  }
  const deep = `{"addresses":[{"a":[{"b":1,"b":1}]}]}`;
  assertRefused(await batch(deep), /duplicate name "b"/);
  assertEquals((await batch(` { "addresses" :\n ${one} }\n`)).status, 200);
  assertEquals(await used(), 1);
});
