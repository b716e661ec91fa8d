/** Checks of pages at each width and in each colour scheme. */
import { assertEquals } from "@std/assert";
import { type TestBrowser, type TestPage, UNTROUBLED } from "./browser.ts";

const WIDTHS = [360, 1440];
const COLOR_SCHEMES = ["light", "dark"] as const;

/** Shows a page at each width and in each colour scheme in turn. */
export async function inEachLook(
  { page }: TestPage,
  check: (look: string) => Promise<void>,
  onWidth: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    await onWidth();
    for (const colorScheme of COLOR_SCHEMES) {
      await page.emulateMedia({ colorScheme });
      await check(`${width}-${colorScheme}`);
    }
  }
}

/**
 * Colours halfway through a transition would fail the contrast check. Transitions in
 * closed details stand still until they open, so they are not awaited.
 */
const TRANSITIONS_END = `Promise.allSettled(
  document.getAnimations()
    .filter(({ effect }) => effect.target.checkVisibility())
    .map(({ finished }) => finished),
)`;

/** Asserts that a page has no accessibility violation and no horizontal overflow. */
export async function assertFits(
  { page, violations }: TestPage,
  state?: string,
): Promise<void> {
  await page.evaluate(TRANSITIONS_END);
  assertEquals(await violations(), [], state);
  const width = await page.evaluate("document.documentElement.scrollWidth");
  assertEquals(width, page.viewportSize()?.width, state);
}

/** Pages to check: each has a name for its screenshots, and a URL. */
export interface LookOptions {
  readonly pages: readonly (readonly [name: string, url: string])[];
  /** Runs after each load, before the checks. */
  readonly prepare?: (opened: TestPage) => Promise<unknown>;
}

/** Loads each page at each width, and checks it in each colour scheme. */
export async function assertLooks(
  t: Deno.TestContext,
  browser: TestBrowser,
  { pages, prepare }: LookOptions,
): Promise<void> {
  const opened = await browser.newPage();
  for (const [name, url] of pages) {
    const load = async () => {
      await opened.page.goto(url);
      await opened.settled();
      await prepare?.(opened);
    };
    await inEachLook(opened, async (look) => {
      await t.step(`${name}-${look}`, async () => {
        await assertFits(opened);
        assertEquals(opened.troubles, UNTROUBLED);
        await opened.screenshot(`${name}-${look}`);
      });
    }, load);
  }
  await opened.page.context().close();
}
