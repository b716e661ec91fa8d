/** The EVM node and the browser of the tests detect what they must detect. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  inBrowser,
  openBrowser,
  UNTROUBLED,
} from "../support/browser/browser.ts";
import { assertFits, inEachLook } from "../support/browser/looks.ts";

/** Serves pages, without inline scripts. */
const serve = (pages: Readonly<Record<string, string>>) =>
  Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    (request) => {
      const body = pages[new URL(request.url).pathname];
      return new Response(body ?? "absent", {
        status: body ? 200 : 404,
        headers: {
          "Content-Type": "text/html",
          "Content-Security-Policy": "script-src 'self'",
        },
      });
    },
  );

inBrowser.test("openBrowser() reports errors, failed and foreign requests, and accessibility violations", async () => {
  const page = `<!DOCTYPE html><html lang="en"><title>Page</title>
      <link rel="icon" href="data:,"><main><h1>Page</h1>`;
  const pages: Record<string, string> = {
    "/sound": page,
    "/troubled": `${page}<script>1</script><img src="/absent.png">
        <img src="http://localhost:1/foreign.png" alt="">`,
  };
  await using server = serve(pages);
  const base = `http://127.0.0.1:${server.addr.port}`;
  await using browser = openBrowser();

  const sound = await browser.newPage({ width: 360, colorScheme: "dark" });
  await sound.page.goto(`${base}/sound`);
  assertEquals(await sound.violations(), []);
  assertEquals(sound.troubles, UNTROUBLED);
  assertEquals(sound.requests, [`GET ${base}/sound`]);

  const { page: other, troubles, violations } = await browser.newPage();
  await other.goto(`${base}/troubled`);
  const [violation, ...rest] = await violations();
  assertMatch(violation ?? "", /^image-alt: img/);
  assertEquals(rest, []);
  assertEquals(troubles.foreign, ["http://localhost:1/foreign.png"]);
  assertEquals(troubles.failed.toSorted(), [
    `${base}/absent.png: 404`,
    "http://localhost:1/foreign.png: net::ERR_UNSAFE_PORT",
  ]);
  assert(troubles.errors.some((text) => text.includes("Security Policy")));
});

inBrowser.test("assertFits() finds what is too pale at one width in one colour scheme, also after pages with the same sound styles", async () => {
  const page = (styles: string) =>
    `<!DOCTYPE html><html lang="en"><title>Page</title>
      <meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
      <style>
        :root { color-scheme: light dark; background: Canvas; color: CanvasText; }
        @media (width > 400px) { .narrow { display: none; } }
        @media (width < 400px) { .wide { display: none; } }
        ${styles}
      </style>
      <main><h1>Page</h1><p>Text <p class="narrow">Narrow <p class="wide">Wide</main>`;
  const pale = (scheme: string, element: string) =>
    page(`@media (prefers-color-scheme: ${scheme}) { ${element} }`);
  const pages: Record<string, string> = {
    "/sound": page(""),
    "/text": pale("light", "p { color: #888; }"),
    "/narrow": pale("dark", ".narrow { color: #555; }"),
    "/at-width": page(
      `@media (width > 400px) and (prefers-color-scheme: light) { p { color: #777; background: #888; } }`,
    ),
    "/wide": pale("light", ".wide { background: #555; }"),
  };
  await using server = serve(pages);
  await using browser = openBrowser();
  const opened = await browser.newPage();
  const found: string[] = [];
  for (const path of Object.keys(pages)) {
    await opened.page.goto(`http://127.0.0.1:${server.addr.port}${path}`);
    await inEachLook(opened, async (look) => {
      await assertFits(opened).catch(({ message }) => {
        assertMatch(message, /color-contrast/);
        found.push(`${path} ${look}`);
      });
    });
  }
  assertEquals(found, [
    "/text 360-light",
    "/text 1440-light",
    "/narrow 360-dark",
    "/at-width 1440-light",
    "/wide 1440-light",
  ]);
});
