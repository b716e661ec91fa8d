/** The documentation and the status in a real browser: small and large, light and dark, by mouse and by keys. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import {
  BROWSER_SKIPPED,
  openBrowser,
  UNTROUBLED,
} from "../../support/browser/browser.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { checkDaily } from "../../support/jobs.ts";

const LOOKS = [360, 1440].flatMap((width) =>
  (["light", "dark"] as const).map((colorScheme) => ({ width, colorScheme }))
);

const PAGES = [
  ["docs-home", "/docs"],
  ["docs-quick-start", "/docs/quick-start-chain-data"],
  ["docs-limits", "/docs/limits"],
  ["docs-errors", "/docs/errors"],
  ["docs-reasons", "/docs/reasons"],
  ["docs-reference", "/docs/reference"],
  ["docs-chain-data", "/docs/reference/chain-data"],
  ["docs-payments", "/docs/reference/payments"],
  ["status", "/status"],
] as const;

/** Serves an app on loopback for as long as it is held. */
function serve(deps: TestDeps) {
  const { finished, shutdown, addr } = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    createApp(deps).fetch,
  );
  return {
    url: `http://127.0.0.1:${addr.port}`,
    async [Symbol.asyncDispose]() {
      await shutdown();
      await finished;
    },
  };
}

Deno.test({
  name: "the documentation and the status, in every look",
  ignore: BROWSER_SKIPPED,
  async fn(t) {
    using deps = await testDeps();
    await checkDaily(deps, 1);
    await using service = serve(deps);
    await using browser = await openBrowser();
    for (const look of LOOKS) {
      for (const [name, path] of PAGES) {
        await t.step(`${name} ${look.width} ${look.colorScheme}`, async () => {
          const opened = await browser.newPage(look);
          const { page } = opened;
          await page.goto(service.url + path);
          await page.evaluate(
            "document.querySelectorAll('details').forEach((it) => it.open = true)",
          );
          assertEquals(await opened.violations(), []);
          assertEquals(opened.troubles, UNTROUBLED);
          const beyond = "document.documentElement.scrollWidth - innerWidth";
          assertEquals(await page.evaluate(beyond), 0, "nothing sticks out");
          await opened.screenshot(`${name}-${look.width}-${look.colorScheme}`);
          await page.close();
        });
      }
    }
  },
});

Deno.test({
  name: "examples are chosen by tabs and copied by a button",
  ignore: BROWSER_SKIPPED,
  async fn() {
    using deps = await testDeps();
    await using service = serve(deps);
    await using browser = await openBrowser();
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
    await page.keyboard.press("End");
    assertMatch(await shown.innerText(), /import json/);
    await shown.getByRole("button", { name: "Copy" }).click();
    await shown.getByRole("button", { name: "Copied" }).waitFor();
    const copied = await page.evaluate<string>(
      "navigator.clipboard.readText()",
    );
    assert(copied.startsWith("import json"), copied);
    await page.getByRole("navigation", { name: "On this page" })
      .getByRole("link", { name: "Which metrics" }).click();
    assertMatch(page.url(), /#which-metrics$/);
    assertEquals(troubles, UNTROUBLED);
  },
});
