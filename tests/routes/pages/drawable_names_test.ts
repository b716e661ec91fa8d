/** Names in pictures: no letter is drawn as an empty box. */
import { assert, assertEquals } from "@std/assert";
import { drawableName } from "../../../routes/pages/drawable_names.ts";
import { createApp } from "../../../routes/app.ts";
import { PICTURE_FILES } from "../../../services/platform/package_files.ts";
import { sweep } from "../../support/chain_data/swept.ts";
import { testDeps } from "../../support/deps.ts";

/** Reads the characters that a TrueType font has, from format 12 of its `cmap`. */
async function charactersOf(file: string): Promise<Set<number>> {
  const font = new DataView((await Deno.readFile(new URL(file))).buffer);
  const tables = Array.from(
    { length: font.getUint16(4) },
    (_, nth) => 12 + 16 * nth,
  );
  const found = tables.find((at) => font.getUint32(at) === 0x636d6170)!;
  const cmap = font.getUint32(found + 8);
  const characters = new Set<number>();
  for (let nth = 0; nth < font.getUint16(cmap + 2); nth++) {
    const at = cmap + font.getUint32(cmap + 8 + 8 * nth);
    if (font.getUint16(at) !== 12) continue;
    for (let group = 0; group < font.getUint32(at + 12); group++) {
      const [first, last] = [0, 4].map((part) =>
        font.getUint32(at + 16 + 12 * group + part)
      );
      for (let code = first!; code <= last!; code++) characters.add(code);
    }
  }
  return characters;
}

Deno.test("both fonts of the pictures have every character that a name keeps", async () => {
  const kept = Array.from({ length: 0x10000 }, (_, code) => code)
    .filter((code) => {
      const letter = String.fromCodePoint(code);
      return !/\p{C}/u.test(letter) && drawableName(letter, "") !== "";
    });
  assert(kept.length > 2_400, `${kept.length}`);
  for (const file of PICTURE_FILES.slice(1)) {
    const characters = await charactersOf(file);
    assert(characters.size > 5_000, file);
    for (const code of kept) {
      assert(characters.has(code), `${file} lacks U+${code.toString(16)}`);
    }
  }
});

Deno.test("a name with a letter that the fonts lack becomes its fallback, and emoji are left out", () => {
  const rows: [name: string, drawn: string][] = [
    ["Beam L1", "Beam L1"],
    ["Ελληνικά Привет עברית سلام ქარ", "Ελληνικά Привет עברית سلام ქარ"],
    ["❄️ Snow 🚀 peak", "Snow peak"],
    ["雪 Snow", "Chain 7"],
    ["🚀", "Chain 7"],
    ["", "Chain 7"],
  ];
  for (const [name, drawn] of rows) {
    assertEquals(drawableName(name, "Chain 7"), drawn);
  }
});

Deno.test("pictures of a chain show its id in place of a name that the fonts lack", async () => {
  const pictures = async (name: string) => {
    using deps = await testDeps();
    await sweep(deps, {
      chains: { 43114: "C-Chain", 7: name },
      metrics: ["txCount"],
      published: Math.floor(Date.parse("2026-11-19") / 864e5),
      valuesOf: () => ({ from: "2026-10-01", values: Array(50).fill(3) }),
    });
    const app = createApp(deps);
    const paths = [
      "/card/chain/7.png",
      "/chart/txCount.png?chainId=7&range=30d",
    ];
    return await Promise.all(paths.map(async (path) => {
      const response = await app.request(path);
      assertEquals(response.status, 200, path);
      await response.body!.cancel();
      return response.headers.get("ETag");
    }));
  };
  assertEquals(await pictures("雪山"), await pictures("Chain 7"));
});
