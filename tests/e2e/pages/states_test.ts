/** States of the score, profile and dashboard pages on the narrowest screen, alternately light and dark. */
import { SERVICE } from "../../../services/platform/rate_limit/call_budget.ts";
import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Page } from "playwright-core";
import { createApp } from "../../../routes/app.ts";
import {
  newProfile,
  type Profile,
} from "../../../services/profiles/profile.ts";
import { readScore } from "../../../services/scores/scores.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import {
  inBrowser,
  openBrowser,
  type TestPage,
} from "../../support/browser/browser.ts";
import {
  assertFits,
  assertStill,
  delayScripts,
} from "../../support/browser/looks.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { newOwner, type Owner } from "../../support/owners.ts";
import { freePort } from "../../support/processes/service.ts";

/** The narrowest screen of WCAG's reflow, which is 1280 px at 400 %. */
const SCREEN = { width: 320, height: 640 };

const RING = exampleOf("heavy", 2);
const LONG = exampleOf("ordinary", 5);
const ARABIC = exampleOf("ordinary", 6);
const HIDDEN = exampleOf("ordinary", 7);
const UNSCORED = exampleOf("ordinary", 8);

/** A transaction that paid. */
const PAID = `0x${"ab".repeat(32)}`;

interface State {
  readonly name: string;
  readonly path: string;
  readonly isSignedIn?: true;
  /** The account cannot be read. */
  readonly isBroken?: true;
  /** Wallets in the browser, in this state and in those after it. */
  readonly wallets?: number;
  /** Leads from the loaded page to the state. */
  readonly prepare?: (opened: TestPage) => Promise<void>;
}

const STATES: readonly State[] = [
  { name: "flagged score", path: `/tools/score/${RING}` },
  { name: "score of a long name", path: `/tools/score/${LONG}` },
  { name: "no score yet", path: `/tools/score/${UNSCORED}` },
  { name: "score of a name", path: "/tools/score/alice.avax" },
  { name: "a name that ended", path: "/tools/score/lapsed.avax" },
  { name: "profile of a name", path: "/profiles/alice.avax" },
  { name: "no address", path: `/tools/score?address=${"WXYZ".repeat(30)}` },
  {
    name: "profile and whom it follows",
    path: "/profiles/ada?list=following",
  },
  { name: "profile of a long name", path: `/profiles/${LONG}` },
  { name: "profile of an Arabic name", path: `/profiles/${ARABIC}` },
  { name: "hidden profile", path: `/profiles/${HIDDEN}` },
  { name: "no profile", path: "/profiles/nobody" },
  { name: "sign-in", path: "/dashboard" },
  { name: "account with long names", path: "/dashboard", isSignedIn: true },
  { name: "calls", path: "/dashboard/calls?status=200", isSignedIn: true },
  { name: "receipt", path: `/dashboard/receipts/${PAID}`, isSignedIn: true },
  {
    name: "own profile that waits for its record",
    path: "/dashboard/profile",
    isSignedIn: true,
    async prepare({ page }) {
      await page.getByLabel("Your domain").fill("example.com");
      await page.getByRole("button", { name: "Show the record" }).click();
      await page.getByRole("button", { name: "Check now" }).click();
      await page.getByText("The record is not visible yet").waitFor();
      // The bar of the account covers part of what is scrolled beneath it.
      await page.evaluate("scrollTo(0, 0)");
    },
  },
  {
    name: "account that cannot be read",
    path: "/dashboard",
    isSignedIn: true,
    isBroken: true,
  },
  {
    name: "own profile that cannot be read",
    path: "/dashboard/profile",
    isSignedIn: true,
    isBroken: true,
  },
  { name: "sign-in with four wallets", path: "/dashboard", wallets: 4 },
];

/** Leads from the URL to what the page shows at the end of loading. */
async function open(page: Page, url: string, state: State): Promise<void> {
  if (state.wallets !== undefined) {
    await page.addInitScript(announceWallets, state.wallets);
  }
  const answers = "**/api/account/**";
  if (state.isBroken) {
    await page.route(answers, (route) => route.fulfill({ status: 500 }));
  }
  await page.goto(url + state.path);
  if (state.isBroken) {
    await page.getByRole("button", { name: "Try again" }).waitFor();
    await page.unroute(answers);
  } else if (state.isSignedIn) await page.locator("#wallet").waitFor();
  if (state.wallets !== undefined) {
    await page.getByRole("button", { name: `${state.wallets}` }).waitFor();
  }
}

/** Runs in the page: announces wallets as EIP-6963 says. */
function announceWallets(count: number): void {
  const scope = globalThis as unknown as EventTarget;
  scope.addEventListener("eip6963:requestProvider", () => {
    for (let nth = 1; nth <= count; nth++) {
      const info = { rdns: `wallet.${nth}`, name: `Wallet ${nth}`, icon: "" };
      const detail = { info, provider: {} };
      scope.dispatchEvent(
        new CustomEvent("eip6963:announceProvider", { detail }),
      );
    }
  });
}

