/** Validation of slugs, and skeletons of slugs that look alike. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { skeletonOf, slugProblem } from "../../../services/profiles/slugs.ts";
import { fc } from "../../support/properties.ts";

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
