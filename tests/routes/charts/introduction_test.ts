/** The introduction of the first page. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { introduction } from "../../../routes/charts/explorer_page.ts";
import { hrefsOf, wordsOf } from "../../support/charts/explorer.ts";

const PROOF = {
  agreementPct: 99.82,
  checkedThrough: "2026-11-20",
  comparedDayCount: 2246,
  openDisputeCount: 4,
};
const show = async (proof: typeof PROOF | null) =>
  wordsOf(String(await introduction(proof)));

Deno.test("introduction() shows the agreement, how close it is, and the number of compared days", async () => {
  assertStringIncludes(
    await show(PROOF),
    "in the Metrics API and in an explorer index agree (to within 0.5 %) on 99.82 % of 2,246 days compared through 2026-11-20; 4 days are disputed",
  );
  const links = hrefsOf(String(await introduction(PROOF)));
  for (const path of ["/docs/checked-series", "/disputes"]) {
    assert(links.includes(path), path);
  }
  assertStringIncludes(
    await show({ ...PROOF, openDisputeCount: 1 }),
    "1 day is disputed",
  );
});

Deno.test("introduction() claims no agreement before 30 days are compared", async () => {
  for (const proof of [null, { ...PROOF, comparedDayCount: 29 }]) {
    const words = await show(proof);
    assertStringIncludes(words, "not yet compared");
    assert(!words.includes("99.82"));
  }
  assert(!(await show({ ...PROOF, comparedDayCount: 30 })).includes("not yet"));
});

Deno.test("introduction() says what the plans cost", async () => {
  const words = await show(PROOF);
  assertEquals(/cost ([\d.]+) to ([\d.]+) USDC/.exec(words)?.slice(1), [
    "49",
    "999",
  ]);
});
