import { assertEquals } from "@std/assert";
import { artefactUrl, compile, CONTRACTS } from "../../contracts/compile.ts";

for (const contract of CONTRACTS) {
  Deno.test(`the artefact of ${contract} matches its source`, async () => {
    const kept = JSON.parse(await Deno.readTextFile(artefactUrl(contract)));
    const compiled = await compile(contract);
    assertEquals(kept, compiled, "stale: run deno task contracts");
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
