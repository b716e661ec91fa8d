/** The EVM node and the browser of the tests detect what they must detect. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { ANVIL_SKIPPED, startAnvil } from "../support/evm/anvil.ts";
import {
  BROWSER_SKIPPED,
  openBrowser,
  UNTROUBLED,
} from "../support/browser/browser.ts";
import { deployUsdc, settle } from "../support/evm/usdc.ts";

Deno.test({
  name: "startAnvil() mines on demand and transfers tokens",
  ignore: ANVIL_SKIPPED,
  async fn() {
    const startsAt = Date.parse("2026-11-21T08:00:00Z");
    await using anvil = await startAnvil({ automine: false, startsAt });
    assertEquals(await anvil.client.getChainId(), 43_114);
    await anvil.mine(3);
    const { number, timestamp } = await anvil.client.getBlock();
    assertEquals([number, Number(timestamp) * 1000], [3n, startsAt + 3000]);

    const usdc = await deployUsdc(anvil);
    const [from, to] = anvil.accounts;
    assert(from && to);
    await usdc.mint(from.address, 50_000_000n);
    const both = await usdc.transferAll(from, to.address, [49_000_000n, 1n]);
    const { logs } = await settle(anvil, both);
    assertEquals(
      logs.filter(({ address }) => address === usdc.address).length,
      2,
    );
    assertEquals(await usdc.balanceOf(to.address), 49_000_001n);
    const tooMuch = await usdc.transfer(from, to.address, 2_000_000n);
    await assertRejects(() => settle(anvil, tooMuch), Error, "it failed");
  },
});

Deno.test({
  name:
    "openBrowser() reports errors, failed and foreign requests, and accessibility violations",
  ignore: BROWSER_SKIPPED,
  async fn() {
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
  },
});
