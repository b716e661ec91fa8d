/** robots.txt, sitemap.xml and favicon.ico. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { testDeps } from "../../support/deps.ts";

Deno.test("every page of the sitemap exists, and robots.txt names the sitemap", async () => {
  using deps = await testDeps({
    settings: { PUBLIC_URL: "https://firn.test" },
  });
  const app = createApp(deps);
  const robots = await (await app.request("/robots.txt")).text();
  assertStringIncludes(robots, "Sitemap: https://firn.test/sitemap.xml");
  const response = await app.request("/sitemap.xml");
  assertEquals(response.status, 200);
  const pages = [...(await response.text()).matchAll(/<loc>([^<]+)<\/loc>/g)]
    .map(([, url]) => new URL(url!).pathname);
  assert(pages.includes("/chains/43114") && pages.includes("/docs/privacy"));
  assert(!pages.includes("/dashboard"));
  const samples = pages.filter((path) => !/^\/chains\/(?!43114)/.test(path));
  for (const path of samples) {
    const page = await app.request(path, { headers: { Accept: "text/html" } });
    assertEquals(page.status, 200, path);
    await page.body?.cancel();
  }
});

Deno.test("favicon.ico leads to the icon", async () => {
  using deps = await testDeps();
  const response = await createApp(deps).request("/favicon.ico");
  assertEquals(response.status, 302);
  const icon = response.headers.get("Location")!;
  assertEquals((await createApp(deps).request(icon)).status, 200);
});

Deno.test("/chains/{name} leads to the chain, and an unknown name is a 400", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  for (const name of ["beam", "Beam", "beam-l1", "Beam%20L1"]) {
    const beam = await app.request(`/chains/${name}`);
    assertEquals(
      [beam.status, beam.headers.get("Location")],
      [302, "/chains/4337"],
      name,
    );
  }
  assertEquals((await app.request("/chains/nowhere")).status, 400);
});
