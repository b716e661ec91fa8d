/** Normalized handles, and the unique names of accounts. */
import { assertEquals } from "@std/assert";
import type { SocialKind } from "../../../../services/model/score_terms_schema.ts";
import {
  namesOf,
  normalizeHandle,
} from "../../../../services/profiles/socials/social_names.ts";

Deno.test("normalizeHandle() returns the normalized handle or null", async (t) => {
  const cases: [kind: SocialKind, text: string, handle: string | null][] = [
    ["x", "@Ada_L", "ada_l"],
    ["x", "ada.l", null],
    ["x", "a".repeat(16), null],
    ["github", "Ada-L", "ada-l"],
    ["github", "-ada", null],
    ["github", "ada--l", null],
    ["farcaster", "ada.eth", "ada.eth"],
    ["farcaster", "ada.com", null],
    ["domain", "Example.COM", "example.com"],
    ["domain", "xn--mnchen-3ya.de", "xn--mnchen-3ya.de"],
    ["domain", "example", null],
    ["domain", "127.0.0.1", null],
    ["domain", "a/b.com", null],
    ["discord", "ada.l", "ada.l"],
    ["discord", "Ada#1234", null],
    ["telegram", "@AdaL", "adal"],
    ["telegram", "ada", null],
    ["email", " Ada@Example.com ", "ada@example.com"],
    ["email", "ada", null],
    ["email", "ada@localhost", null],
    ["email", "a b@example.com", null],
  ];
  for (const [kind, text, handle] of cases) {
    await t.step(`${kind} ${text}`, () => {
      assertEquals(normalizeHandle(kind, text), handle);
    });
  }
});

Deno.test("namesOf() returns id and handle, and drops the tag of an email address", () => {
  const social = { verifiedAt: 0, id: null };
  assertEquals(
    namesOf({ ...social, kind: "github", id: "42", handle: "ada" }),
    { id: "#42", handle: "@ada" },
  );
  assertEquals(
    namesOf({ ...social, kind: "email", handle: "ada+x@example.com" }),
    { id: null, handle: "@ada@example.com" },
  );
});
