/** What an API key looks like, and what is kept of it. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import {
  createKey,
  hashKey,
  isKey,
  kindOf,
  looksLikeKey,
  prefixOf,
} from "../../../services/accounts/key_format.ts";
import { redactKeys } from "../../../services/platform/observability/redact.ts";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BODY = `firn_live_${"a".repeat(32)}`;

/** The checksum of a body, worked out by division. */
function checksumOf(body: string): string {
  let text = "";
  let left = crc32(body);
  for (let place = 0; place < 6; place++) {
    text = BASE62[left % 62] + text;
    left = Math.floor(left / 62);
  }
  return text;
}

Deno.test("a key is firn_live_, 32 random characters and their CRC-32 in 6", () => {
  for (let nth = 0; nth < 1_000; nth++) {
    const key = createKey();
    assertMatch(key, /^firn_live_[0-9A-Za-z]{38}$/);
    assertEquals(key.slice(-6), checksumOf(key.slice(0, -6)));
    assert(isKey(key));
  }
});

Deno.test("a test key differs from a live one only in its prefix", () => {
  const key = createKey("test");
  assertMatch(key, /^firn_test_[0-9A-Za-z]{38}$/);
  assertEquals(key.slice(-6), checksumOf(key.slice(0, -6)));
  assert(isKey(key) && looksLikeKey(key));
  assertEquals(isKey(key.replace("test", "live")), false);
  assertEquals([kindOf(key), kindOf(createKey())], ["test", "live"]);
  assertEquals(kindOf(prefixOf(key)), "test");
  assertEquals(redactKeys(`a ${key} b`), "a firn_test_… b");
});

Deno.test("no two keys are the same, and every character occurs", () => {
  const keys = Array.from({ length: 1_000 }, createKey);
  assertEquals(new Set(keys).size, keys.length);
  const used = new Set(keys.flatMap((key) => [...key.slice(10, 42)]));
  assertEquals([...used].sort().join(""), BASE62);
});

Deno.test("checksums with leading zeroes are as long as any other", () => {
  const small = Array.from(
    { length: 20_000 },
    (_, nth) => `firn_live_${String(nth).padStart(32, "0")}`,
  )
    .filter((body) => crc32(body) < 62 ** 4);
  assert(small.length > 0);
  for (const body of small) assert(isKey(body + checksumOf(body)), body);
});

Deno.test("a key with one wrong or two swapped characters is invalid", () => {
  const key = createKey();
  for (let at = 0; at < key.length; at++) {
    const other = key[at] === "x" ? "y" : "x";
    assert(!isKey(key.slice(0, at) + other + key.slice(at + 1)), `at ${at}`);
    const swapped = key.slice(0, at) + (key[at + 1] ?? "") + key[at] +
      key.slice(at + 2);
    assertEquals(isKey(swapped), swapped === key, `swapped at ${at}`);
  }
});

Deno.test("a malformed key is refused without a read", async (t) => {
  const key = BODY + checksumOf(BODY);
  assert(isKey(key));
  const texts: Record<string, string> = {
    nothing: "",
    "the prefix alone": "firn_live_",
    "no checksum": BODY,
    "another prefix": key.replace("live", "test"),
    "in capitals": key.toUpperCase(),
    "a space before": ` ${key}`,
    "a space after": `${key} `,
    "a line break after": `${key}\n`,
    "one more": `${key}0`,
    "one less": key.slice(0, -1),
    "twice": key + key,
    "not of base62": key.replace("aa", "a-"),
    "not of ASCII": key.replace("aa", "aä"),
  };
  for (const [name, text] of Object.entries(texts)) {
    await t.step(name, () => assert(!isKey(text)));
  }
});

Deno.test("anything that has the prefix looks like a key, well-formed or not", () => {
  for (const text of [createKey(), "firn_live_", "Bearer firn_live_x&y"]) {
    assert(looksLikeKey(text), text);
  }
  for (const text of ["", "firn", "live_", "Bearer abc", "days=7"]) {
    assert(!looksLikeKey(text), text);
  }
});

Deno.test("only the SHA-256 of a key and its first four characters are stored", () => {
  const key = createKey();
  const expected = createHash("sha256").update(key).digest("hex");
  assertEquals(hashKey(key), expected);
  assertEquals(prefixOf(key), key.slice(0, 14));
});
