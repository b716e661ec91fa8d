/** The rules of the whole store, held against a database at the end of a test. */
import { assertEquals } from "@std/assert";
import { openStores } from "../../../services/stores.ts";
import { START } from "../deps.ts";

/** Asserts that every rule holds of every record; returns how many records there are. */
export async function assertSound(
  kv: Deno.Kv,
  now = Date.parse(START),
): Promise<number> {
  const { invariants } = openStores(kv);
  const { broken, records } = await invariants.check(now);
  assertEquals(broken, []);
  return records;
}

/** Asserts it of a database file that nobody else has to have open. */
export async function assertSoundFile(
  kvPath: string,
  now?: number,
): Promise<number> {
  using kv = await Deno.openKv(kvPath);
  return await assertSound(kv, now);
}
