/** Validation of display names. */
import { assertEquals, assertMatch } from "@std/assert";
import {
  composeName,
  nameProblem,
} from "../../../services/profiles/profiles.ts";

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

Deno.test("composeName() normalizes two spellings to one", () => {
  assertEquals(composeName("Zoe\u0308"), "Zo\u00eb");
});
