/** The EVM node and the browser of the tests detect what they must detect. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  inBrowser,
  openBrowser,
  UNTROUBLED,
} from "../support/browser/browser.ts";

inBrowser.test("openBrowser() reports errors, failed and foreign requests, and accessibility violations", async () => {
  const page = `<!DOCTYPE html><html lang="en"><title>Page</title>
      <link rel="icon" href="data:,"><main><h1>Page</h1>`;
  const pages: Record<string, string> = {
    "/sound": page,
    "/troubled": `${page}<script>1</script><img src="/absent.png">
        <img src="http://localhost:1/foreign.png" alt="">`,
  };
  await using server = Deno.serve(
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
