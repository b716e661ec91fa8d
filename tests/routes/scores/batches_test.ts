/** Batches of scores over HTTP: order, charges and refusals. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { BatchAnswer } from "../../../services/model/scores_schema.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { type Answer, enrol } from "../../support/callers.ts";
import { testDeps } from "../../support/deps.ts";

const ADDRESS = exampleOf("ordinary");
const SCORE = `/score/${ADDRESS}`;
const HOUR_MS = 3_600_000;

/** Addresses of a batch. */
const addresses = (count: number) =>
  Array.from({ length: count }, (_, nth) => exampleOf("ordinary", nth));

/** A refusal: 400 in one shape, whose message says what is accepted. */
function assertRefused({ status, body, text }: Answer, error: RegExp): void {
  assertEquals(status, 400, text);
  assertEquals([body.code, body.message], ["BAD_REQUEST", body.error]);
  assertMatch(body.error, error);
}

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
    headline: null,
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
    costToFake: null,
    signals: "none",
  }]);
});

Deno.test("a score read makes the signals of later batches: fresh for a day, then stale until they are deleted", async () => {
  using deps = await testDeps();
  const { ask, batch } = await enrol(deps, { plan: "builder" });
  const { body: { fetchedAt } } = await ask(SCORE);
  const move = (to: number) =>
    deps.advance(Date.parse(fetchedAt) + to - deps.now().getTime());
  const steps: [at: number, signals: string][] = [
    [0, "fresh"],
    [DAY_MS - HOUR_MS, "fresh"],
    [DAY_MS + 1, "stale"],
    [7 * DAY_MS + 1, "stale"],
    [29 * DAY_MS, "stale"],
  ];
  for (const [at, signals] of steps) {
    move(at);
    const { body } = await batch({ addresses: [ADDRESS] });
    assertEquals(body.results[0].signals, signals, `${at / DAY_MS} days`);
  }
});

Deno.test("a batch that fails refunds all of its units", async () => {
  using deps = await testDeps();
  const signals = {
    ...deps.store.signals,
    findAll: () => Promise.reject(new Error("disk I/O error")),
  };
  const failing = { ...deps, store: { ...deps.store, signals } };
  const { batch, used } = await enrol(failing, { plan: "builder" });
  const { status } = await batch({ addresses: addresses(50) });
  assertEquals(status, 500);
  assertEquals(await used(), 0);
  const { ask } = await enrol(deps, { plan: "builder" });
  await ask(SCORE);
  assertEquals(await used(), 1, "units are counted otherwise");
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
    [
      "an unknown field",
      { addresses: [ADDRESS], fresh: true },
      'field "fresh"',
    ],
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
      assertEquals(answer.body.maxBytes, 65_536);
      assertEquals(answer.headers.get("X-RateLimit-Remaining"), "25000");
    });
  }
  assertEquals(await used(), 0);
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
