/** The page of all chains in a real browser: ticks survive a search, and lead to one chart. */
import { assertEquals, assertMatch } from "@std/assert";
import {
  inBrowser,
  openBrowser,
  UNTROUBLED,
} from "../../support/browser/browser.ts";
import { fill } from "../../support/chain_data/downloads.ts";
import { testDeps } from "../../support/deps.ts";
import { sweep } from "../../support/chain_data/swept.ts";
import { serve } from "../../support/loopback.ts";

inBrowser.test("ticked chains stay ticked in a search, and are compared in one chart", async () => {
  using deps = await testDeps();
  await fill(deps);
  await using service = serve(deps);
  await using browser = openBrowser();
  const { page, troubles, violations } = await browser.newPage();
  await page.goto(`${service.url}/chains`);
  await page.getByText("How to read it").click();
  assertEquals(await violations(), []);
  await page.getByLabel("Compare Beam L1").check();
  await page.getByLabel("Name, token or chain id").fill("C-Chain");
  await page.getByText("1 of 3 chains").waitFor();
  assertEquals(await page.getByText("The change compares").isVisible(), true);
  await page.getByLabel("Compare C-Chain").check();
  await page.getByRole("button", { name: "Compare 2 ticked chains" }).click();
  await page.waitForURL(/chainId=/);
  assertEquals(
    new URL(page.url()).searchParams.getAll("chainId").toSorted(),
    ["43114", "4337"],
  );
  assertMatch((await page.locator("h1").textContent())!, /Beam/);
  assertEquals(troubles, UNTROUBLED);
  await page.context().close();
});

inBrowser.test("no more chains can be ticked than one chart compares", async () => {
  using deps = await testDeps();
  const ids = Array.from({ length: 12 }, (_, nth) => 1000 + nth);
  await sweep(deps, {
    chains: Object.fromEntries([
      [43114, "C-Chain"],
      ...ids.map((id) => [id, `Chain ${id}`]),
    ]),
    metrics: ["txCount"],
    published: Math.floor(Date.parse("2026-11-20") / 864e5),
    valuesOf: (chainId) => ({
      from: "2026-11-01",
      values: Array.from({ length: 20 }, (_, nth) => chainId + nth),
    }),
  });
  await using service = serve(deps);
  await using browser = openBrowser();
  const { page } = await browser.newPage();
  await page.goto(`${service.url}/chains`);
  for (const id of ids.slice(0, 10)) {
    await page.getByLabel(`Compare Chain ${id}`).check();
  }
  const eleventh = page.getByLabel("Compare Chain 1010");
  assertEquals(await eleventh.isDisabled(), true);
  await page.getByLabel("Compare Chain 1000").uncheck();
  assertEquals(await eleventh.isDisabled(), false);
  await page.context().close();
});
