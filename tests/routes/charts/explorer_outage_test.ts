/** The explorer while a source is down. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { testDeps } from "../../support/deps.ts";
import { logged } from "../../support/logged.ts";
import {
  askExplorer as ask,
  HOME,
  hrefsOf,
  wordsOf,
} from "../../support/charts/explorer.ts";

Deno.test("with a source down the page is a 503 with Retry-After and no partial chart", async () => {
  using deps = await testDeps();
  deps.upstreams.metricsApi.switch.set({ mode: "refuse" });
  const { response, status, text } = await ask(deps, HOME);
  assertEquals(status, 503);
  const seconds = response.headers.get("Retry-After");
  const words = wordsOf(text);
  assertStringIncludes(words, "A data source is unreachable");
  assertStringIncludes(words, "metrics.test");
  assertStringIncludes(words, `Try again in ${seconds} s`);
  assert(hrefsOf(text).includes(HOME), "there is a way to try again");
  assert(!text.includes("<table"));
  assertEquals(logged(deps.lines, "request.unavailable").length, 1);
  assertEquals(logged(deps.lines, "request.failed"), [], "it is no defect");
});

Deno.test("with a source down for hours the page shows the stored days below a banner, and links those that no longer change", async () => {
  using deps = await testDeps();
  const paths = ["range=1y", "from=2026-10-01&to=2026-11-20"].map((chosen) =>
    `/?metric=txCount&chainId=43114&${chosen}&interval=day`
  );
  for (const path of paths) assertEquals((await ask(deps, path)).status, 200);
  deps.advance(3 * 60 * 60_000);
  deps.upstreams.metricsApi.switch.set({ mode: "refuse" });
  for (const path of paths) {
    const { status, text } = await ask(deps, path);
    assertEquals(status, 200);
    assertMatch(wordsOf(text), /The stored ones end on 2026-11-\d\d/);
    assert(text.includes("<table"), "the stored figures are shown");
    assertMatch(text, /<meta name="robots" content="noindex">/);
    const settled = hrefsOf(text).find((href) =>
      href.includes("&to=2026-11-0")
    )!;
    assertMatch(settled, /&from=20\d\d-\d\d-\d\d&to=/);
    assertEquals((await ask(deps, settled)).status, 200, settled);
  }
});
