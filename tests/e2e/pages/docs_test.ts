/** The documentation, the status page and the pages of chains in a real browser: widths, colour schemes, mouse and keyboard. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  inBrowser,
  openBrowser,
  UNTROUBLED,
} from "../../support/browser/browser.ts";
import {
  assertFits,
  assertLooks,
  assertStill,
} from "../../support/browser/looks.ts";
import { fill } from "../../support/chain_data/downloads.ts";
import { testDeps } from "../../support/deps.ts";
import { checkedDeps } from "../../support/jobs.ts";
import { serve } from "../../support/loopback.ts";

const PAGES = [
  ["docs-home", "/docs"],
  ["docs-quick-start", "/docs/quick-start-chain-data"],
  ["docs-limits", "/docs/limits"],
  ["docs-reference", "/docs/reference"],
  ["docs-reference-downloads", "/docs/reference/downloads"],
  ["docs-search", "/docs/search?q=limit"],
  ["verify", "/tools/verify-attestation"],
  ["status", "/status"],
  ["downloads", "/downloads"],
  ["chains", "/chains"],
  ["metric", "/charts/txCount"],
  ["chain", "/chains/43114"],
  ["disputes", "/disputes"],
  ["day", "/days/txCount/43114/2026-11-10"],
  [
    "embed",
    "/embed/chart/txCount?chainId=43114&chainId=4337&range=90d&average=7",
  ],
] as const;

/** Pages of a layout that one of those above has: only their words and widths are their own. */
const ALIKE = [
  "/docs/errors",
  "/docs/reasons",
  "/docs/attestations",
  "/docs/self-hosting",
  "/docs/reference/payments",
  "/docs/search?q=zzzxqw",
  "/chains?q=zzzxqw",
  "/revisions",
];

/** Opens every part of a page that is closed at first. */
const OPEN_ALL =
  "document.querySelectorAll('details').forEach((it) => it.open = true)";

inBrowser.test("the documentation, the status page, an embed and the pages of chains at every width and colour scheme", async (t) => {
  using deps = await checkedDeps();
  await fill(deps);
  await using service = serve(deps);
  await using browser = openBrowser();
  await assertLooks(t, browser, {
    pages: PAGES.map(([name, path]) => [name, service.url + path]),
    prepare: ({ page }) => page.evaluate(OPEN_ALL),
  });
  await t.step("pages that are alike on the narrowest screen", async () => {
    const opened = await browser.newPage({ width: 320 });
    for (const [nth, path] of ALIKE.entries()) {
      const colorScheme = nth % 2 === 0 ? "light" : "dark";
      await opened.page.emulateMedia({ colorScheme });
      await opened.page.goto(service.url + path);
      await opened.settled();
      await assertStill(opened, path);
      await opened.page.evaluate(OPEN_ALL);
      await assertFits(opened, path);
      assertEquals(opened.troubles, UNTROUBLED);
    }
    await opened.page.context().close();
  });
  await t.step(
    "the longest page fits a phone with all its parts open",
    async () => {
      // Axe takes ten times as long as on the other pages of the reference.
      const opened = await browser.newPage({ width: 360 });
      await opened.page.goto(`${service.url}/docs/reference/chain-data`);
      await opened.page.evaluate(OPEN_ALL);
      await assertFits(opened);
      await opened.page.setViewportSize({ width: 320, height: 800 });
      assertEquals(
        await opened.page.evaluate("document.documentElement.scrollWidth"),
        320,
      );
      assertEquals(opened.troubles, UNTROUBLED);
      await opened.page.context().close();
    },
  );
  await t.step(
    "on a phone the chains show one figure, days are cards, and nothing moves sideways",
    async () => {
      const { page } = await browser.newPage({
        width: 390,
        height: 664,
        isPhone: true,
      });
      const paths = [
        "/disputes",
        "/revisions",
        "/days/txCount/43114/2026-11-10",
        "/downloads",
        "/status",
        "/chains",
        "/chains?metric=cumulativeTxCount&period=month",
      ];
      for (const path of paths) {
        const response = await page.goto(service.url + path);
        assertEquals(response!.status(), 200, path);
        const wide = await page.evaluate(
          `[...document.querySelectorAll(".table-scroll, .code-block pre")]
              .filter((box) => box.checkVisibility() && box.scrollWidth > box.clientWidth).length`,
        );
        assertEquals(wide, 0, path);
      }
      await page.goto(`${service.url}/chains?metric=txCount`);
      const third = await page.locator("tbody tr").nth(2).boundingBox();
      assert(third!.y + third!.height < 664, "three chains are in sight");
      const search = page.getByLabel("Name, token or chain id");
      assertEquals(await search.isVisible(), false);
      await page.getByText("Search, or choose another figure").click();
      await search.fill("be");
      await page.getByRole("status").getByText("1 of 3 chains").waitFor();
      await page.goto(`${service.url}/chains?q=b`);
      assert(await search.isVisible(), "what is chosen is in sight");
      await page.goto(`${service.url}/chains?metric=txCount`);
      const shown = await page.locator("thead th:visible").allInnerTexts();
      assertEquals(shown, ["Chain", "Transactions ▼", "7-day change"]);
      const row = page.locator("tbody tr").filter({ hasText: "C-Chain" });
      const widths = [page.locator("thead tr"), row].map(async (line) =>
        (await line.boundingBox())!.width
      );
      const [head, body] = await Promise.all(widths);
      assertEquals(head, body, "the head is as wide as the rows");
      const [rank, name, value, change, ...others] = await row
        .locator("> :visible").allInnerTexts();
      assertMatch(rank!, /^\d+$/);
      assertMatch(name!, /^C-Chain/);
      assertMatch(value!, /^[\d,]+$/);
      assertMatch(change!, / %$/);
      assertEquals(others, []);
      await page.goto(`${service.url}/disputes`);
      const above = await page.evaluate(
        "getComputedStyle(document.querySelector('tbody td'), '::before').content",
      );
      assertEquals(above, '"Agree"');
    },
  );
  await t.step(
    "the list of pages opens where the reader is",
    async () => {
      const { page } = await browser.newPage({ width: 1440, height: 800 });
      for (const path of ["/docs/runbook", "/docs/reference"]) {
        await page.goto(service.url + path);
        const current = page.locator(".docs-nav [aria-current=page]");
        const box = (await current.boundingBox())!;
        assert(box.y > 0 && box.y + box.height < 800, `${path}: ${box.y}`);
      }
      for (const width of [1440, 1100, 390]) {
        await page.setViewportSize({ width, height: 800 });
        await page.reload();
        assertEquals(await page.evaluate("scrollY"), 0, `${width}`);
      }
    },
  );
  await t.step(
    "the chains are filtered while the reader types, sorted by a click, and compared by ticks",
    async () => {
      const { page, troubles } = await browser.newPage();
      await page.goto(`${service.url}/chains`);
      const names = page.locator("#chains-results tbody th a");
      assertEquals(await names.count(), 3);
      await page.getByLabel("Name, token or chain id").fill("be");
      await page.getByRole("status").getByText("1 of 3 chains").waitFor();
      assertEquals(await names.allTextContents(), ["Beam L1"]);
      await page.waitForURL("**/chains?q=be");
      await page.getByRole("link", { name: "Age" }).click();
      await page.waitForURL("**/chains?sort=-age&q=be");
      await page.getByRole("columnheader", { name: "Age" })
        .and(page.locator("[aria-sort=descending]")).waitFor();
      await page.goto(`${service.url}/chains`);
      await page.getByLabel("Compare C-Chain").check();
      await page.getByLabel("Compare Beam L1").check();
      await page.setViewportSize({ width: 1280, height: 400 });
      const compare = page.getByRole("button", {
        name: "Compare 2 ticked chains",
      });
      const { y } = (await compare.boundingBox())!;
      assert(y < 400, `the button stays in sight, and is at ${y}`);
      await compare.click();
      await page.getByRole("heading", { level: 1 })
        .getByText(/^Transactions: (C-Chain|Beam L1) and/).waitFor();
      assertEquals(troubles, UNTROUBLED);
    },
  );
});

