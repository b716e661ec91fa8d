/** The chart of the explorer in a real browser: pointer, keyboard and drawing time. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Page } from "playwright-core";
import {
  inBrowser,
  openBrowser,
  UNTROUBLED,
} from "../../support/browser/browser.ts";
import { askChecked } from "../../support/checked_answers.ts";
import { testDeps } from "../../support/deps.ts";
import { checkDaily, checkedDeps } from "../../support/jobs.ts";
import { serve } from "../../support/loopback.ts";

const searchOf = (page: Page) => new URL(page.url()).searchParams;
const readoutOf = (page: Page) => page.locator("#readout").textContent();

/** Returns where the parts of the page are. */
const placesOf = (page: Page) =>
  page.evaluate<number[]>(
    `[...document.querySelectorAll("#explorer section, .plot, .keys, .trust")]
      .map((part) => part.getBoundingClientRect().top + scrollY)`,
  );

/** The part of a browser's element that the tests use. */
interface Scrollable {
  scrollIntoView(options: { block: "nearest" }): void;
  getBoundingClientRect(): {
    toJSON(): Record<"x" | "y" | "width" | "height", number>;
  };
}

/** Returns the horizontal position of a bucket, from 0 to 1. */
async function pointAt(page: Page, share: number) {
  const { x, y, width, height } = await page.locator(".panel-area:visible")
    .evaluate(
      (plot: Scrollable) => {
        plot.scrollIntoView({ block: "nearest" });
        return plot.getBoundingClientRect().toJSON();
      },
    );
  return { x: x + share * width, y: y + height / 2 };
}

inBrowser.test("a disputed day shows both values by pointer and by keyboard", async () => {
  using deps = await checkedDeps();
  await using service = serve(deps);
  await using browser = openBrowser();
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
  const places = await placesOf(page);
  await page.mouse.move(x, y);
  assertEquals(await placesOf(page), places, "reading moves nothing");
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
});

inBrowser.test("dragging selects the days to show by mouse and by touch, and a double click resets them", async () => {
  using deps = await testDeps();
  await using service = serve(deps);
  await using browser = openBrowser();
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
    await page.getByLabel("To", { exact: true }).inputValue(),
    search.get("to"),
  );
  const back = page.getByRole("link", { name: "Back to 30d" });
  assertEquals(
    new URL((await back.getAttribute("href"))!, page.url()).search,
    "?metric=txCount&chainId=43114&range=30d&interval=day",
  );
  await page.locator(".plot").dblclick();
  await page.waitForURL(/range=30d/);

  await page.locator(".plot[tabindex]").waitFor();
  // The page's timers wait for the test, so a slow step is no long press.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 3_600_000);
  const touch = await fingerOn(page);
  await touch.start(0.25);
  const read = (await readoutOf(page))!;
  await touch.move(0.75);
  await page.locator("#readout").filter({ hasNotText: read }).waitFor();
  await touch.end();
  assertEquals(searchOf(page).get("range"), "30d");
  const moved = (await readoutOf(page))!;
  await touch.start(0.25);
  await page.locator("#readout").filter({ hasNotText: moved }).waitFor();
  // A long press starts the selection.
  await page.clock.runFor(500);
  await page.locator(".panel-select:visible").waitFor();
  await touch.move(0.75);
  await touch.end();
  await page.waitForURL(/from=/);
  assertEquals(searchOf(page).get("from"), search.get("from"));
  assertEquals(searchOf(page).get("to"), search.get("to"));
  assertEquals(troubles, UNTROUBLED);
  await page.context().close();
});

/** Returns the steps of a finger on the chart. */
async function fingerOn(page: Page) {
  const session = await page.context().newCDPSession(page);
  const send = async (
    type: "touchStart" | "touchMove" | "touchEnd",
    share?: number,
  ) => {
    const touchPoints = share === undefined ? [] : [await pointAt(page, share)];
    await session.send("Input.dispatchTouchEvent", { type, touchPoints });
  };
  return {
    start: (share: number) => send("touchStart", share),
    move: (share: number) => send("touchMove", share),
    end: () => send("touchEnd"),
  };
}

