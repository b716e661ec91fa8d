/** The error page: its words by code, and where it leads. */
import { assertEquals } from "@std/assert";
import type { ErrorCode } from "../../../services/platform/error_codes_schema.ts";
import { errorPage } from "../../../routes/pages/on_error.ts";
import { outlineOf } from "../../support/outline.ts";

function shown(code: ErrorCode, { path = "/", status = 404 } = {}) {
  const { body, ...head } = errorPage({ path, status, code, message: "Why" });
  return { head, lines: outlineOf(String(body), /^notice/) };
}

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
