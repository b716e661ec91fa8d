/** The explorer's message in place of a chart. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { explorerPath } from "../../../routes/charts/explorer_links.ts";
import {
  noticeOf,
  type Problem,
  problemOf,
} from "../../../routes/charts/explorer_page.ts";
import type { ExplorerState } from "../../../services/charts/explorer.ts";
import type { Failure } from "../../../services/platform/fault.ts";
import {
  EXPLORER_STATE,
  hrefsOf,
  wordsOf,
} from "../../support/charts/explorer.ts";

const DOWN: Failure = {
  kind: "upstreamDown",
  upstream: "a.example",
  retryAfterMs: 5000,
};

const STORED: Failure = {
  ...DOWN,
  dataThrough: "2026-11-20",
  settledThrough: "2026-11-18",
};

const shown = (
  problem: Partial<Problem>,
  state: Partial<ExplorerState> = {},
  render = problemOf,
) => {
  const page = String(render({
    status: 503,
    message: "The message",
    failure: DOWN,
    retryAfterS: 5,
    ...problem,
  }, { ...EXPLORER_STATE, ...state }));
  const [, heading] = page.match(/<(?:h1|strong)[^>]*>([^<]*)/)!;
  return { page, heading, words: wordsOf(page), links: hrefsOf(page) };
};

Deno.test("the heading says what kind of problem it is", () => {
  const mistake = { field: "chain", text: "x", suggestions: [] } as const;
  const badInput: Failure = { kind: "badInput" };
  const rows: [problem: Partial<Problem>, heading: string, look: string][] = [
    [{ status: 400, failure: badInput }, "This link has a mistake", "bad"],
    [{ status: 404 }, "Unknown chain", "bad"],
    [{}, "A data source is unreachable", "warn"],
    [{ status: 429 }, "Something went wrong", "bad"],
    [{ status: 400, mistake }, "No single chain matches", "bad"],
    [
      {
        status: 200,
        failure: { ...DOWN, kind: "upstreamLacks" } as Failure,
      },
      "Not indexed",
      "warn",
    ],
  ];
  for (const [problem, heading, look] of rows) {
    const found = shown(problem);
    assertEquals(found.heading, heading);
    assertStringIncludes(found.page, `class="notice notice-${look}"`);
    assertStringIncludes(found.words, "The message");
  }
});

Deno.test("a problem that passes says when to try again, and links the same view; another one leads to all chains", () => {
  const waits: [seconds: number, words: string][] = [
    [0, "0 seconds"],
    [1, "1 second"],
    [2, "2 seconds"],
    [119, "119 seconds"],
    [120, "2 minutes"],
    [149, "2 minutes"],
    [150, "3 minutes"],
    [600, "10 minutes"],
  ];
  for (const [retryAfterS, wait] of waits) {
    const { words, links } = shown({ retryAfterS });
    assertStringIncludes(
      words,
      `No partial data is shown. Try again in ${wait}.`,
    );
    assertEquals(links, [explorerPath(EXPLORER_STATE)]);
  }
  const final = shown({ retryAfterS: null });
  assertEquals(final.links, ["/chains"]);
  assertEquals(final.words.includes("Try again"), false);
});

Deno.test("above stored figures their last day is named, and the days that no longer change are linked", () => {
  const stored = (failure: Failure, state: Partial<ExplorerState> = {}) =>
    shown({ failure }, state, noticeOf);
  const { words, links } = stored(STORED);
  assertStringIncludes(words, "The stored ones end on 2026-11-20 ,");
  assertEquals(words.includes("The message"), false);
  const upTo = (from: string) =>
    explorerPath({ ...EXPLORER_STATE, range: null, from, to: "2026-11-18" });
  assertEquals(links, [explorerPath(EXPLORER_STATE), upTo("2026-10-20")]);
  const rows: [state: Partial<ExplorerState>, from: string | null][] = [
    [{ range: "90d" }, "2026-08-21"],
    [{ range: "all" }, "2020-09-21"],
    [{ range: null, from: "2026-11-01" }, "2026-11-01"],
    [{ range: null, from: "2026-11-18" }, "2026-11-18"],
    [{ range: null, from: "2026-11-19" }, null],
    [{ range: null }, "2020-09-21"],
  ];
  for (const [state, from] of rows) {
    assertEquals(
      stored(STORED, state).links.slice(1),
      from === null ? [] : [upTo(from)],
      JSON.stringify(state),
    );
  }
  for (const settledThrough of [null, undefined]) {
    const failure = { ...STORED, settledThrough } as Failure;
    assertEquals(stored(failure).links, [explorerPath(EXPLORER_STATE)]);
  }
});
