/** Each assumption about the sources is found to hold, or to be broken. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  ASSUMPTIONS,
  examineSources,
  type Finding,
  formatFindings,
} from "../../../services/doctor/examination.ts";
import { MAX_CALLS } from "../../../services/doctor/sources_client.ts";
import {
  askSimnet,
  BROKEN,
  type Change,
  SUBJECT,
} from "../../support/doctor/simulated_sources.ts";

const examine = (change?: Change) => examineSources(askSimnet(change), SUBJECT);

const textsOf = (findings: readonly Finding[]) =>
  findings.map(({ text }) => text);

Deno.test("every assumption holds for simnet, in at most 30 calls", async () => {
  const sources = askSimnet();
  const findings = await examineSources(sources, SUBJECT);
  assertEquals(findings.filter(({ holds }) => holds !== true), []);
  assert(sources.countCalls() <= MAX_CALLS, `${sources.countCalls()}`);
});

Deno.test("an assumption that a source breaks is the only one that does not hold", async (t) => {
  for (const { text } of ASSUMPTIONS) {
    const [[name, change] = [], ...others] = Object.entries(BROKEN)
      .filter(([part]) => text.startsWith(part));
    await t.step(text, async () => {
      assert(name !== undefined && change !== undefined && others.length === 0);
      const findings = await examine(change);
      const broken = findings.filter(({ holds }) => holds === false);
      assertEquals(textsOf(broken), [text], JSON.stringify(broken));
    });
  }
});

Deno.test("what needs another answer is not examined without it", async () => {
  const findings = await examine({
    of: /metrics\.test/,
    to: () => new Response("<html>", { status: 503 }),
  });
  const ofApi = findings.filter(({ source }) => source === "Metrics API");
  assertEquals(ofApi.filter(({ holds }) => holds === true), []);
  const [chains] = ofApi;
  assertEquals(chains!.seen, "status 503, not JSON");
  const others = findings.filter(({ holds, source }) =>
    holds === null && source !== "Metrics API"
  );
  assertEquals(
    others.map(({ text }) => text.split(" ").slice(0, 3).join(" ")),
    [
      "daily transactions differ",
      "the stake differs",
    ],
  );
});

Deno.test("with one node, the agreement of two is not examined", async () => {
  const findings = await examineSources(askSimnet(undefined, 1), SUBJECT);
  const open = findings.filter(({ holds }) => holds === null);
  assertEquals(textsOf(open), ["two nodes agree on a block"]);
});

Deno.test("formatFindings() has a row for each finding, without control characters, and the totals", () => {
  const finding = { source: "node", text: "it answers", look: "URL" };
  const table = formatFindings([
    { ...finding, holds: true, seen: "yes\u001b[2J\nNO" },
    { ...finding, holds: false, seen: "x".repeat(100) },
    { ...finding, holds: null, seen: "" },
  ], 3);
  const lines = table.split("\n");
  assertEquals(lines.length, 6);
  assertMatch(lines[1]!, /^yes +node +it answers +yes \[2J NO +URL$/);
  assertMatch(lines[2]!, /^NO .* x{60} +URL$/);
  assertMatch(lines[3]!, /^- /);
  assertEquals(
    lines[5],
    "1 hold, 1 do not, 1 were not examined; 3 calls",
  );
});

Deno.test("a question that is asked twice is one call, and the 31st call is refused", async () => {
  const sources = askSimnet();
  for (let nth = 0; nth < MAX_CALLS; nth++) {
    await sources.metrics("/v2/chains", { network: "mainnet", nth: `${nth}` });
  }
  await sources.metrics("/v2/chains", { network: "mainnet", nth: "0" });
  assertEquals(sources.countCalls(), MAX_CALLS);
  let error = "";
  try {
    await sources.metrics("/v2/chains");
  } catch (cause) {
    error = String(cause);
  }
  assertMatch(error, /at most 30 calls/);
});
