/** Checks the invariants of the store at the end of a test. */
import { assertEquals } from "@std/assert";
import { openStores } from "../../../services/stores.ts";
import { START } from "../deps.ts";

/** Asserts every invariant of every record; returns the number of records. */
export async function assertSound(
  kv: Deno.Kv,
  now = Date.parse(START),
): Promise<number> {
  const { invariants } = openStores(kv);
  const { broken, records } = await invariants.check(now);
  assertEquals(broken, []);
  return records;
}

/** Asserts every invariant of a database file. */
export async function assertSoundFile(
  kvPath: string,
  now?: number,
): Promise<number> {
  using kv = await Deno.openKv(kvPath);
  return await assertSound(kv, now);
}
