/** Slugs: what one may be, and which are taken for each other. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { skeletonOf, slugProblem } from "../../../services/profiles/slugs.ts";

Deno.test("slugProblem() accepts short names of a-z, 0-9 and single hyphens", async (t) => {
  const longest = "a".repeat(32);
  for (const slug of ["ada", "b52", "ada-l", "a-b-c", "007", longest]) {
    await t.step(slug, () => assertEquals(slugProblem(slug), null));
  }
});

Deno.test("slugProblem() says what is wrong, and names the character that is", async (t) => {
  const cases: [slug: string, problem: RegExp][] = [
    ["ab", /accepted is 3 to 32/],
    ["", /accepted is 3 to 32/],
    ["a".repeat(33), /accepted is 3 to 32/],
    ["-ada", /no - at either end/],
    ["ada-", /no - at either end/],
    ["a--da", /or beside another/],
    ["xn--80ak6aa92e", /or beside another/],
    ["Ada", /^"A" \(U\+0041\) is no character of a slug/],
    ["аda", /^"а" \(U\+0430\) is no character of a slug/],
    ["ada\u200b", /^\(U\+200B\) is no character of a slug/],
    ["ada\u202e", /^\(U\+202E\)/],
    ["ad a", /^\(U\+0020\)/],
    ["ada/x", /^"\/" \(U\+002F\)/],
    ["ad.a", /^"\." \(U\+002E\)/],
    ["ａda", /^"ａ" \(U\+FF41\)/],
    ["😀ada", /^"😀" \(U\+1F600\)/],
    ["0xada", /looks like an address/],
    ["0x52908400098527886e0f7030069857", /looks like an address/],
    ["admin", /is reserved/],
    ["firn", /is reserved/],
    ["f1rn", /looks like firn, which is reserved/],
    ["adm1n", /looks like admin, which is reserved/],
    ["adrnin", /looks like admin, which is reserved/],
    ["ad-min", /looks like admin, which is reserved/],
    ["supp0rt", /looks like support, which is reserved/],
    ["vvallet", /looks like wallet, which is reserved/],
    ["avalabs", /looks like ava-labs, which is reserved/],
  ];
  for (const [slug, problem] of cases) {
    await t.step(JSON.stringify(slug), () => {
      assertMatch(slugProblem(slug) ?? "no problem", problem);
    });
  }
});

Deno.test("skeletonOf() is the same for slugs that are taken for each other", async (t) => {
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

Deno.test("skeletonOf() of a skeleton is itself, so looking alike is one relation", () => {
  const slug = fc.stringMatching(/^[a-z0-9-]{3,32}$/);
  fc.assert(fc.property(slug, (text) => {
    assertEquals(skeletonOf(skeletonOf(text)), skeletonOf(text));
  }));
});
