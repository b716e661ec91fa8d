/** A real browser for tests: Chromium, driven by playwright-core. */
import axe from "axe-core";
import type { Page, Request } from "playwright-core";
import { isSkipped } from "../tool.ts";
import { waitUntil } from "../wait_until.ts";

/** Where Chromium is. */
const CHROMIUM = Deno.env.get("CHROMIUM") ?? "/usr/bin/chromium";

/** Whether tests that need a browser are skipped here: for `ignore` of `Deno.test`. */
export const BROWSER_SKIPPED = isSkipped(`Chromium (${CHROMIUM})`, isThere());

/** Beside what playwright passes by itself, which keeps it off the network. */
const ARGS = ["--no-sandbox", "--disable-gpu", "--disable-quic"];

/** Runs every rule; selectors are made for violations only, which is most of the time. */
const RUN_AXE = `axe.run({ resultTypes: ["violations"] })
  .then(({ violations }) => violations)`;

/** A running browser. */
export interface TestBrowser extends AsyncDisposable {
  /** Opens a page in a session of its own. */
  newPage(options?: PageOptions): Promise<TestPage>;
}

/** What a test may choose of a page. */
export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: "light" | "dark";
  /** False runs no script of the page. */
  readonly runsScripts?: boolean;
}

/** What went wrong in a page; a test compares it with `UNTROUBLED`. */
export interface Troubles {
  /** Errors in the console, violations of the page's policy too. */
  readonly errors: string[];
  /** Requests that failed or were answered with a status from 400 on. */
  readonly failed: string[];
  /** Requests to another origin than that of the first one. */
  readonly foreign: string[];
}

/** A page in which nothing went wrong. */
export const UNTROUBLED: Troubles = { errors: [], failed: [], foreign: [] };

/** A page. */
export interface TestPage {
  readonly page: Page;
  readonly troubles: Troubles;
  /** Every request so far: method and URL. */
  readonly requests: string[];
  /** Returns what axe-core finds serious or critical: rule and elements. */
  violations(): Promise<string[]>;
  /** Waits until the page is loaded and no request is in flight. */
  settled(): Promise<void>;
  /** Keeps a picture of the whole page in $FIRN_SCREENSHOTS, if that is set. */
  screenshot(name: string): Promise<void>;
}

/** Starts a browser; it ends with the test, even where that is killed. */
export async function openBrowser(): Promise<TestBrowser> {
  // Else one of its packages looks into /proc when it is loaded, which needs
  // every permission there is.
  Deno.env.set("__IS_WSL_TEST__", "1");
  const { chromium } = await import("playwright-core");
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ARGS,
  });
  return {
    async newPage(
      {
        width = 1280,
        height = 800,
        colorScheme = "light",
        runsScripts = true,
      } = {},
    ) {
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme,
        javaScriptEnabled: runsScripts,
      });
      return watched(await context.newPage());
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

function watched(page: Page): TestPage {
  const troubles: Troubles = { errors: [], failed: [], foreign: [] };
  const requests: string[] = [];
  const pending = new Set<Request>();
  let own: string | undefined;
  page.on("console", (message) => {
    if (message.type() === "error") troubles.errors.push(message.text());
  });
  page.on("pageerror", (error) => troubles.errors.push(String(error)));
  page.on("request", (request) => {
    requests.push(`${request.method()} ${request.url()}`);
    pending.add(request);
    const { origin, protocol } = new URL(request.url());
    if (!protocol.startsWith("http")) return;
    own ??= origin;
    if (origin !== own) troubles.foreign.push(request.url());
  });
  page.on("requestfinished", (request) => pending.delete(request));
  page.on("requestfailed", (request) => {
    pending.delete(request);
    troubles.failed.push(`${request.url()}: ${request.failure()?.errorText}`);
  });
  page.on("response", (response) => {
    if (response.status() < 400) return;
    troubles.failed.push(`${response.url()}: ${response.status()}`);
  });
  return {
    page,
    troubles,
    requests,
    async violations() {
      if (!await page.evaluate("'axe' in window")) {
        await page.evaluate(axe.source);
      }
      const violations = await page.evaluate<axe.Result[]>(RUN_AXE);
      return violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .flatMap(({ id, nodes }) =>
          nodes.map(({ target }) => `${id}: ${target.join(" ")}`)
        );
    },
    async settled() {
      await page.waitForLoadState("load");
      await waitUntil(() => pending.size === 0);
    },
    async screenshot(name) {
      const folder = Deno.env.get("FIRN_SCREENSHOTS");
      if (folder === undefined) return;
      await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
    },
  };
}

function isThere(): boolean {
  try {
    return Deno.statSync(CHROMIUM).isFile;
  } catch {
    return false;
  }
}
