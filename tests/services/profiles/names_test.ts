/** Names of profiles: slugs and their look-alikes, display names, domains and handles. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import {
  checkDomain,
  checkName,
  nameProblem,
  namesOf,
  normalizeHandle,
  skeletonOf,
  slugProblem,
} from "../../../services/profiles/names.ts";
import { fc } from "../../support/properties.ts";
import { Fault } from "../../../services/platform/fault.ts";
import type { SocialKind } from "../../../services/model/score_terms_schema.ts";

Deno.test("slugProblem() accepts short names of a-z, 0-9 and single hyphens", async (t) => {
  const longest = "a".repeat(32);
  for (const slug of ["ada", "b52", "ada-l", "a-b-c", "007", longest]) {
    await t.step(slug, () => assertEquals(slugProblem(slug), null));
  }
});

Deno.test("slugProblem() returns what is expected, and names an invalid character", async (t) => {
  const cases: [slug: string, problem: RegExp][] = [
    ["ab", /^3 to 32 of a-z, 0-9 and -/],
    ["", /^3 to 32 of a-z, 0-9 and -/],
    ["a".repeat(33), /^3 to 32 of a-z, 0-9 and -/],
    ["-ada", /without - at the start, at the end/],
    ["ada-", /without - at the start, at the end/],
    ["a--da", /twice in a row$/],
    ["xn--80ak6aa92e", /twice in a row$/],
    ["Ada", /; found "A" \(U\+0041\)$/],
    ["аda", /; found "а" \(U\+0430\)$/],
    ["ada\u200b", /; found \(U\+200B\)$/],
    ["ada\u202e", /; found \(U\+202E\)$/],
    ["ad a", /; found \(U\+0020\)$/],
    ["ada/x", /; found "\/" \(U\+002F\)$/],
    ["ad.a", /; found "\." \(U\+002E\)$/],
    ["ａda", /; found "ａ" \(U\+FF41\)$/],
    ["😀ada", /; found "😀" \(U\+1F600\)$/],
    ["0xada", /does not start with 0x/],
    ["0x52908400098527886e0f7030069857", /does not start with 0x/],
    ["admin", /^a slug that is not reserved$/],
    ["firn", /^a slug that is not reserved$/],
    ["f1rn", /does not look like the reserved firn$/],
    ["adm1n", /does not look like the reserved admin$/],
    ["adrnin", /does not look like the reserved admin$/],
    ["ad-min", /does not look like the reserved admin$/],
    ["supp0rt", /does not look like the reserved support$/],
    ["vvallet", /does not look like the reserved wallet$/],
    ["avalabs", /does not look like the reserved ava-labs$/],
  ];
  for (const [slug, problem] of cases) {
    await t.step(JSON.stringify(slug), () => {
      assertMatch(slugProblem(slug) ?? "no problem", problem);
    });
  }
});

Deno.test("skeletonOf() is equal for slugs that look alike", async (t) => {
  const alike: string[][] = [
    ["alice", "a1ice", "aiice", "a-lice", "al1ce", "al-i-ce"],
    ["modern", "rnodern", "m0dern", "rnodem"],
    ["wave", "vvave"],
  ];
  for (const slugs of alike) {
    await t.step(slugs.join(", "), () => {
      assertEquals(new Set(slugs.map(skeletonOf)).size, 1);
    });
  }
  assert(skeletonOf("alice") !== skeletonOf("alicia"));
});

Deno.test("skeletonOf() is idempotent", () => {
  const slug = fc.stringMatching(/^[a-z0-9-]{3,32}$/);
  fc.assert(fc.property(slug, (text) => {
    assertEquals(skeletonOf(skeletonOf(text)), skeletonOf(text));
  }));
});

Deno.test("nameProblem() accepts names in any script", async (t) => {
  const names = [
    "Ada",
    "Ada Lovelace",
    "Żółć",
    "李小龍",
    "محمد",
    "हिन्दी नाम",
    "a",
    "0x",
    "★ Ada ★",
    "🦀",
    "❤\ufe0f",
    "x".repeat(40),
    "🦀".repeat(40),
  ];
  for (const name of names) {
    await t.step(name, () => assertEquals(nameProblem(name), null));
  }
});

Deno.test("nameProblem() rejects characters that are invisible or change others", async (t) => {
  const invisible = [
    "\u0000",
    "\n",
    "\t",
    "\u007f",
    "\u0085",
    "\u00a0",
    "\u00ad",
    "\u034f",
    "\u061c",
    "\u115f",
    "\u180e",
    "\u200b",
    "\u200d",
    "\u200e",
    "\u202e",
    "\u2028",
    "\u2060",
    "\u2066",
    "\u2800",
    "\u3000",
    "\u3164",
    "\ufe0f",
    "\ufeff",
    "\uffa0",
    "\ue000",
    "\u{e0041}",
    "\u{1d173}",
    "\ud800",
  ];
  for (const character of invisible) {
    const code = character.codePointAt(0)!.toString(16).toUpperCase();
    await t.step(`U+${code}`, () => {
      const problem = nameProblem(`Ada${character}da`);
      assertMatch(
        problem ?? "no problem",
        /^visible characters only, without /,
      );
      assertMatch(problem!, new RegExp(`\\(U\\+0*${code}\\)`));
    });
  }
});

Deno.test("nameProblem() rejects invalid lengths, spaces and marks", async (t) => {
  const cases: [name: string, problem: RegExp][] = [
    ["", /1 to 40 characters/],
    ["x".repeat(41), /1 to 40 characters/],
    [" Ada", /single spaces/],
    ["Ada ", /single spaces/],
    ["Ada  Lovelace", /single spaces/],
    ["\u0301Ada", /marks, after a letter$/],
    [`a${"\u0321".repeat(5)}`, /at most four/],
  ];
  for (const [name, problem] of cases) {
    await t.step(JSON.stringify(name), () => {
      assertMatch(nameProblem(name) ?? "no problem", problem);
    });
  }
});

Deno.test("checkName() normalizes two spellings to one", () => {
  assertEquals(checkName("Zoe\u0308"), "Zo\u00eb");
});

Deno.test("checkDomain() returns the normalized registered domain", async (t) => {
  const cases: [text: string, domain: string][] = [
    ["firn.network", "firn.network"],
    ["Firn.NETWORK.", "firn.network"],
    [" firn.co.uk ", "firn.co.uk"],
    ["münchen.de", "xn--mnchen-3ya.de"],
    ["MÜNCHEN.de", "xn--mnchen-3ya.de"],
    ["xn--mnchen-3ya.de", "xn--mnchen-3ya.de"],
    ["firn。network", "firn.network"],
  ];
  for (const [text, domain] of cases) {
    await t.step(text, async () => {
      assertEquals(await checkDomain(text), domain);
    });
  }
});

const REFUSED =
  /expected a registered domain without a subdomain, such as example.com$/;
const PRIVATE =
  /, and none under the private suffix (github\.io|duckdns\.org)$/;

Deno.test("checkDomain() rejects names that are not registered domains, and suggests the domain", async (t) => {
  const cases: [text: string, hint: RegExp][] = [
    ["www.firn.network", /: firn\.network$/],
    ["a.b.firn.co.uk", /: firn\.co\.uk$/],
    ["_firn.firn.network", /: firn\.network$/],
    ["com", REFUSED],
    ["co.uk", REFUSED],
    ["github.io", PRIVATE],
    ["ada.github.io", PRIVATE],
    ["ada.duckdns.org", PRIVATE],
    ["_firn.duckdns.org", PRIVATE],
    ["localhost", REFUSED],
    ["firn.local", REFUSED],
    ["firn.internal", REFUSED],
    ["firn.test", REFUSED],
    ["127.0.0.1", REFUSED],
    ["127.1", REFUSED],
    ["0x7f.1", REFUSED],
    ["2130706433", REFUSED],
    ["[::1]", REFUSED],
    ["169.254.169.254", REFUSED],
    ["", REFUSED],
    [".", REFUSED],
    ["firn..network", REFUSED],
    ["-firn.network", REFUSED],
    ["firn.network/x", REFUSED],
    ["firn.network:53", REFUSED],
    ["user@firn.network", REFUSED],
    ["https://firn.network", REFUSED],
    ["firn.network?x", REFUSED],
    ["firn.network#x", REFUSED],
    ["firn%2enetwork", REFUSED],
    ["firn .network", REFUSED],
    ["firn.network\u0000", REFUSED],
    [`${"a".repeat(64)}.com`, REFUSED],
    [`${"a.".repeat(200)}com`, REFUSED],
  ];
  for (const [text, hint] of cases) {
    await t.step(JSON.stringify(text), async () => {
      const fault = await assertRejects(() => checkDomain(text), Fault);
      assertMatch(fault.message, hint);
      assertEquals(fault.failure, { kind: "badInput", parameter: "domain" });
    });
  }
});

Deno.test("checkDomain() quotes the first 60 characters of what it rejects", async (t) => {
  const long = "a".repeat(61);
  const rule = "expected a registered domain without a subdomain";
  for (const text of [`${long}.github.io`, `${long}.test`]) {
    await t.step(text.slice(61), async () => {
      const { message } = await assertRejects(() => checkDomain(text), Fault);
      const start = `Invalid domain "${"a".repeat(60)}…": ${rule}`;
      assertEquals(message.slice(0, start.length), start);
    });
  }
});

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
