import { assertEquals, assertMatch } from "@std/assert";
import {
  pageToken,
  readPageToken,
} from "../../../simnet/metrics_api/page_tokens.ts";

Deno.test("pageToken() looks like a UUID and holds a position", () => {
  const token = pageToken("chains", 1_790_812_800);
  assertMatch(token, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-/);
  assertEquals(token.length, 36);
  assertEquals(readPageToken("chains", token), 1_790_812_800);
});

Deno.test("readPageToken() returns null for a token of another listing", () => {
  const token = pageToken("chains", 7);
  assertEquals(readPageToken("other", token), null);
  assertEquals(readPageToken("chains", token.replace(/7$/, "8")), null);
  assertEquals(readPageToken("chains", "page two"), null);
});
