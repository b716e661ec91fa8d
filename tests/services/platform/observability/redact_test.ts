/** Redaction of secrets in log lines. */
import { assert, assertEquals } from "@std/assert";
import { redactor } from "../../../../services/platform/observability/redact.ts";
import { SECRETS } from "../../../support/secrets.ts";
import { fc } from "../../../support/properties.ts";

const redact = redactor();

for (const [kind, secrets] of Object.entries(SECRETS)) {
  Deno.test(`redactor() removes a secret: ${kind}`, () => {
    const around = fc.constantFrom("", " ", "\n", '"', "Cannot read ", ": ");
    fc.assert(
      fc.property(around, secrets, around, (before, hidden, after) => {
        const left = redact(before + hidden.text + after);
        assert(!left.toLowerCase().includes(hidden.secret.toLowerCase()), left);
      }),
    );
  });
}

Deno.test("redactor() removes the configured secrets of its process, in any form", () => {
  const own = redactor([`0x${"ab".repeat(32)}`, "s3cr(t"]);
  assertEquals(own("it is s3cr(t!"), "it is [redacted]!");
  const hash = `0x${"AB".repeat(32)}`;
  assertEquals(own(hash, "txHash"), "[redacted]");
});

Deno.test("redactor() cuts a text between words, at 4,000 characters", () => {
  const words = "word ".repeat(800);
  assertEquals(redact(words), words);
  assertEquals(redact(`${words}more`), `${words}…`);
  assertEquals(
    redact(`${words.slice(5)}a longer word`),
    `${words.slice(5)}a …`,
  );
});

Deno.test("redactor() keeps hosts, wallets, stack traces and transaction hashes", () => {
  const kept = [
    "Cannot read api.routescan.io: status is 502",
    "listening on https://firn.example/",
    `wallet 0x${"ab".repeat(20)} has 12 keys`,
    "5e10b777-c2ea-4dfc-bfca-d33434096d3a",
    "Fault: no connection\n    at toFault (file:///srv/firn/services/upstream/http.ts:87:10)\n" +
    "    at async file:///root/.cache/deno/npm/registry.example/@hono/zod-openapi/1.6.3/dist/index.js:1:20",
    "SyntaxError: Unexpected token '<', \"<html>\" is not valid JSON",
    "2026-11-22T01:55:22.698Z",
  ];
  for (const text of kept) assertEquals(redact(text), text);
  const txHash = `0x${"12".repeat(32)}`;
  assertEquals(redact(txHash, "txHash"), txHash);
  assertEquals(redact(txHash, "error"), "[redacted]");
});
