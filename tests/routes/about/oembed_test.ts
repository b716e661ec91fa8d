/** `/oembed`: which pages it describes, and how. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { sweep } from "../../support/chain_data/swept.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { newOwner } from "../../support/owners.ts";

const HOSTILE = `"><script>x</script>`;

async function swept(): Promise<TestDeps> {
  const deps = await testDeps();
  await sweep(deps, {
    chains: { 43114: "C-Chain", 7: HOSTILE },
    metrics: ["txCount"],
    published: Math.floor(Date.parse("2026-11-19") / 864e5),
    valuesOf: () => ({ from: "2026-10-01", values: Array(50).fill(3) }),
  });
  return deps;
}

async function ask(deps: TestDeps, url: string, rest = "") {
  const path = `/oembed?url=${encodeURIComponent(url)}${rest}`;
  const response = await createApp(deps).request(path);
  return { response, answer: await response.json() };
}

Deno.test("pages that can be embedded link their oEmbed, which shows what they show", async () => {
  using deps = await swept();
  const app = createApp(deps);
  const address = exampleOf("heavy");
  const view = "metric=txCount&chainId=43114&range=30d&interval=day";
  const pages = {
    [`/?${view}`]: ["Transactions on C-Chain", "/embed/chart/txCount?"],
    "/chains/43114": ["C-Chain", "/card/chain/43114.png"],
    [`/tools/score/${address}`]: ["Score of 0x", `/card/score/${address}.png`],
    [`/profiles/${address}`]: [": profile", `/card/profile/${address}.png`],
  };
  for (const [path, [title, shown]] of Object.entries(pages)) {
    const page = await (await app.request(path)).text();
    const [, link] = page.match(
      /<link rel="alternate" type="application\/json\+oembed"\s+href="([^"]+)"/,
    )!;
    assert(link!.startsWith(`${deps.publicUrl}/oembed?`), link);
    const response = await app.request(
      link!.slice(deps.publicUrl.length).replaceAll("&amp;", "&"),
    );
    assertEquals(response.status, 200, path);
    assertEquals(response.headers.get("Access-Control-Allow-Origin"), "*");
    assertEquals(
      response.headers.get("Cache-Control"),
      "public, max-age=3600",
    );
    const answer = await response.json();
    const { type, version, provider_name, provider_url } = answer;
    assertEquals(
      [type, version, provider_name, provider_url],
      ["rich", "1.0", "Firn", deps.publicUrl],
    );
    assertStringIncludes(answer.title, title!);
    assertStringIncludes(answer.html, `${deps.publicUrl}${shown}`);
    assertStringIncludes(answer.html, `width="${answer.width}"`);
    assertStringIncludes(answer.html, `height="${answer.height}"`);
    assertEquals(
      [answer.thumbnail_width, answer.thumbnail_height],
      [1200, 630],
    );
    // What the markup loads exists.
    for (
      const [, source] of `${answer.html} src="${answer.thumbnail_url}"`
        .matchAll(/src="([^"]+)"/g)
    ) {
      const loaded = await app.request(
        source!.slice(deps.publicUrl.length).replaceAll("&amp;", "&"),
        { method: "HEAD" },
      );
      assertEquals(loaded.status, 200, source);
    }
  }
  // A page that cannot be embedded has no link.
  const docs = await (await app.request("/docs")).text();
  assert(!docs.includes("json+oembed"));
});

Deno.test("an embed is never larger than the consumer allows", async () => {
  using deps = await swept();
  const view = `${deps.publicUrl}/?metric=txCount`;
  const chain = `${deps.publicUrl}/chains/43114`;
  const cases = [
    [view, "", 800, 480, true],
    [view, "&maxwidth=500&maxheight=2000", 500, 480, false],
    [view, "&maxwidth=5000&maxheight=100", 800, 100, false],
    [view, "&maxwidth=1200&maxheight=630", 800, 480, true],
    // A picture keeps its proportions.
    [chain, "", 600, 315, true],
    [chain, "&maxwidth=300&maxheight=9999", 300, 157, false],
    [chain, "&maxheight=63", 120, 63, false],
    [chain, "&maxwidth=1", 1, 1, false],
  ] as const;
  for (const [url, limits, width, height, hasThumbnail] of cases) {
    const { answer } = await ask(deps, url, limits);
    assertEquals([answer.width, answer.height], [width, height], limits);
    assertEquals("thumbnail_url" in answer, hasThumbnail, limits);
    assertStringIncludes(answer.html, `width="${width}" height="${height}"`);
  }
});

Deno.test("the name of a chain cannot leave its attribute", async () => {
  using deps = await swept();
  for (const path of ["/?metric=txCount&chainId=7", "/chains/7"]) {
    const { answer } = await ask(deps, `${deps.publicUrl}${path}`);
    assertStringIncludes(answer.title, HOSTILE);
    assert(!answer.html.includes("<script"), answer.html);
    assertStringIncludes(answer.html, "&quot;&gt;&lt;script&gt;");
  }
});

Deno.test("other URLs are a 404, XML is a 501, and a wrong parameter is a 400", async () => {
  using deps = await swept();
  const { publicUrl } = deps;
  const cases = [
    ["https://other.test/chains/43114", "", 404],
    [`${publicUrl}.other.test/chains/43114`, "", 404],
    [`javascript:alert(1)`, "", 404],
    ["no URL", "", 404],
    [`${publicUrl}/docs`, "", 404],
    [`${publicUrl}/chains`, "", 404],
    [`${publicUrl}/chains/999`, "", 404],
    [`${publicUrl}/?metric=gas`, "", 404],
    [`${publicUrl}/?metric=txCount&chainId=999`, "", 404],
    [`${publicUrl}/tools/score/0x1`, "", 404],
    [`${publicUrl}/profiles/nobody-is-here`, "", 404],
    [`${publicUrl}/chains/43114`, "&format=xml", 501],
    [`${publicUrl}/chains/43114`, "&format=yaml", 400],
    [`${publicUrl}/chains/43114`, "&maxwidth=0", 400],
    ["", "", 400],
    // Consumers add parameters of their own, and sites those of campaigns.
    [`${publicUrl}/chains/43114?utm_source=x`, "&dnt=1", 200],
    [`${publicUrl}/?metric=validators`, "", 200],
  ] as const;
  for (const [url, rest, status] of cases) {
    const { response, answer } = await ask(deps, url, rest);
    assertEquals(response.status, status, `${url} ${JSON.stringify(answer)}`);
    if (status !== 200) assertEquals(typeof answer.code, "string");
  }
});

Deno.test("a claimed profile is embedded by its name and slug, also from its address", async () => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  await owner.signIn();
  const body = { displayName: "<b>Ada</b>", slug: "ada", linksPublic: true };
  assertEquals((await owner.call("PUT", "/profile", { body })).status, 200);
  for (const name of ["ada", owner.wallet, owner.wallet.toUpperCase()]) {
    const path = `/profiles/${name.replace("0X", "0x")}`;
    const { answer } = await ask(deps, `${deps.publicUrl}${path}`);
    assertEquals(answer.title, "<b>Ada</b>: profile");
    assertStringIncludes(
      answer.html,
      `<a href="${deps.publicUrl}/profiles/ada"><img src="${deps.publicUrl}/card/profile/ada.png" alt="&lt;b&gt;Ada`,
    );
  }
  const unnamed = { ...body, displayName: null };
  await owner.call("PUT", "/profile", { body: unnamed });
  const { answer } = await ask(deps, `${deps.publicUrl}/profiles/ada`);
  const { wallet } = owner;
  assertEquals(
    answer.title,
    `${wallet.slice(0, 6)}…${wallet.slice(-4)}: profile`,
  );
});

Deno.test("a page of a chain is a 503 while no list of chains is known, and a page that needs none is embedded", async () => {
  using deps = await testDeps();
  deps.upstreams.metricsApi.switch.set({ mode: "refuse" });
  const { publicUrl } = deps;
  const pages: [path: string, status: number][] = [
    ["/", 503],
    ["/?chain=beam", 503],
    ["/chains/4337", 503],
    ["/?metric=validators", 200],
    [`/tools/score/${exampleOf("heavy")}`, 200],
    ["/profiles/nobody", 404],
    ["/docs", 404],
  ];
  for (const [path, status] of pages) {
    const { response, answer } = await ask(deps, `${publicUrl}${path}`);
    assertEquals(response.status, status, path);
    if (status !== 503) continue;
    assertEquals(answer.code, "UPSTREAM_UNAVAILABLE");
    assert(response.headers.has("Retry-After"), path);
  }
});