inBrowser.test("the cursor and its dots stay at their day when the window gets another size", async () => {
  using deps = await testDeps();
  await using service = serve(deps);
  await using browser = openBrowser();
  const { page, troubles } = await browser.newPage();
  await page.goto(
    `${service.url}/?metric=txCount&chainId=43114&range=30d&interval=day`,
  );
  await page.locator(".plot[tabindex]").focus();
  await page.keyboard.press("End");
  const read = await readoutOf(page);
  for (const width of [1280, 900, 390, 700]) {
    await page.setViewportSize({ width, height: 800 });
    // The picture is fitted before the second frame.
    const [area, cursor, dot] = await page.evaluate<Box[]>(PARTS_OF_CURSOR);
    const right = area!.x + area!.width;
    for (const x of [cursor!.x, dot!.x + dot!.width / 2]) {
      assert(Math.abs(x - right) < 1, `${x} is not ${right} at ${width}`);
    }
    assert(Math.abs(cursor!.height - area!.height) < 1, `at ${width}`);
  }
  assertEquals(await readoutOf(page), read);
  assertEquals(troubles, UNTROUBLED);
  await page.context().close();
});

type Box = Record<"x" | "y" | "width" | "height", number>;

/** Where the visible plot, its cursor and its dot are, two frames later. */
const PARTS_OF_CURSOR = `new Promise(requestAnimationFrame)
  .then(() => new Promise(requestAnimationFrame))
  .then(() =>
    [".panel-area", ".panel-cursor", ".panel-dot"].map((part) =>
      [...document.querySelectorAll(".plot " + part)]
        .find((one) => one.getClientRects().length > 0)
        .getBoundingClientRect().toJSON()
    )
  )`;

inBrowser.test("the differences of two sources are drawn within the card, also where none is accepted", async () => {
  using deps = await testDeps();
  await checkDaily(deps, 2);
  await using service = serve(deps);
  await using browser = openBrowser();
  const { page, troubles } = await browser.newPage();
  for (const metric of ["block-production", "monthly-transactions"]) {
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${service.url}/?metric=${metric}&range=30d`);
      await page.locator(".plot[tabindex]").waitFor();
      const picture = page.locator(".differences:visible");
      const markup = await picture.evaluate<string, { outerHTML: string }>(
        ({ outerHTML }) => outerHTML,
      );
      assert(!markup.includes("NaN"), markup);
      const box = (await picture.boundingBox())!;
      for (const label of await picture.locator("text").all()) {
        const { x, width } = (await label.boundingBox())!;
        const words = await label.textContent();
        assert(
          x >= box.x && x + width <= box.x + box.width,
          `${words} of ${metric} leaves the card`,
        );
      }
    }
  }
  assertEquals(troubles, UNTROUBLED);
  await page.context().close();
});

inBrowser.test("on paper the explorer is one page of chart and one of table", async () => {
  using deps = await testDeps();
  await using service = serve(deps);
  await using browser = openBrowser();
  const { page } = await browser.newPage();
  const paths = [
    "/",
    "/?metric=txCount&chainId=43114&chainId=4337&range=90d&interval=day",
    "/?metric=txCount&chainId=43114&chainId=1234&chainId=2044&chainId=3011&chainId=4337&chainId=5566&chainId=6119&chainId=6533&chainId=7979&chainId=8021&range=1y&interval=day",
  ];
  for (const path of paths) {
    await page.goto(service.url + path);
    await page.locator(".plot[tabindex]").waitFor();
    for (const format of ["A4", "Letter"]) {
      const text = new TextDecoder("latin1").decode(
        await page.pdf({ format }),
      );
      assertEquals(text.match(/\/Type\s*\/Page\b/g)?.length, 2, path);
    }
  }
  await page.context().close();
});

inBrowser.test("the whole history of the C-Chain is drawn, at first and after a choice, and nothing shifts", async () => {
  using deps = await testDeps();
  await using service = serve(deps);
  await using browser = openBrowser();
  const { page, troubles } = await browser.newPage();
  await page.addInitScript(COUNT_SHIFTS);
  await page.goto(
    `${service.url}/?metric=txCount&chainId=43114&range=all&interval=day`,
  );
  await page.locator(".plot[tabindex]").waitFor();
  const shift = Number(await page.evaluate("shift"));
  assert(shift < 0.02, `cumulative layout shift ${shift}`);
  await page.getByLabel("Series").selectOption("gasUsed");
  await page.getByText("Gas used on C-Chain").first().waitFor();
  await page.locator(".plot[tabindex]").waitFor();
  const { days } = JSON.parse(
    (await page.locator("#chart-data").textContent())!,
  );
  assert(days.length > 2000);
  assertEquals(troubles, UNTROUBLED);
  await page.context().close();
});

/** Adds up the layout shifts of a page. */
const COUNT_SHIFTS = `window.shift = 0;
new PerformanceObserver((list) => {
  for (const { value } of list.getEntries()) shift += value;
}).observe({ type: "layout-shift", buffered: true });`;
