/** The error page: its words by code, and where it leads. */
import { assertEquals } from "@std/assert";
import type { ErrorCode } from "../../../services/platform/error_codes_schema.ts";
import { errorPage } from "../../../routes/pages/on_error.ts";
import { outlineOf } from "../../support/outline.ts";

function shown(code: ErrorCode, { path = "/", status = 404 } = {}) {
  const { body, ...head } = errorPage({ path, status, code, message: "Why" });
  return { head, lines: outlineOf(String(body), /^notice/) };
}

Deno.test("an error page has the status, the advice of its code, the message and two ways on", () => {
  const { head, lines } = shown("NOT_FOUND");
  assertEquals(head, {
    title: "Page not found",
    description: "Why",
    isIndexed: false,
  });
  assertEquals(lines, [
    "p Error 404",
    "h1 Page not found",
    "p Check the address, or start from here.",
    "p.notice Why",
    "p [href=/]Open the explorer [href=/docs]Read the documentation",
  ]);
  assertEquals(shown("PAYLOAD_TOO_LARGE", { status: 413 }).lines, [
    "p Error 413",
    "h1 Something went wrong",
    "p.notice Why",
    "p [href=/]Open the explorer [href=/docs]Read the documentation",
  ]);
});

Deno.test("an error page warns from status 500 on", () => {
  const noticeOf = (status: number) =>
    shown("INTERNAL", { status }).lines.find((line) => line.startsWith("p.n"));
  assertEquals(noticeOf(499), "p.notice Why");
  assertEquals(noticeOf(500), "p.notice.notice-warn Why");
});

Deno.test("an error page leads on by the beginning of its path", () => {
  const rows: [path: string, next: string][] = [
    ["/chains/7", "[href=/chains]See all chains"],
    ["/docs/x", "[href=/docs/search]Search the documentation"],
    ["/tools/score/x", "[href=/tools/score]Look up a score"],
    ["/tools", "[href=/]Open the explorer"],
    ["/profiles/x", "[href=/tools/score]Score an address"],
    ["/account/link/github", "[href=/dashboard/profile]Back to your profile"],
    ["/dashboard/x", "[href=/dashboard]Open the dashboard"],
    ["/downloads/x", "[href=/downloads]See all files"],
    ["/nowhere/docs", "[href=/]Open the explorer"],
  ];
  for (const [path, next] of rows) {
    assertEquals(
      shown("NOT_FOUND", { path }).lines.at(-1),
      `p ${next} [href=/docs]Read the documentation`,
    );
  }
});

Deno.test("an error page offers to try again after 429, 500 and 503, but not for a callback, which can be used once", () => {
  const wayOn = (path: string, status: number) =>
    shown("INTERNAL", { path, status }).lines.at(-1)!;
  for (const status of [429, 500, 503]) {
    assertEquals(
      wayOn("/chains/7", status),
      "p [href]Try again [href=/chains]See all chains [href=/docs]Read the documentation",
    );
    assertEquals(
      wayOn("/account/link/github", status),
      "p [href=/dashboard/profile]Back to your profile [href=/docs]Read the documentation",
    );
  }
});
