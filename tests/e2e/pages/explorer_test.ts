/** The explorer in a real browser: widths, colour schemes, pointer, keyboard, and without scripts. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import type { Page } from "playwright-core";
import {
  inBrowser,
  openBrowser,
  UNTROUBLED,
} from "../../support/browser/browser.ts";
import { assertLooks, inEachLook } from "../../support/browser/looks.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { checkDaily, checkedDeps } from "../../support/jobs.ts";
import { askMetrics } from "../../support/chain_data/metrics_answers.ts";
import { serve } from "../../support/loopback.ts";
import { putSeries } from "../../support/series.ts";
import { formatDay } from "../../../services/platform/days.ts";
import { markPagesSimulated } from "../../../routes/pages/layout.ts";

/** More chains than fit into a list. */
const CHAIN_COUNT = 130;

const STATES: readonly (readonly [name: string, path: string])[] = [
  ["home", "/"],
  ["gap", "/?metric=feesPaid&chainId=432204&range=90d&interval=day"],
  [
    "compared",
    "/?metric=txCount&chainId=43114&chainId=4337&chainId=202110&range=90d&interval=day",
  ],
  [
    "apart",
    "/?metric=txCount&chainId=43114&chainId=4337&range=90d&interval=day&values=absolute",
  ],
  ["checked", "/?metric=monthly-transactions&range=all&interval=month"],
  [
    "own-days",
    "/?metric=maxTps&chainId=4337&from=2026-08-01&to=2026-10-15&interval=week",
  ],
];

const searchOf = (page: Page) => new URL(page.url()).searchParams;
const headingOf = (page: Page) => page.locator("#shown").textContent();
const readoutOf = (page: Page) => page.locator("#readout").textContent();

inBrowser.test("the explorer at every width and colour scheme", async (t) => {
  using deps = await testDeps({ chains: CHAIN_COUNT });
  await checkDaily(deps, 2);
  await using service = serve(deps);
  await using browser = openBrowser();
  await assertLooks(t, browser, {
    pages: STATES.map(([name, path]) => [
      `explorer-${name}`,
      service.url + path,
    ]),
    prepare: ({ page }) => page.locator(".plot[tabindex]").first().waitFor(),
  });
});

inBrowser.test("every choice is shown at once, in the URL, in the links, and taken back by the back button", async () => {
  using deps = await testDeps({ chains: CHAIN_COUNT });
  await checkDaily(deps, 1);
  await using service = serve(deps);
  await using browser = openBrowser();
  const { page, troubles, requests, violations, screenshot } = await browser
    .newPage();
  await page.goto(service.url);
  assertEquals(await headingOf(page), "Transactions on C-Chain");
  assert(await page.locator("#chains option").count() >= CHAIN_COUNT);

  await page.getByLabel("Chain", { exact: true }).fill("Beam L1 · 4337");
  await page.waitForURL(/chainId=4337/);
  await page.getByText("Transactions on Beam L1").first().waitFor();

  await page.getByLabel("Series").selectOption("feesPaid");
  await page.waitForURL(/metric=feesPaid/);
  assertEquals(await headingOf(page), "Fees paid on Beam L1");
  assertMatch((await readoutOf(page))!, /^2026-11-\d\d[\d,.]+ BEAM$/);

  await page.getByText("90d", { exact: true }).first().click();
  await page.waitForURL(/range=90d/);
  await page.getByText("Week", { exact: true }).click();
  await page.waitForURL(/interval=week/);
  const focused = await page.evaluate("document.activeElement.id");
  assertEquals(focused, "interval-week", "the focus stays where it was");

  await page.getByLabel("Compare with").fill("C-Chain · 43114");
  await page.waitForURL(/chainId=4337&chainId=43114/);
  assertEquals(await headingOf(page), "Fees paid: Beam L1 and C-Chain");
  assertStringIncludes(
    (await page.locator(".legend").textContent())!,
    "100 = ",
  );
  const search = searchOf(page);
  const curl = (await page.getByRole("tabpanel", { name: "curl" })
    .locator("pre").textContent())!;
  for (const id of search.getAll("chainId")) {
    assertStringIncludes(
      curl,
      `metric=feesPaid&chainId=${id}&range=90d&interval=week&format=csv`,
    );
  }
  const status = await page.getByRole("status").textContent();
  assertEquals(status, "Shown: Fees paid: Beam L1 and C-Chain");

  const shared = page.url();
  await page.getByRole("link", { name: "Remove Beam L1 · 4337" }).click();
  await page.waitForURL((url) =>
    url.searchParams.getAll("chainId").length === 1
  );
  assertEquals(await headingOf(page), "Fees paid on C-Chain");
  await page.goBack();
  await page.getByText("Fees paid: Beam L1 and C-Chain").first().waitFor();
  assertEquals(page.url(), shared);
  const marks = [
    "#shown:text-is('Fees paid on Beam L1')",
    "#interval-day:checked",
    "#range-1y:checked",
  ];
  for (const mark of marks) {
    await page.goBack();
    await page.locator(mark).waitFor();
  }
  await page.goBack();
  await page.getByText("Transactions on Beam L1").first().waitFor();
  assertEquals(await page.getByLabel("Series").inputValue(), "txCount");
  await page.goForward();
  await page.getByText("Fees paid on Beam L1").first().waitFor();

  const pages = requests.filter((request) =>
    /^GET [^?]*\/(\?|$)/.test(request)
  );
  assert(pages.length > 5, "the page was never left");
  const loads = await page.evaluate(
    "performance.getEntriesByType('navigation').length",
  );
  assertEquals(loads, 1);
  const other = await browser.newPage();
  await other.page.goto(shared);
  assertEquals(await headingOf(other.page), "Fees paid: Beam L1 and C-Chain");
  assertEquals(await violations(), []);
  assertEquals(troubles, UNTROUBLED);
  await screenshot("explorer-compared-1280-light");
  await other.page.context().close();
  await page.context().close();
});

