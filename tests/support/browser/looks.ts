/** Checks of pages at each width and in each colour scheme. */
import { assert, assertEquals } from "@std/assert";
import { type TestBrowser, type TestPage, UNTROUBLED } from "./browser.ts";

const [PHONE, DESKTOP] = [360, 1440];
const WIDTHS = [PHONE, DESKTOP];

/** The width that a page has when 1280 px are magnified to 400 %, by which nothing may be cut (WCAG 1.4.10). */
const NARROWEST = 320;

/** The most that a page may move while it loads: the cumulative layout shift. */
const MAX_SHIFT = 0.02;
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
    .filter((one) => one instanceof CSSTransition)
    .filter(({ effect }) => effect.target.checkVisibility())
    .map(({ finished }) => finished),
)`;

/** The width of a page once its chart has adapted to a new width, which takes a frame. */
const SETTLED_WIDTH = `new Promise((resolve) =>
  requestAnimationFrame(() => requestAnimationFrame(() =>
    resolve(document.documentElement.scrollWidth)
  ))
)`;

/** Adds up the shifts that no input caused since the page began to load, after two frames. */
const SHIFT = `new Promise((resolve) =>
  requestAnimationFrame(() => requestAnimationFrame(() => {
    const observer = new PerformanceObserver(() => {});
    observer.observe({ type: "layout-shift", buffered: true });
    const entries = observer.takeRecords();
    observer.disconnect();
    resolve(entries.filter(({ hadRecentInput }) => !hadRecentInput)
      .reduce((sum, { value }) => sum + value, 0));
  }))
)`;

/** Lists the boxes whose content overflows their bottom edge. */
const OVERLAPS =
  `[...document.querySelectorAll("main, main section, main figure, main .card, main .plot")]
  .filter((box) => box.checkVisibility() && getComputedStyle(box).overflowY === "visible")
  .filter((box) => box.clientHeight > 0 && box.scrollHeight > box.clientHeight + 1)
  .map((box) => box.tagName + "." + box.className + ": " + box.scrollHeight + " > " + box.clientHeight)`;

/**
 * What the contrast of a text depends on: its own colours and size, and the colours of
 * what it stands in. Finds an element of each of these styles that the page shows now,
 * and lists the styles.
 */
const STYLES = `(() => {
  const grounds = new Map([[null, ""]]);
  const groundOf = (element) => {
    if (!grounds.has(element)) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
      const own = [backgroundColor, backgroundImage, opacity].join(" ");
      const below = groundOf(element.parentElement);
      grounds.set(element, below.endsWith(own) ? below : below + "; " + own);
    }
    return grounds.get(element);
  };
  globalThis.elementOfStyle = new Map();
  for (const element of document.body.querySelectorAll("*")) {
    if (![...element.childNodes].some((it) => it.nodeType === 3 && it.data.trim())) continue;
    const { width, height } = element.getBoundingClientRect();
    if (width <= 2 || height <= 2) continue;
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    const style = getComputedStyle(element);
    const text = ["color", "fill", "fontSize", "fontWeight", "textDecorationLine", "textShadow"]
      .map((name) => style[name]);
    const around = getComputedStyle(element.parentElement).color;
    elementOfStyle.set([element.tagName, ...text, around, groundOf(element)].join(" "), element);
  }
  return [...elementOfStyle.keys()];
})()`;

/** The styles that were shown in a colour scheme, and broke no rule about colours. */
const SOUND_STYLES = { light: new Set<string>(), dark: new Set<string>() };

/**
 * Returns the accessibility violations. The rules about colours run on an element of
 * each style that no page has shown in this scheme yet, in every look; all other rules
 * run once at each width and once in each scheme.
 */
async function violationsOf(
  { page, layoutViolations, colorViolations }: TestPage,
): Promise<string[]> {
  const isDark = await page.evaluate(
    "matchMedia('(prefers-color-scheme: dark)').matches",
  );
  const sound = SOUND_STYLES[isDark ? "dark" : "light"];
  const { width } = page.viewportSize()!;
  const runsAll = !WIDTHS.includes(width) || (width === PHONE) !== isDark;
  const styles = await page.evaluate<string[]>(STYLES);
  const fresh = styles.filter((style) => !sound.has(style));
  const found = fresh.length === 0 ? [] : await colorViolations(
    `${JSON.stringify(fresh)}.map((style) => elementOfStyle.get(style))`,
  );
  if (found.length === 0) fresh.forEach((style) => sound.add(style));
  return runsAll ? [...found, ...await layoutViolations()] : found;
}

/** Asserts that a page has no accessibility violation, no horizontal overflow and no overlap. */
export async function assertFits(
  opened: TestPage,
  state?: string,
): Promise<void> {
  const { page } = opened;
  await page.evaluate(TRANSITIONS_END);
  assertEquals(await violationsOf(opened), [], state);
  const width = await page.evaluate("document.documentElement.scrollWidth");
  assertEquals(width, page.viewportSize()?.width, state);
  assertEquals(await page.evaluate(OVERLAPS), [], state);
}

/** Waits until a page has painted its text. */
const PAINTED = `new Promise((resolve) => {
  const observer = new PerformanceObserver((list) => {
    if (list.getEntriesByName("first-contentful-paint").length === 0) return;
    observer.disconnect();
    resolve();
  });
  observer.observe({ type: "paint", buffered: true });
})`;

/**
 * Holds back the scripts of every page that is loaded from now on until it has
 * painted, as a slow network does. Otherwise it depends on the load of the machine
 * whether a reader sees what a script moves.
 */
export async function delayScripts({ page }: TestPage): Promise<void> {
  const painted = () => page.evaluate(PAINTED);
  await page.route("**/*.js", async (route) => {
    // The evaluation fails if the previous page ends meanwhile, so it is repeated
    // once. A page that is left before it paints needs no scripts.
    await painted().catch(painted).catch(() => {});
    await route.continue().catch(() => {});
  });
}

/** Asserts that a page has hardly moved since it was opened. */
export async function assertStill(
  { page }: TestPage,
  state?: string,
): Promise<void> {
  const shift = await page.evaluate<number>(SHIFT);
  assert(shift < MAX_SHIFT, `${state ?? page.url()} moved by ${shift}`);
}

/** Pages to check: each has a name for its screenshots, and a URL. */
interface LookOptions {
  readonly pages: readonly (readonly [name: string, url: string])[];
  /** The cookie of a session, as `name=value`. */
  readonly cookie?: string;
  /** Runs after each load, before the checks. */
  readonly prepare?: (opened: TestPage) => Promise<unknown>;
}

/** Loads each page at each width, and checks it in each colour scheme. */
export async function assertLooks(
  t: Deno.TestContext,
  browser: TestBrowser,
  { pages, cookie, prepare }: LookOptions,
): Promise<void> {
  const opened = await browser.newPage();
  await delayScripts(opened);
  if (cookie !== undefined) {
    const [name, value] = cookie.split("=") as [string, string];
    const url = pages[0]![1];
    await opened.page.context().addCookies([{ name, value, url }]);
  }
  for (const [name, url] of pages) {
    const load = async () => {
      await opened.page.goto(url);
      await opened.settled();
      await assertStill(opened, name);
      await prepare?.(opened);
    };
    await inEachLook(opened, async (look) => {
      await t.step(`${name}-${look}`, async () => {
        await assertFits(opened);
        assertEquals(opened.troubles, UNTROUBLED);
        await opened.screenshot(`${name}-${look}`);
      });
    }, load);
    await t.step(`${name}-${NARROWEST}`, async () => {
      await opened.page.setViewportSize({ width: NARROWEST, height: 800 });
      assertEquals(await opened.page.evaluate(SETTLED_WIDTH), NARROWEST);
      await opened.settled();
    });
  }
  await opened.page.context().close();
}
