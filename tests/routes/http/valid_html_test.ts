/** Every kind of page is valid HTML. */
import { assert, assertEquals } from "@std/assert";
import { HtmlValidate, StaticConfigLoader } from "html-validate";
import { parse } from "parse5";
import { createApp } from "../../../routes/app.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { testDeps } from "../../support/deps.ts";

const ADDRESS = exampleOf("ordinary");

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
  `/tools/score/${ADDRESS}`,
  `/tools/score/${exampleOf("heavy", 2)}`,
  "/tools/score?address=x",
  `/profiles/${ADDRESS}`,
  "/nothing",
];

/** What the validator does not see. */
const UNSEEN: readonly [rule: string, pattern: RegExp][] = [
  ["a meter has a value", /<meter(?![^>]*\bvalue=)[^>]*>/g],
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

Deno.test("every kind of page is valid HTML, by a linter and by a parser", async () => {
  using deps = await testDeps({
    settings: { TREASURY_ADDRESS: `0x${"de".repeat(20)}` },
  });
  const app = createApp(deps);
  const validator = new HtmlValidate(
    new StaticConfigLoader({ extends: ["html-validate:standard"] }),
  );
  const paths = new Set([
    ...app.routes.filter(({ method }) => method === "GET")
      .map(({ path }) => path).filter((path) => !/[:*]/.test(path)),
    ...PAGES,
  ]);
  const problems: string[] = [];
  let pages = 0;
  for (const path of paths) {
    const response = await app.request(path, {
      headers: { Accept: "text/html" },
    });
    const type = response.headers.get("Content-Type");
    const text = await response.text();
    if (!type?.startsWith("text/html")) continue;
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
