/** The compiler, which takes a second for each contract, gives what is stored. */
import { assertEquals } from "@std/assert";
import { artefactUrl, compile, CONTRACTS } from "../../contracts/compile.ts";

for (const contract of CONTRACTS) {
  Deno.test(`the artefact of ${contract} is what the compiler gives`, async () => {
    const kept = JSON.parse(await Deno.readTextFile(artefactUrl(contract)));
    const compiled = await compile(contract);
    assertEquals(kept, compiled, "stale: run deno task contracts");
  });
}
