/** Names that suggest authority are refused as slugs, and marked as display names. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createApp } from "../../routes/app.ts";
import { resembledName } from "../../services/profiles/names.ts";
import { testDeps } from "../support/deps.ts";
import { keyPair, newOwner } from "../support/owners.ts";

const NAMES = [
  "firn",
  "avax",
  "avalanche",
  "support",
  "team",
  "official",
  "foundation",
];

Deno.test("reserved slugs are refused, alone, joined, numbered and with look-alikes", async (t) => {
  using deps = await testDeps();
  const owner = newOwner(deps, keyPair());
  await owner.signIn();
  const save = async (slug: string) => {
    const body = { displayName: null, slug, linksPublic: false };
    const { status } = await owner.call("PUT", "/profile", { body });
    deps.advance(60_000);
    return status;
  };
  const slugs = [
    ...NAMES,
    "f1rn",
    "f-i-r-n",
    "supp0rt",
    "tearn",
    "0fficial",
    "offlcial",
    "firn-support",
    "avax-foundation",
    "avalanche-team",
    "officialfirn",
    "team-firn-2",
    "support24",
  ];
  for (const slug of slugs) {
    await t.step(slug, async () => assertEquals(await save(slug), 400));
  }
  for (const slug of ["team-rocket", "firnament", "steam", "avaxian"]) {
    await t.step(slug, async () => assertEquals(await save(slug), 200));
  }
});

Deno.test("display names that look like a reserved name are marked in answers and on the page", async (t) => {
  const marked: [name: string, resembles: string][] = [
    ...NAMES.map((name) => [name, name] as [string, string]),
    ["FIRN", "firn"],
    ["Firn Helpdesk", "firn"],
    ["Fіrn", "firn"], // Cyrillic і
    ["𝐅𝐢𝐫𝐧", "firn"], // mathematical bold
    ["Ｆｉｒｎ", "firn"], // full width
    ["F1rn", "firn"],
    ["Fírn", "firn"],
    ["F i r n", "firn"],
    ["АVАХ", "avax"], // Cyrillic А and Х
    ["аvaх", "avax"], // Cyrillic а and х
    ["Αvаlаnсhе", "avalanche"], // Greek Α, Cyrillic а, с and е
    ["оffісіаl", "official"], // Cyrillic о, і, с and а
    ["Suppоrt", "support"], // Cyrillic о
    ["Tеаm Avax", "team"],
    ["ꓝоundation", "foundation"], // Lisu ꓝ
    ["the-official-one", "official"],
    ["Support24", "support"],
  ];
  for (const [name, resembles] of marked) {
    await t.step(name, async () => {
      assertEquals(await resembledName(name), resembles);
    });
  }
  for (
    const name of [
      "Ada",
      "Zoë",
      "Иван",
      "Steamboat",
      "Confirned",
      "田中",
      "😀",
      "",
    ]
  ) {
    await t.step(`not ${name}`, async () => {
      assertEquals(await resembledName(name), null);
    });
  }
  await t.step("over HTTP", async () => {
    using deps = await testDeps();
    const owner = newOwner(deps, keyPair());
    await owner.signIn();
    const displayName = "Fіrn Support";
    const body = { displayName, slug: null, linksPublic: false };
    const saved = await owner.call("PUT", "/profile", { body });
    assertEquals([saved.status, saved.body.resembles], [200, "firn"]);
    const app = createApp(deps);
    const shown = await app.request(`/api/profiles/${owner.wallet}`);
    assertEquals((await shown.json()).resembles, "firn");
    const page = await app.request(`/tools/score/${owner.wallet}`, {
      headers: { Accept: "text/html" },
    });
    const text = await page.text();
    assertStringIncludes(text, displayName);
    assert(/badge-warn">Chosen name/.test(text), "the page has the mark");
  });
});