inBrowser.test("code tabs switch the example, and the button copies it", async () => {
  using deps = await testDeps();
  await using service = serve(deps);
  await using browser = openBrowser();
  const { page, troubles } = await browser.newPage();
  await page.context().grantPermissions([
    "clipboard-read",
    "clipboard-write",
  ]);
  await page.goto(`${service.url}/docs/quick-start-chain-data`);
  const tabs = page.getByRole("tablist").first().getByRole("tab");
  assertEquals(await tabs.allTextContents(), [
    "curl",
    "TypeScript",
    "Python",
  ]);
  const shown = page.getByRole("tabpanel").first();
  assertMatch(await shown.innerText(), /curl -fsS/);
  await tabs.first().focus();
  // With Alt, an arrow is the browser's way back or forward.
  await page.keyboard.press("Alt+ArrowRight");
  assertMatch(await shown.innerText(), /curl -fsS/);
  await page.keyboard.press("End");
  assertMatch(await shown.innerText(), /import json/);
  await shown.getByRole("button", { name: "Copy" }).click();
  await shown.getByRole("button", { name: "Copied" }).waitFor();
  const copied = await page.evaluate<string>(
    "navigator.clipboard.readText()",
  );
  assert(copied.startsWith("import json"), copied);
  await page.getByRole("navigation", { name: "On this page" })
    .getByRole("link", { name: "Choose a metric" }).click();
  assertMatch(page.url(), /#choose-a-metric$/);
  assertEquals(troubles, UNTROUBLED);
});

inBrowser.test("the search shows places while one types, and the keyboard opens one", async () => {
  using deps = await testDeps();
  await using service = serve(deps);
  await using browser = openBrowser();
  const { page, violations, troubles } = await browser.newPage();
  await page.goto(`${service.url}/docs`);
  await page.keyboard.press("/");
  await page.keyboard.type("quota exc");
  const form = page.getByRole("search");
  await form.getByRole("link", { name: "QUOTA_EXCEEDED" }).first().waitFor();
  assertEquals(await violations(), []);
  await page.keyboard.press("Escape");
  assertEquals(await form.getByRole("link").count(), 0);
  await page.keyboard.type("QUOTA_EXCEEDED");
  await form.getByRole("link").first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/docs/errors#QUOTA_EXCEEDED");
  assertEquals(troubles, UNTROUBLED);
  await page.context().close();
});
