/** The chart of the explorer in a real browser: pointer, keyboard and drawing time. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Page } from "playwright-core";
import {
  BROWSER_SKIPPED,
  openBrowser,
  UNTROUBLED,
} from "../../support/browser/browser.ts";
import { askChecked } from "../../support/checked_answers.ts";
import { testDeps } from "../../support/deps.ts";
import { checkDaily } from "../../support/jobs.ts";
import { serve } from "../../support/loopback.ts";

const searchOf = (page: Page) => new URL(page.url()).searchParams;
const readoutOf = (page: Page) => page.locator("#readout").textContent();

/** Returns the horizontal position of a bucket, from 0 to 1. */
async function pointAt(page: Page, share: number) {
  const plot = page.locator(".u-over");
  await plot.scrollIntoViewIfNeeded();
  const box = (await plot.boundingBox())!;
  return { x: box.x + share * box.width, y: box.y + box.height / 2 };
}

Deno.test({
  name: "a disputed day shows both values by pointer and by keyboard",
  ignore: BROWSER_SKIPPED,
  async fn() {
    using deps = await testDeps();
    await checkDaily(deps, 1);
    await using service = serve(deps);
    await using browser = await openBrowser();
    const query = "range=30d&interval=day";
    const { series, checks } = await askChecked(
      deps,
      "/monthly-transactions",
      query,
    );
    const [disputed] = checks.disputedDays;
    const at = series.findIndex(({ day }) => day === disputed!.day);
    const words = [disputed!.value, disputed!.crossCheckValue]
      .map((value) => value.toLocaleString("en-US"));

    const { page, troubles, violations, screenshot } = await browser.newPage();
    await page.goto(`${service.url}/?metric=monthly-transactions&${query}`);
    const { x, y } = await pointAt(page, at / (series.length - 1));
    await page.mouse.move(x, y);
    const hovered = (await readoutOf(page))!;
    for (const part of [disputed!.day, "Disputed", ...words]) {
      assertStringIncludes(hovered, part);
    }
    await screenshot("explorer-hovered-1280-light");
    await page.mouse.move(0, 0);
    assert(!(await readoutOf(page))!.includes("Disputed"));

    await page.locator(".plot").focus();
    await page.keyboard.press("Home");
    assertStringIncludes((await readoutOf(page))!, series[0]!.day);
    for (let step = 0; step < at; step++) {
      await page.keyboard.press("ArrowRight");
    }
    assertEquals(await readoutOf(page), hovered);
    assertEquals(await violations(), []);
    assertEquals(troubles, UNTROUBLED);
    await page.context().close();
  },
});

Deno.test({
  name: "dragging over the chart selects the days to show",
  ignore: BROWSER_SKIPPED,
  async fn() {
    using deps = await testDeps();
    await using service = serve(deps);
    await using browser = await openBrowser();
    const { page, troubles } = await browser.newPage();
    await page.goto(
      `${service.url}/?metric=txCount&chainId=43114&range=30d&interval=day`,
    );
    const days = await page.locator(".values tbody th").allTextContents();
    const [from, to] = [await pointAt(page, 0.25), await pointAt(page, 0.75)];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL(/from=/);
    const search = searchOf(page);
    const shown = await page.locator(".values tbody th").allTextContents();
    assertEquals([shown.at(-1), shown[0]], [
      search.get("from"),
      search.get("to"),
    ]);
    assert(
      shown.length < days.length * 0.6 && shown.length > days.length * 0.4,
    );
    assert(await page.getByLabel("From", { exact: true }).isVisible());
    assertEquals(
      await page.getByLabel("to", { exact: true }).inputValue(),
      search.get("to"),
    );
    assertEquals(troubles, UNTROUBLED);
    await page.context().close();
  },
});

Deno.test({
  name:
    "the whole history of the C-Chain is drawn, and how long that takes is printed",
  ignore: BROWSER_SKIPPED,
  async fn() {
    using deps = await testDeps();
    await using service = serve(deps);
    await using browser = await openBrowser();
    const { page, troubles } = await browser.newPage();
    await page.goto(
      `${service.url}/?metric=txCount&chainId=43114&range=all&interval=day`,
    );
    const first = await drawnWithin(page);
    await page.getByLabel("Series").selectOption("gasUsed");
    await page.getByText("Gas used on C-Chain").first().waitFor();
    const next = await drawnWithin(page);
    const { days } = JSON.parse(
      (await page.locator("#chart-data").textContent())!,
    );
    assert(days.length > 2000);
    assertEquals(troubles, UNTROUBLED);
    // deno-lint-ignore no-console
    console.log(
      `${days.length} days drawn ${first} ms after the first page had arrived, ${next} ms after that of a choice had`,
    );
    await page.context().close();
  },
});

/** Returns the milliseconds between the arrival of the data and its drawing. */
async function drawnWithin(page: Page): Promise<number> {
  await page.locator(".plot canvas").waitFor();
  const last = (name: string) =>
    `performance.getEntriesByName("${name}").at(-1).startTime`;
  const ms = await page.evaluate(
    `${last("explorer-drawn")} - ${last("explorer-data")}`,
  );
  return Math.round(Number(ms));
}
