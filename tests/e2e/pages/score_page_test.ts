/** The score page in a real browser: widths, colour schemes, keyboard, and without scripts. */
import { SERVICE } from "../../../services/platform/rate_limit/call_budget.ts";
import { assert, assertEquals } from "@std/assert";
import { readScore } from "../../../services/scores/scores.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import {
  inBrowser,
  openBrowser,
  UNTROUBLED,
} from "../../support/browser/browser.ts";
import { assertLooks } from "../../support/browser/looks.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { withSlowExplorer } from "../../support/scores/slow_explorer.ts";
import { serve } from "../../support/loopback.ts";

const ADDRESS = exampleOf("heavy");

const PAGES = [
  ["score-page", `/tools/score/${ADDRESS}`],
  ["score-unused", `/tools/score/${exampleOf("unused")}`],
  ["score-search", "/tools/score"],
] as const;

/** Gives an address a history with gaps. */
async function recordDays(deps: TestDeps): Promise<void> {
  await readScore(deps, ADDRESS, { requester: SERVICE });
  const [point] = (await deps.store.scores.find(ADDRESS))!.points;
  const days = Array.from({ length: 60 }, (_, index) => index + 1);
  for (const ago of [...days.filter((ago) => ago < 20 || ago > 25), 70]) {
    const headline = Math.round(point!.headline! - ago / 5 + Math.sin(ago / 4));
    const model = ago > 40 ? "s4-2026.1" : point!.model;
    const earlier = { ...point!, day: point!.day - ago, headline, model };
    await deps.store.scores.put(ADDRESS, earlier, { readAt: null });
  }
}

inBrowser.test("the score page and the search box at every width and colour scheme", async (t) => {
  using deps = await testDeps();
  await recordDays(deps);
  await using service = serve(deps);
  await using browser = openBrowser();
  await assertLooks(t, browser, {
    pages: PAGES.map(([name, path]) => [name, service.url + path]),
  });
  await t.step(
    "a phone shows the reasons right below the verdict",
    async () => {
      const { page } = await browser.newPage({
        width: 390,
        height: 844,
        isPhone: true,
      });
      await page.goto(service.url + PAGES[0][1]);
      const { y } = (await page.getByRole("heading", { name: "Reasons" })
        .boundingBox())!;
      assert(y < 900, `the reasons begin at ${y}`);
    },
  );
});

inBrowser.test("an address that nobody scored is searched, scored while one waits, and its badge copied, by keyboard only", async () => {
  using deps = await testDeps();
  const { slow, answer } = withSlowExplorer(deps);
  await using service = serve({ ...slow, scorePatienceMs: 1 });
  await using browser = openBrowser();
  const { page, troubles, violations, screenshot } = await browser.newPage();
  await page.context().grantPermissions([
    "clipboard-read",
    "clipboard-write",
  ]);
  await page.goto(`${service.url}/tools/score`);
  await page.keyboard.press("Tab");
  assertEquals(await page.locator(":focus").textContent(), "Skip to content");
  await page.getByLabel("Address").fill(ADDRESS);
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/tools/score/${ADDRESS}`);
  await page.getByRole("heading", { name: "Scoring this address" }).waitFor();
  await page.getByRole("progressbar").waitFor();
  assertEquals(await violations(), []);
  await screenshot("score-reading-1440-light");
  answer();
  await page.getByText("of 100", { exact: true }).waitFor();
  await page.getByRole("heading", { name: /^Strengths/ }).waitFor();
  const markdown = page.getByRole("tab", { name: "Markdown" });
  await markdown.focus();
  await page.keyboard.press("ArrowRight");
  const chosen = page.getByRole("tab", { selected: true });
  assertEquals(await chosen.textContent(), "HTML");
  const panel = page.getByRole("tabpanel", { name: "HTML" });
  await panel.getByRole("button", { name: "Copy" }).press("Enter");
  await panel.getByRole("button", { name: "Copied" }).waitFor();
  const copied = await page.evaluate("navigator.clipboard.readText()");
  assertEquals(copied, await panel.locator("pre").textContent());
  assertEquals(troubles, UNTROUBLED);
  await page.context().close();
});

inBrowser.test("an invalid address stays in the field and shows the expected form", async () => {
  using deps = await testDeps();
  await using service = serve(deps);
  await using browser = openBrowser();
  const { page, violations, troubles, screenshot } = await browser.newPage({
    width: 360,
  });
  await page.goto(`${service.url}/tools/score`);
  await page.getByLabel("Address").fill("0x12");
  await page.getByRole("button", { name: "Score" }).click();
  await page.getByRole("alert").waitFor();
  assertEquals(await page.getByLabel("Address").inputValue(), "0x12");
  assertEquals(await violations(), []);
  assertEquals(troubles.foreign, []);
  await screenshot("score-mistake-360-light");
  await page.context().close();
});