/** Fills the store with what the states show. */
async function fill(deps: TestDeps, owner: Owner): Promise<void> {
  const at = deps.now().getTime();
  const { profiles, follows } = deps.store;
  const claim = (address: string, more: Partial<Profile>) =>
    profiles.change(address, () => ({
      profile: { ...newProfile(at), ...more },
      audit: { at, event: "profile.update", requestId: null },
    }));
  const gitHub = (handle: string) => ({
    kind: "github" as const,
    id: handle,
    handle,
    verifiedAt: at,
  });
  await claim(RING, {
    displayName: "Ada",
    slug: "ada",
    linksPublic: true,
    verifiedHuman: 7,
    socials: [gitHub("ada-lovelace")],
  });
  await claim(LONG, {
    displayName: "W".repeat(40),
    linksPublic: true,
    socials: [gitHub("abcdefghijklmnopqrstuvwxyz-0123456789abc")],
  });
  await claim(ARABIC, { displayName: "آدا لوفليس" });
  await claim(HIDDEN, { displayName: "Hidden", hiddenAt: at });
  for (let nth = 1; nth <= 12; nth++) {
    const other = `0x${nth.toString(16).padStart(40, "0")}`;
    const kind = "follow";
    await follows.change({ kind, follower: other, followee: RING, at });
    await follows.change({ kind, follower: RING, followee: other, at });
  }
  for (const address of [RING, LONG, ARABIC, owner.wallet]) {
    await readScore(deps, address, { requester: SERVICE });
  }
  deps.upstreams.explorer.switch.set({ mode: "refuse" });
  await owner.signIn();
  const { body } = await owner.createKey("W".repeat(40), "live", {
    note: "n".repeat(80),
  });
  const headers = { "X-Api-Key": body.key };
  const call = `/api/v1/score/${owner.wallet}`;
  assertEquals((await createApp(deps).request(call, { headers })).status, 200);
  await deps.store.payments.credit(owner.wallet, {
    at,
    amount: 49_000_000n,
    transaction: {
      txHash: PAID,
      logIndexes: [0],
      blockNumber: 72_010_001,
      blockHash: PAID,
      paidAt: at,
      treasury: `0x${"de".repeat(20)}`,
    },
    requestId: null,
  }, () => ({ order: null, quoteId: null }));
  const claimed = { displayName: null, slug: null, linksPublic: false };
  await owner.call("PUT", "/profile", { body: claimed });
}

/** Lists the navigations of a page that are wider than their box. */
const CUT_LISTS = `[...document.querySelectorAll("main nav")]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  .map((nav) => nav.ariaLabel + ": " + nav.scrollWidth)`;

inBrowser.test("no state of the score, profile and dashboard pages overflows 320 px, moves while it loads, or breaks a rule of axe", async (t) => {
  const port = freePort();
  const url = `http://localhost:${port}`;
  using deps = await testDeps({
    settings: {
      PUBLIC_URL: url,
      TREASURY_ADDRESS: `0x${"de".repeat(20)}`,
      AVAX_NAMES: "avvy",
    },
    zones: {},
  });
  const owner = newOwner(deps);
  await fill(deps, owner);
  await using _service = Deno.serve(
    { port, hostname: "localhost", onListen() {} },
    createApp(deps).fetch,
  );
  await using browser = openBrowser();
  const opened = await browser.newPage(SCREEN);
  const { page } = opened;
  await delayScripts(opened);
  const [name, value] = owner.cookie().split("=") as [string, string];
  for (const [nth, state] of STATES.entries()) {
    await t.step(state.name, async () => {
      const context = page.context();
      await context.clearCookies();
      if (state.isSignedIn) await context.addCookies([{ name, value, url }]);
      const colorScheme = nth % 2 === 0 ? "light" : "dark";
      await page.emulateMedia({ colorScheme });
      await open(page, url, state);
      await opened.settled();
      await assertStill(opened);
      await state.prepare?.(opened);
      await assertFits(opened);
      assertEquals(await page.evaluate(CUT_LISTS), [], "sections out of sight");
      await opened.screenshot(`state-${nth}-320-${colorScheme}`);
    });
  }
  await t.step("an account keeps its place on a wide screen", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.context().addCookies([{ name, value, url }]);
    await page.goto(`${url}/dashboard`);
    await page.locator("#usage-chart svg").waitFor();
    await opened.settled();
    await assertStill(opened);
  });
  await t.step("four wallets keep everything in its place", async () => {
    await page.context().clearCookies();
    await page.goto(`${url}/dashboard`);
    await page.getByRole("button", { name: "Wallet 4" }).waitFor();
    await opened.settled();
    await assertStill(opened);
  });
  await t.step("without scripts, an account says what it needs", async () => {
    const plain = await browser.newPage({ ...SCREEN, runsScripts: false });
    await plain.page.context().addCookies([{ name, value, url }]);
    await plain.page.goto(`${url}/dashboard`);
    const main = await plain.page.getByRole("main").innerText();
    assertStringIncludes(main, "needs JavaScript");
    assertEquals(main.includes("Loading"), false);
    await plain.page.context().close();
  });
  await t.step(
    "a wallet with ten keys is told to revoke one first",
    async () => {
      for (let nth = 1; nth < 10; nth++) {
        assertEquals((await owner.createKey(`Key ${nth}`)).status, 201);
      }
      await page.context().addCookies([{ name, value, url }]);
      await page.goto(`${url}/dashboard`);
      await page.getByText("Revoke one to create another.").waitFor();
      assertEquals(
        await page.getByLabel("Name of a new key").isVisible(),
        false,
      );
    },
  );
  await t.step("a reader of dark pages prints dark text", async () => {
    await page.goto(`${url}/tools/score/${RING}`);
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    assertEquals(
      await page.evaluate("getComputedStyle(document.body).color"),
      "rgb(19, 32, 42)",
    );
  });
  await page.context().close();
});
