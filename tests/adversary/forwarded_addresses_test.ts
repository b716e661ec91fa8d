/** Who reaches the port directly does not choose the address that limits him. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { createApp } from "../../routes/app.ts";
import { limited } from "../support/clients.ts";
import { testDeps } from "../support/deps.ts";

const METRICS = "/api/chain-data/metrics";
const PROXIES = "10.0.0.0/8,2001:db8::/32";

Deno.test("X-Forwarded-For counts on connections of trusted proxies alone", async (t) => {
  const cases: [peer: string, hops: string, isBelieved: boolean][] = [
    ["10.1.2.3", "1", true],
    ["::ffff:10.1.2.3", "1", true],
    ["2001:db8::7", "1", true],
    ["10.1.2.3", "0", false],
    ["203.0.113.9", "1", false],
    ["11.0.0.1", "1", false],
    ["2001:db9::7", "1", false],
  ];
  for (const [peer, hops, isBelieved] of cases) {
    await t.step(`${peer}, ${hops} hops`, async () => {
      using service = await limited(1, {
        settings: { TRUSTED_PROXY_HOPS: hops, TRUSTED_PROXIES: PROXIES },
      });
      const statuses: number[] = [];
      for (const forged of ["192.0.2.1", "192.0.2.2", "192.0.2.3"]) {
        const headers = { "X-Forwarded-For": forged };
        const { status } = await service.ask(METRICS, { from: peer, headers });
        statuses.push(status);
      }
      assertEquals(statuses, isBelieved ? [200, 200, 200] : [200, 429, 429]);
    });
  }
});

Deno.test("/status warns while clients may reach the port beside the proxies", async (t) => {
  const cases: [settings: Record<string, string>, warns: boolean][] = [
    [{}, false],
    [{ TRUSTED_PROXY_HOPS: "1" }, true],
    [{ TRUSTED_PROXY_HOPS: "1", LISTEN_ADDRESS: "::" }, true],
    [{ TRUSTED_PROXY_HOPS: "1", LISTEN_ADDRESS: "127.0.0.1" }, false],
    [{ TRUSTED_PROXY_HOPS: "1", TRUSTED_PROXIES: PROXIES }, false],
  ];
  for (const [settings, warns] of cases) {
    await t.step(JSON.stringify(settings), async () => {
      using deps = await testDeps({ settings });
      const app = createApp(deps);
      const { warnings } = await (await app.request("/status.json")).json();
      assertEquals(warnings.length, warns ? 1 : 0);
      if (!warns) return;
      assertStringIncludes(warnings[0], "TRUSTED_PROXIES");
      const headers = { Accept: "text/html" };
      const page = await app.request("/status", { headers });
      assertStringIncludes(await page.text(), warnings[0]);
    });
  }
});
