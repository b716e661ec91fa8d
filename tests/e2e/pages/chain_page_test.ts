/** The page of a chain in a real browser: its small charts by pointer, keyboard and finger. */
import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import {
  inBrowser,
  openBrowser,
  UNTROUBLED,
} from "../../support/browser/browser.ts";
import { fill } from "../../support/chain_data/downloads.ts";
import { testDeps } from "../../support/deps.ts";
import { serve } from "../../support/loopback.ts";

const cardOf = (page: Page, name: string) =>
  page.locator(".multiple").filter({
    has: page.getByRole("link", { name, exact: true }),
  });

/** Returns the value and the day that a card shows. */
const shownIn = async (page: Page, name: string) =>
  await Promise.all(
    [".readout-value", ".readout-day"].map(async (part) =>
      (await cardOf(page, name).locator(part).textContent())!.trim()
    ),
  );

/** Returns a place on the line of a card, from 0 to 1. */
async function pointAt(page: Page, name: string, share: number) {
  const plot = cardOf(page, name).locator(".plot");
  await plot.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await plot.locator(".panel-area")
    .boundingBox())!;
  return { x: x + share * width, y: y + height / 2 };
}

inBrowser.test("each small chart of a chain shows the value of the day at the pointer, the key and the finger", async () => {
  using deps = await testDeps();
  await fill(deps);
  await using service = serve(deps);
  await using browser = openBrowser();
  const { page, troubles, violations, screenshot } = await browser.newPage();
  await page.goto(`${service.url}/chains/4337`);
  await page.locator(".plot[tabindex]").last().waitFor();
  const { days, values } = JSON.parse(
    (await page.locator("#chart-data").textContent())!,
  );
  const at = (nth: number, day: number) => [
    (values[nth][day] as number).toLocaleString("en-US"),
    days[day],
  ];
  const newest = at(0, days.length - 1);
  assertEquals(await shownIn(page, "Transactions"), newest);

  const first = await pointAt(page, "Transactions", 0);
  await page.mouse.move(first.x, first.y);
  assertEquals(await shownIn(page, "Transactions"), at(0, 0));
  assertEquals(
    await shownIn(page, "Active addresses"),
    at(1, days.length - 1),
    "another chart stays",
  );
  await screenshot("chain-hovered-1280-light");
  // A drag reads; it selects nothing.
  const middle = await pointAt(page, "Transactions", 10 / (days.length - 1));
  await page.mouse.down();
  await page.mouse.move(middle.x, middle.y, { steps: 3 });
  await page.mouse.up();
  await page.mouse.dblclick(middle.x, middle.y);
  assertEquals(await shownIn(page, "Transactions"), at(0, 10));
  await page.mouse.move(0, 0);
  assertEquals(await shownIn(page, "Transactions"), newest);

  await cardOf(page, "Active addresses").locator(".plot").focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  assertEquals(await shownIn(page, "Active addresses"), at(1, 1));
  assertEquals(await violations(), []);
  assertEquals(troubles, UNTROUBLED);
  await page.context().close();

  const phone = await browser.newPage({
    isPhone: true,
    width: 390,
    height: 844,
  });
  await phone.page.goto(`${service.url}/chains/4337`);
  await phone.page.locator(".plot[tabindex]").last().waitFor();
  const touched = await pointAt(phone.page, "Transactions", 0);
  await phone.page.touchscreen.tap(touched.x, touched.y);
  assertEquals(await shownIn(phone.page, "Transactions"), at(0, 0));
  await phone.screenshot("chain-touched-390-light");
  assertEquals(phone.troubles, UNTROUBLED);
  await phone.page.context().close();
});
