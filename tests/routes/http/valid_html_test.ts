/** Every kind of page is valid HTML, and says in the demo that it is simulated. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { HtmlValidate, StaticConfigLoader } from "html-validate";
import { parse } from "parse5";
import { createApp } from "../../../routes/app.ts";
import {
  markPagesSimulated,
  simulatedWords,
} from "../../../routes/pages/layout.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { enrol } from "../../support/callers.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { newOwner } from "../../support/owners.ts";

const ADDRESS = exampleOf("ordinary");

const PAID = `0x${"ab".repeat(32)}`;
const RECEIPT = `/dashboard/receipts/${PAID}`;

/** Paths of pages beside those of routes without a parameter. */
const PAGES = [
  "/?metric=gasUsed&chainId=43114&chainId=4337&values=share",
  "/?metric=feesPaid&chainId=43114&chainId=4337&layout=panels",
  "/?metric=transaction-fees",
  "/?metric=x",
  "/charts/txCount",
  "/charts/feesPaid",
  "/chains/43114",
  "/chains/4337",
  "/days/txCount/43114/2026-11-19",
  "/docs/reference/status",
  "/docs/reference/scores",
  "/docs/scoring",
  "/docs?q=fees",
  "/embed/chart/txCount",
  "/embed/chart/nothing",
  `/tools/score/${ADDRESS}`,
  `/tools/score/${exampleOf("heavy", 2)}`,
  "/tools/score?address=x",
  `/profiles/${ADDRESS}`,
  "/nothing",
];

/** Pages beside them that need a session. */
const OWN_PAGES = ["/dashboard", "/dashboard/calls?status=200", RECEIPT];

/** What the validator does not see. */
const UNSEEN: readonly [rule: string, pattern: RegExp][] = [
  ["a meter has a value", /<meter(?![^>]*\bvalue=)[^>]*>/g],
  ["code scrolls by keyboard", /<pre(?![^>]*\btabindex="0")[^>]*>/g],
  ["a caption is the last of its figure", /<\/figcaption>(?!\s*<\/figure>)/g],
];

/** Lists what a parser by the HTML standard reports, as a browser would repair it. */
function parseErrorsOf(text: string, path: string): string[] {
  const errors: string[] = [];
  // A template begins with a line break, which is no part of the page.
  parse(text.trimStart(), {
    onParseError: ({ code, startOffset }) =>
      errors.push(
        `${path} ${code}: ${
          text.trimStart().slice(startOffset, startOffset + 80)
        }`,
      ),
  });
  return errors;
}

/** Lists where a reader sees a space before a comma, a full stop or the like. */
function strayCommasOf(text: string, path: string): string[] {
  const seen = text.replace(
    /<(script|style|pre|svg|head)\b[\s\S]*?<\/\1>/g,
    "",
  )
    .replace(
      /<\/?(?:p|li|td|th|tr|dd|dt|div|h\d|summary|option|label|button|nav|section|figcaption|ul|ol)\b[^>]*>/g,
      "\n",
    )
    // A script fills it.
    .replace(/<(\w+)\b[^>]*><\/\1>/g, "…").replace(/<[^>]*>/g, "");
  return [...seen.matchAll(/\S+\s+[,.;:](?=\s+[\p{L}\d+−]|\s*$)/gmu)]
    .map(([part]) => `${path} a space: ${part.replace(/\s+/g, " ")}`);
}

/** Credits a payment, and notes a call with a key. */
async function pay(deps: TestDeps, wallet: string): Promise<void> {
  const at = deps.now().getTime();
  const transaction = {
    txHash: PAID,
    logIndexes: [0],
    blockNumber: 72_010_001,
    blockHash: PAID,
    paidAt: at,
  };
  await deps.store.payments.credit(
    wallet,
    { at, amount: 49_000_000n, transaction, requestId: null },
    () => ({ order: null, quoteId: null }),
  );
  const caller = await enrol(deps, { wallet });
  await caller.ask(`/score/${ADDRESS}`);
}

/** Reads a page of each kind. */
async function* everyKindOfPage(deps: TestDeps) {
  const app = createApp(deps);
  const owner = newOwner(deps);
  await owner.signIn();
  await pay(deps, owner.wallet);
  const paths = new Set([
    ...app.routes.filter(({ method }) => method === "GET")
      .map(({ path }) => path).filter((path) => !/[:*]/.test(path)),
    ...PAGES,
    ...OWN_PAGES,
  ]);
  for (const path of paths) {
    const response = await app.request(path, {
      headers: {
        Accept: "text/html",
        ...OWN_PAGES.includes(path) && { Cookie: owner.cookie() },
      },
    });
    const text = await response.text();
    if (OWN_PAGES.includes(path)) assertEquals(response.status, 200, path);
    const type = response.headers.get("Content-Type");
    if (type?.startsWith("text/html")) yield { path, text };
  }
}

Deno.test("every kind of page is valid HTML, by a linter and by a parser", async () => {
  using deps = await testDeps({
    settings: { TREASURY_ADDRESS: `0x${"de".repeat(20)}` },
  });
  const validator = new HtmlValidate(
    new StaticConfigLoader({ extends: ["html-validate:standard"] }),
  );
  const problems: string[] = [];
  let pages = 0;
  for await (const { path, text } of everyKindOfPage(deps)) {
    assert(!text.includes('class="simulated"'), `${path} is no demo`);
    pages++;
    const { results } = await validator.validateString(text);
    const found = results.flatMap(({ messages }) => messages)
      .map(({ ruleId, message, line }) =>
        `${path} ${ruleId}: ${message}: ${text.split("\n")[line - 1]!.trim()}`
      );
    for (const [rule, pattern] of UNSEEN) {
      found.push(
        ...text.matchAll(pattern).map(([part]) =>
          `${path} ${rule}: ${part.slice(-80)}`
        ),
      );
    }
    problems.push(
      ...found,
      ...parseErrorsOf(text, path),
      ...strayCommasOf(text, path),
    );
  }
  assert(pages >= 30, `${pages} pages`);
  assertEquals(problems, []);
});

Deno.test("in the demo every kind of page says that it is simulated, and every chart in its source", async () => {
  using deps = await testDeps();
  using _mark = markPagesSimulated();
  assertStringIncludes(simulatedWords(), "simulated");
  const silent: string[] = [];
  let pages = 0;
  for await (const { path, text } of everyKindOfPage(deps)) {
    pages++;
    const [body] = text.match(/<body>[\s\S]*/)!;
    if (!body.includes(simulatedWords())) silent.push(path);
  }
  assert(pages >= 30, `${pages} pages`);
  assertEquals(silent, []);
  const chart = await createApp(deps).request("/chart/txCount.svg");
  assertStringIncludes(await chart.text(), "Source: simulated");
});
