/** Single scores over HTTP: the answer, upstream failures and unknown paths. */
import { getAddress } from "viem";
import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { ScoreRead } from "../../../services/model/scores_schema.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import { exampleOf, type Persona } from "../../../simnet/accounts.ts";
import { type Answer, enrol } from "../../support/callers.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";

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
const WEIGHTS = { humanity: 35, activity: 20, social: 15, economic: 30 };

/** Makes both sources of signals refuse, or answer again. */
function setUpstreams(deps: TestDeps, mode: "refuse" | "ok"): void {
  deps.upstreams.explorer.switch.set({ mode });
  deps.upstreams.cChainRpc.switch.set({ mode });
}

/** All that is stored beside budgets and what was spent. */
async function readStore({ kv }: TestDeps) {
  const entries = await Array.fromAsync(kv.list({ prefix: [] }));
  return entries.filter(({ key: [room] }) =>
    !String(room).match(/^(usage|budgets|traffic_)/)
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
        "costToFake",
        "verifiedHumanEvidence",
        "humanProofs",
        "fetchedAt",
        "model",
      ]);
      assertEquals(ScoreRead.parse(body), body, "no field but the schema's");
      assertEquals(body.address, address);
      const second = Math.floor(deps.now().getTime() / 1000) * 1000;
      assertEquals(body.fetchedAt, new Date(second).toISOString());
      assertEquals(body.model, "s4-2026.3");
      const { total, ...parts } = body.breakdown;
      const sum = Object.values<number>(parts).reduce((a, b) => a + b);
      assertEquals(Math.round(sum * 100), Math.round(total * 100));
      assertEquals(total, body.s4.composite);
      const { headline } = body;
      assertEquals(
        [body.score, body.tier, body.tierLabel],
        [headline.score, headline.tier, headline.tierLabel],
      );
    });
  }
});

Deno.test("the composite can be recomputed from the numbers in the answer", async (t) => {
  using deps = await testDeps();
  const { ask } = await enrol(deps);
  for (const persona of PERSONAS) {
    for (let nth = 0; nth < 4; nth++) {
      await t.step(`${persona} ${nth}`, async () => {
        deps.advance(6_000);
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
      getAddress(ADDRESS).slice(2),
    ]
  ) {
    const { body } = await ask(`/score/0x${text}`);
    assertEquals(body.address, ADDRESS);
    assertEquals(body.s4, lower.body.s4);
  }
  assertEquals(deps.upstreams.explorer.calls.length, calls, "no second fetch");
});

Deno.test("an invalid address is refused on every endpoint, and nothing is charged", async (t) => {
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

Deno.test("explorer and node down, nothing stored: 500, the unit refunded, nothing written", async () => {
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
      const named = status === 405 ? `"${method}"` : `/api/v1${path}`;
      assertStringIncludes(body.error, named);
    });
  }
});
