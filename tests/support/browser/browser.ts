/** A real browser for tests: Chromium, driven by playwright-core. */
import type axe from "axe-core";
import axeSource from "axe-core/axe.min.js" with { type: "text" };
import type {
  Browser,
  BrowserContext,
  CDPSession,
  Page,
  Request,
} from "playwright-core";
import { isSkipped } from "../tool.ts";
import { waitUntil } from "../wait_until.ts";

/**
 * Where Chromium is looked for. The headless shell is the same engine without the
 * windows that `chromium` draws unseen, which take a third of the CPU time of a test.
 */
const PATHS = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

/** Path of Chromium. */
const CHROMIUM = Deno.env.get("CHROMIUM") ?? PATHS.find(isFile) ?? PATHS[0]!;

/** Whether to skip tests that need a browser: for `ignore`. */
export const BROWSER_SKIPPED = isSkipped(
  `Chromium (${CHROMIUM})`,
  isFile(CHROMIUM),
);

/** Declares tests that need a browser: they are skipped where there is none. */
export const inBrowser = {
  test(name: string, fn: Deno.TestDefinition["fn"]): void {
    Deno.test({ name, ignore: BROWSER_SKIPPED, fn });
  },
};

/** In addition to the arguments of playwright, which disable background network use. */
const ARGS = ["--no-sandbox", "--disable-gpu", "--disable-quic"];

/** The default rules about colours: they take half of the time of all rules. */
const COLOR_RULES = ["color-contrast", "link-in-text-block"];

/**
 * Runs every rule, or all but those about colours. Selectors are made for violations
 * only, which is most of the time. Only a rule about sound needs stylesheets and media
 * to be preloaded; no page has any.
 */
const runAll = (withColors: boolean) =>
  `axe.run({
  resultTypes: ["violations"],
  preload: false,
  rules: ${
    JSON.stringify({
      "target-size": { enabled: true },
      ...Object.fromEntries(
        COLOR_RULES.map((rule) => [rule, { enabled: withColors }]),
      ),
    })
  },
})
  .then(({ violations }) => violations)`;

/** Runs the rules about colours on the elements that an expression lists. */
const runColors = (elements: string) =>
  `(async () => {
  const include = ${elements};
  const { violations } = await axe.run({ include }, {
    runOnly: ${JSON.stringify(COLOR_RULES)},
    resultTypes: ["violations"],
  });
  return violations;
})()`;

/** The browser as a test uses it. Its pages are closed with it. */
export interface TestBrowser extends AsyncDisposable {
  /** Opens a page in a new browser context. */
  newPage(options?: PageOptions): Promise<TestPage>;
}

/** Options of a page. */
export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: "light" | "dark";
  /** False disables scripts of the page. */
  readonly runsScripts?: boolean;
  /** Whether it is operated by touch. */
  readonly isPhone?: boolean;
}

/** Errors of a page; a test compares them with `UNTROUBLED`. */
interface Troubles {
  /** Console errors, including violations of the content security policy. */
  readonly errors: string[];
  /** Requests that failed, or got a status of 400 or above. */
  readonly failed: string[];
  /** Requests to another origin than the first one. */
  readonly foreign: string[];
}

/** A page without errors. */
export const UNTROUBLED: Troubles = { errors: [], failed: [], foreign: [] };

/** A page. */
export interface TestPage {
  readonly page: Page;
  readonly troubles: Troubles;
  /** All requests so far: method and URL. */
  readonly requests: string[];
  /** Returns the violations that axe-core finds: rule and elements. Targets of 24 px are one of its rules. */
  violations(): Promise<string[]>;
  /** Returns the violations of all rules but those about colours. */
  layoutViolations(): Promise<string[]>;
  /** Returns the violations of the rules about colours, of the elements that an expression lists. */
  colorViolations(elements: string): Promise<string[]>;
  /** Waits until the page is loaded and no request is in flight. */
  settled(): Promise<void>;
  /** Saves a screenshot of the whole page in $FIRN_SCREENSHOTS, if set. */
  screenshot(name: string): Promise<void>;
}

