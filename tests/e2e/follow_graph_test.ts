import { assert, assertEquals } from "@std/assert";
import { raceFollows } from "../support/processes/follow_race.ts";
import { assertRecount } from "../support/graph.ts";
import { assertSound } from "../support/kv/invariants.ts";
import { databasePath, sizeOf } from "../support/kv/hosted.ts";

/** `deno task bench followers` runs the same test with 50,000 changes. */
const CHANGES = sizeOf({ local: 8_000, hosted: 1_600 });

Deno.test("follower sums equal a recount after random changes by two processes, one of them killed", async () => {
  await using stack = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const kvPath = databasePath(`${folder}/kv.sqlite3`);
  const { changed, unchanged, contended } = await raceFollows(kvPath, CHANGES);
  assertEquals(contended, 0);
  assert(changed + unchanged >= CHANGES, "each was answered");
  assert(changed > CHANGES / 4 && unchanged > CHANGES / 10, "both are common");
  using kv = await Deno.openKv(kvPath);
  const edges = await assertRecount(kv);
  await assertSound(kv);
  assert(edges > CHANGES / 8 && edges < changed, `${edges} edges are there`);
});