inBrowser.test("the whole chart is above the fold, below controls of one row or few", async () => {
  using deps = await testDeps();
  await using service = serve(deps);
  await using browser = openBrowser();
  const { page } = await browser.newPage();
  // A chosen chart: the first page says what Firn is before it.
  await page.goto(
    `${service.url}/?metric=txCount&chainId=43114&range=1y&interval=day`,
  );
  await page.locator(".plot[tabindex]").waitFor();
  // The last one is 1440 x 900 at 200 %.
  for (const [width, height] of SCREENS) {
    await page.setViewportSize({ width, height });
    const boxOf = async (selector: string) =>
      (await page.locator(selector).boundingBox())!;
    const plot = await boxOf(".plot");
    const bottom = plot.y + plot.height;
    assert(bottom <= height, `${width} x ${height}: ${bottom}`);
    assert(plot.width > 0.75 * width, `${width} x ${height}: ${plot.width}`);
    const first = await boxOf(".field-range .segments > :first-child");
    const last = await boxOf(".field-range .segments > :last-child");
    assertEquals(first.y, last.y, "the ranges are in one row");
  }
  // The whole chart, below all that the introduction says.
  await page.goto(service.url);
  await page.locator(".plot[tabindex]").waitFor();
  const [width, height] = [1280, 720];
  await page.setViewportSize({ width, height });
  const plot = (await page.locator(".plot").boundingBox())!;
  assert(plot.y + plot.height <= height, `${plot.y + plot.height}`);
  assert(plot.height > 170, `${plot.height}`);
  const parts = await page.locator(".introduction li").all();
  for (const part of parts) {
    const box = (await part.boundingBox())!;
    assert(box.x + box.width <= width, `${box.x}`);
  }
  assertEquals(parts.length, 4);
  assert(
    await page.getByRole("link", { name: "Human Passport" }).isVisible(),
  );
  await page.context().close();
});

/** Changes the transactions of a complete day, as their source does. */
async function restate(deps: TestDeps): Promise<void> {
  const id = { subject: 43114, metric: "txCount" } as const;
  await askMetrics(deps, "range=all");
  const { series } = (await deps.store.series.find(id))!;
  const values = series.values.with(-9, series.values.at(-9)! * 0.98);
  await putSeries(deps, id, {
    from: formatDay(series.firstDay),
    values: [...values].map((value) =>
      Number.isNaN(value) ? null : Math.round(value)
    ),
  });
}