/** Chromium for all tests of a worker: a start takes as much CPU time as four pages. */
let chromium: Browser | undefined;

if (!BROWSER_SKIPPED) {
  Deno.test.beforeAll(async () => {
    // Without it, a package of playwright reads /proc, which needs all permissions.
    Deno.env.set("__IS_WSL_TEST__", "1");
    const playwright = await import("playwright-core");
    chromium = await playwright.chromium.launch({
      executablePath: CHROMIUM,
      args: ARGS,
    });
  });
  Deno.test.afterAll(() => chromium?.close());
}

/** Opens the browser for a test. */
export function openBrowser(): TestBrowser {
  const contexts: BrowserContext[] = [];
  return {
    async newPage(
      {
        width = 1280,
        height = 800,
        colorScheme = "light",
        runsScripts = true,
        isPhone = false,
      } = {},
    ) {
      const context = await chromium!.newContext({
        viewport: { width, height },
        colorScheme,
        javaScriptEnabled: runsScripts,
        hasTouch: isPhone,
        isMobile: isPhone,
      });
      contexts.push(context);
      return watched(await context.newPage(), runsScripts);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(contexts.map((context) => context.close()));
    },
  };
}

function watched(page: Page, runsScripts: boolean): TestPage {
  const troubles: Troubles = { errors: [], failed: [], foreign: [] };
  const requests: string[] = [];
  const pending = new Set<Request>();
  let own: string | undefined;
  page.on("console", (message) => {
    if (message.type() === "error") troubles.errors.push(message.text());
  });
  page.on("pageerror", (error) => troubles.errors.push(String(error)));
  page.on("request", (request) => {
    // A browser with windows asks for the icon of the page; the headless shell never does.
    const isIcon = request.resourceType() === "other" &&
      request.url().endsWith("/firn.svg");
    if (isIcon) return;
    requests.push(`${request.method()} ${request.url()}`);
    pending.add(request);
    const { origin, protocol } = new URL(request.url());
    if (!protocol.startsWith("http")) return;
    own ??= origin;
    if (origin !== own) troubles.foreign.push(request.url());
  });
  const answered = new Set<Request>();
  page.on("response", (response) => answered.add(response.request()));
  page.on("requestfinished", (request) => pending.delete(request));
  page.on("requestfailed", (request) => {
    pending.delete(request);
    // The page is left as soon as it has the answer, so it did not fail. A picture is
    // left for the file of another width.
    const isLeft = request.failure()?.errorText === "net::ERR_ABORTED";
    const isPicture = request.resourceType() === "image";
    if (isLeft && (isPicture || answered.has(request))) return;
    // Without scripts, the browser refuses to preload the modules of a page.
    const isRefused = request.failure()?.errorText === "csp";
    if (!runsScripts && isRefused && request.resourceType() === "script") {
      return;
    }
    troubles.failed.push(`${request.url()}: ${request.failure()?.errorText}`);
  });
  page.on("response", (response) => {
    if (response.status() < 400) return;
    troubles.failed.push(`${response.url()}: ${response.status()}`);
  });
  let devtools: CDPSession | undefined;
  const runAxe = async (script: string) => {
    if (!await page.evaluate("'axe' in window")) {
      // The engine compiles a source once for all documents of a process, but what
      // `page.evaluate` passes to eval, again for each document.
      devtools ??= await page.context().newCDPSession(page);
      await devtools.send("Runtime.evaluate", { expression: axeSource });
    }
    const violations = await page.evaluate<axe.Result[]>(script);
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target }) => `${id}: ${target.join(" ")}`)
    );
  };
  return {
    page,
    troubles,
    requests,
    violations: () => runAxe(runAll(true)),
    layoutViolations: () => runAxe(runAll(false)),
    colorViolations: (elements) => runAxe(runColors(elements)),
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

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
