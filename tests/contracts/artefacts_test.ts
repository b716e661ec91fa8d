import { assertEquals, assertStringIncludes } from "@std/assert";
import {
  artefactUrl,
  CONTRACTS,
  hashSources,
  SETTINGS,
} from "../../contracts/compile.ts";

const imports = await Deno.readTextFile(
  new URL("../../deno.json", import.meta.url),
);

for (const contract of CONTRACTS) {
  Deno.test(`the artefact of ${contract} was compiled from its sources, by this compiler with these settings`, async () => {
    const { compiler, settings, sources } = JSON.parse(
      await Deno.readTextFile(artefactUrl(contract)),
    );
    const hashes = await hashSources(Object.keys(sources));
    assertEquals(sources, hashes, "stale: run deno task contracts");
    assertEquals(settings, SETTINGS);
    const version = compiler.split("+")[0];
    assertStringIncludes(imports, `"solc": "npm:solc@${version}"`);
  });
}

Deno.test("every contract has an artefact, and no artefact contains a local path", async () => {
  const sources: string[] = [];
  for await (
    const { name } of Deno.readDir(new URL("./", artefactUrl("TestUsdc")))
  ) {
    if (name.endsWith(".sol")) sources.push(name.replace(".sol", ""));
  }
  assertEquals(sources.sort(), [...CONTRACTS].sort());
  for (const contract of CONTRACTS) {
    const { sources } = JSON.parse(
      await Deno.readTextFile(artefactUrl(contract)),
    );
    const paths = Object.keys(sources).filter((name) =>
      /^[/.]|file:/.test(name)
    );
    assertEquals(paths, []);
  }
});
