/** The error page: its words by code, and where it leads. */
import { assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import {
  ERROR_CODES,
  type ErrorCode,
} from "../../../services/platform/error_codes_schema.ts";
import { errorPage } from "../../../routes/pages/on_error.ts";
import { outlineOf } from "../../support/outline.ts";

function shown(code: ErrorCode, { path = "/", status = 404 } = {}) {
  const { body, ...head } = errorPage({ path, status, code, message: "Why" });
  return { head, lines: outlineOf(String(body), /^notice/) };
}

Deno.test("an error page offers to try again after 429, 500 and 503, but not for a callback, which can be used once, and leads to the status where the fault is ours", () => {
  const wayOn = (path: string, status: number) =>
    shown("INTERNAL", { path, status }).lines.at(-1)!;
  const docs = "[href=/docs]Read the documentation";
  const state = "[href=/status]See the status";
  for (
    const [status, more] of [[429, docs], [500, state], [503, state]] as const
  ) {
    assertEquals(
      wayOn("/chains/7", status),
      `p [href]Try again [href=/chains]See all chains ${more}`,
    );
    assertEquals(
      wayOn("/account/link/github", status),
      `p [href=/dashboard/profile]Back to your profile ${more}`,
    );
  }
  assertEquals(
    wayOn("/chains/7", 404),
    `p [href=/chains]See all chains ${docs}`,
  );
});

Deno.test("an error page says in words what each code means and what to do", () => {
  for (const code of ERROR_CODES) {
    const [, heading, advice, message] = shown(code).lines;
    assertMatch(heading!, /^h1 [A-Z]/, code);
    assertMatch(advice!, /^p [A-Z][^]+\.$/, code);
    assertNotMatch(advice!, /undefined|`|_/, code);
    assertEquals(message, "p.notice Why", code);
  }
  const [, heading, advice] = shown("TX_USED").lines;
  assertEquals(heading, "h1 This did not work");
  assertEquals(
    advice,
    "p The transaction was credited already. Nothing; a transaction counts once.",
  );
});