inBrowser.test("on a phone, the first screen of the demo says what Firn is and shows the top of the chart, and no value is cut", async () => {
  using _banner = markPagesSimulated();
  using deps = await testDeps();
  await checkDaily(deps, 2);
  await restate(deps);
  await using service = serve(deps);
  await using browser = openBrowser();
  const { page } = await browser.newPage({ width: 390, isPhone: true });
  await page.goto(service.url);
  await page.locator(".plot[tabindex]").waitFor();
  const said = await page.locator(".introduction").innerText();
  for (
    const words of [
      /figures that you can check, and wallet scores/,
      /For analysts and builders: two independent sources/,
      /Chain data .+ Free, no key/,
      /Wallet scores .+ cost [\d,]+ to [\d,]+ USDC/,
      /agree on [\d.]+ % of [\d,]+ days compared .+ disputed/,
    ]
  ) {
    assertMatch(said, words);
  }
  for (const [width, height, card] of [[390, 844, 150], [360, 740, 0]]) {
    await page.setViewportSize({ width: width!, height: height! });
    for (const part of [".simulated", ".introduction", "#shown"]) {
      const box = (await page.locator(part).boundingBox())!;
      const bottom = box.y + box.height;
      assert(bottom <= height!, `${width} x ${height}: ${part} ${bottom}`);
    }
    const { y } = (await page.locator(".explorer-figure").boundingBox())!;
    assert(height! - y >= card!, `${width} x ${height}: ${y}`);
    assertMatch(await page.locator(".values").innerText(), /was [\d,]+/);
    assert(await page.locator("#disputed").isVisible());
    const cut = await page.evaluate(
      `[...document.querySelectorAll(".table-scroll")]
          .filter((box) => box.scrollWidth > box.clientWidth)
          .map((box) => box.ariaLabel)`,
    );
    assertEquals(cut, [], `${width}`);
  }
  const plain = await browser.newPage({ width: 390, runsScripts: false });
  await plain.page.goto(service.url);
  const other = plain.page.getByRole("link", { name: "Human Passport" });
  assertEquals(await other.isVisible(), false);
  await plain.page.getByText("When to use something else").click();
  assert(await other.isVisible());
});

const SCREENS = [[1440, 900], [768, 1024], [360, 740], [720, 450]] as const;

inBrowser.test("a source that goes down is said in the page, and nothing old stands beside it", async () => {
  using deps = await testDeps();
  await using service = serve(deps);
  await using browser = openBrowser();
  const { page, troubles, violations, screenshot } = await browser.newPage({
    width: 360,
  });
  await page.goto(service.url);
  deps.upstreams.metricsApi.switch.set({ mode: "refuse" });
  await page.getByLabel("Series").selectOption("gasUsed");
  await page.getByText("A data source is unreachable").first().waitFor();
  assertEquals(await page.locator(".plot, table").count(), 0);
  assertEquals(await violations(), []);
  await screenshot("explorer-down-360-light");
  deps.upstreams.metricsApi.switch.set({ mode: "ok" });
  deps.advance(120_000);
  await page.getByRole("link", { name: "Try again" }).click();
  await page.locator(".plot[tabindex]").waitFor();
  assertEquals(await headingOf(page), "Gas used on C-Chain");
  assertEquals(troubles.foreign, []);
  await page.context().close();
});

inBrowser.test("the explorer works without scripts: form, picture and table", async (t) => {
  using deps = await checkedDeps();
  await using service = serve(deps);
  await using browser = openBrowser();
  const opened = await browser.newPage({ runsScripts: false });
  const { page, troubles, screenshot } = opened;
  await inEachLook(opened, async (look) => {
    await t.step(look, async () => {
      await page.goto(service.url);
      await page.getByLabel("Series").selectOption("activeSenders");
      await page.getByLabel("Chain", { exact: true }).fill("dexalot l1");
      await page.getByLabel("Compare with").fill("43114");
      await page.getByText("90d", { exact: true }).first().click();
      await page.getByRole("button", { name: "Show" }).click();
      await page.waitForURL(
        "**/?metric=activeSenders&chainId=432204&chainId=43114&range=90d&interval=day",
      );
      assertEquals(
        await headingOf(page),
        "Active senders: Dexalot L1 and C-Chain",
      );
      const pictures = page.locator(".plot svg:visible");
      assertEquals(await pictures.count(), 1);
      assert((await pictures.boundingBox())!.height > 200);
      assert(await page.locator(".values tbody tr").count() > 80);
      assertEquals(await page.locator("button.copy:visible").count(), 0);
      assertEquals(troubles, UNTROUBLED);
      await screenshot(`explorer-no-script-${look}`);
      await page.goto(
        `${service.url}/?metric=monthly-transactions&range=30d&interval=day`,
      );
      assertEquals(
        await page.locator(".plot svg:visible .disputed").count(),
        1,
      );
      await screenshot(`explorer-no-script-checked-${look}`);
    });
  });
  await page.context().close();
});
