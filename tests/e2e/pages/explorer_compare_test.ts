/** The steps of an analyst: from one chain to a comparison, its small plots, its picture and its frame. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import type { Locator, Page } from "playwright-core";
import {
  inBrowser,
  openBrowser,
  UNTROUBLED,
} from "../../support/browser/browser.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { serve } from "../../support/loopback.ts";
import { putSeries } from "../../support/series.ts";

const ID = { subject: 43114, metric: "txCount" } as const;

/** Days from the end to the one that the source revises. */
const BACK = 5;

/** Doubles a value of the C-Chain, as its source would. Returns the day and both values. */
async function revise(deps: TestDeps, url: string) {
  const response = await fetch(
    `${url}/api/chain-data/metrics?metric=txCount&range=all`,
  );
  const { series } = await response.json();
  const values: number[] = series.map(({ value }: { value: number }) => value);
  const at = values.length - 1 - BACK;
  const [before, after] = [values[at]!, 2 * values[at]!];
  values[at] = after;
  await putSeries(deps, ID, { from: series[0].day, values });
  const words = [after, before].map((value) => value.toLocaleString("en-US"));
  return { day: series[at].day, words };
}

/** Reads the values of the small plots, and those of the table for the same day. */
async function readPlots(page: Page) {
  const day = (await page.locator("#readout .readout-day").textContent())!;
  const cells = await page.locator(".values tbody tr")
    .filter({ has: page.locator(`th:text-is("${day}")`) })
    .locator("td").allTextContents();
  return {
    day,
    plots: await page.locator(".panel-value:visible").allTextContents(),
    // Of each chain the value, then what is drawn.
    rows: [1, 3, 5].map((cell) => cells[cell]!.trim()),
  };
}

/** Lists the names of the small plots that are dimmed. */
const dimmedTitles = (page: Page) =>
  page.locator(".panel-title.is-dimmed:visible").allTextContents();

/** Drags the mouse over the middle half of a small plot. */
async function selectHalf(page: Page, area: Locator): Promise<void> {
  await area.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await area.boundingBox())!;
  await page.mouse.move(x + width / 4, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width * 3 / 4, y + height / 2, { steps: 4 });
  await page.mouse.up();
}

inBrowser.test("compare, log, average, small plots, PNG and frame: each is one click, and shows the same days", async () => {
  using deps = await testDeps();
  await using service = serve(deps);
  await using browser = openBrowser();
  const revised = await revise(deps, service.url);
  const { page, troubles, violations } = await browser.newPage();
  await page.goto(
    `${service.url}/?metric=txCount&chainId=43114&range=90d&interval=day`,
  );
  await page.locator(".plot[tabindex]").waitFor();
  await page.locator(".plot").focus();
  await page.keyboard.press("End");
  for (let step = 0; step < BACK; step++) {
    await page.keyboard.press("ArrowLeft");
  }
  const read = (await page.locator("#readout").textContent())!;
  for (const part of [revised.day, revised.words[0]!]) {
    assertStringIncludes(read, part);
  }
  assertStringIncludes(read, `Revised: was ${revised.words[1]}.`);

  for (const [name, id] of [["Beam L1", "4337"], ["Dexalot L1", "432204"]]) {
    await page.getByLabel("Compare with").fill(`${name} · ${id}`);
    await page.waitForURL(({ searchParams }) =>
      searchParams.getAll("chainId").includes(id!)
    );
  }
  // A pointer near a line dims the others.
  const plot = (await page.locator(".panel-area:visible").boundingBox())!;
  const middle = plot.x + plot.width / 2;
  await page.mouse.move(middle, plot.y + plot.height - 4);
  assertMatch(
    (await page.locator(".readout-value").first().textContent())!,
    /^\d+\.\d \([\d,.]+ transactions\)$/,
  );
  const dot = (await page.locator(".panel-dot:visible").first()
    .boundingBox())!;
  assertEquals(await page.locator(".line-label.is-dimmed").count(), 0);
  await page.mouse.move(middle, dot.y + dot.height / 2);
  assertEquals(
    (await page.locator(".line-label.is-dimmed:visible").allTextContents())
      .sort(),
    ["Beam L1", "Dexalot L1"],
  );
  await page.mouse.move(0, 0);
  assertEquals(await page.locator(".line-label.is-dimmed").count(), 0);
  await page.locator("#options summary").click();
  await page.locator("#options").getByText("Log", { exact: true }).click();
  await page.waitForURL(/scale=log/);
  await page.getByLabel("Moving average").selectOption("7");
  await page.waitForURL(/average=7/);
  const caption = (await page.locator("figcaption").textContent())!;
  assertStringIncludes(caption, "7-day average");
  assertStringIncludes(caption, "log scale");

  await page.getByText("One per chain", { exact: true }).click();
  await page.waitForURL(/layout=panels/);
  await page.keyboard.press("Escape");
  const second = page.locator(".panel-area:visible").nth(1);
  await second.scrollIntoViewIfNeeded();
  const box = (await second.boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const hovered = await readPlots(page);
  assertEquals(hovered.plots, hovered.rows, hovered.day);
  await page.locator(".plot").focus();
  await page.keyboard.press("ArrowLeft");
  const next = await readPlots(page);
  assertEquals(next.plots, next.rows, next.day);
  assertEquals(
    Date.parse(hovered.day) - Date.parse(next.day),
    86_400_000,
    "a key moves by a day",
  );
  assertEquals(await violations(), []);

  assertEquals(await dimmedTitles(page), []);
  await page.locator(".legend > li").nth(1).focus();
  assertEquals(await dimmedTitles(page), ["C-Chain", "Dexalot L1"]);
  await page.locator(".legend > li").nth(1).blur();
  assertEquals(await dimmedTitles(page), []);
  await selectHalf(page, page.locator(".panel-area:visible").nth(1));
  await page.waitForURL(/from=/);
  const chosen = new URL(page.url()).searchParams;
  const rows = await page.locator(".values tbody th").allTextContents();
  assertEquals([rows.at(-1), rows[0]], [
    chosen.get("from"),
    chosen.get("to"),
  ]);
  assert(rows.length > 40 && rows.length < 50, `${rows.length} of 90 days`);
  await page.locator(".plot").dblclick();
  await page.waitForURL(/range=90d/);

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "PNG" }).first().click(),
  ]);
  assertEquals(download.suggestedFilename(), "firn-txCount.png");
  const picture = await fetch(download.url());
  const png = new DataView(await picture.arrayBuffer());
  assertEquals(png.getUint32(0), 0x89504e47, "the signature of PNG");
  assertEquals([png.getUint32(16), png.getUint32(20)], [1200, 630]);

  await page.getByRole("tab", { name: "Frame" }).first().click();
  const code = await page.getByRole("tabpanel", { name: "Frame" }).first()
    .locator("code").textContent();
  const [, source] = code!.match(/^<iframe src="([^"]+)" /)!;
  const embed = source!.replaceAll("&amp;", "&");
  assert(embed.startsWith(`${deps.publicUrl}/embed/`), embed);
  await page.goto(service.url + embed.slice(deps.publicUrl.length));
  assertEquals(
    await page.getByRole("heading").textContent(),
    "Transactions: C-Chain and 2 other chains",
  );
  assertEquals(
    await page.locator(".panel-title:visible").allTextContents(),
    ["C-Chain", "Beam L1", "Dexalot L1"],
  );
  assertStringIncludes(
    (await page.locator("main").textContent())!,
    "7-day average over complete days; log scale",
  );
  assertEquals(troubles, UNTROUBLED);
  await page.context().close();
});
