/** Audit trails: each entry is written in the transaction of its change, and listed newest first. */
import { assertEquals } from "@std/assert";
import { withAudit } from "../../../../services/platform/kv/audit_store.ts";
import { testDeps } from "../../../support/deps.ts";

const WALLET = `0x${"aa".repeat(20)}`;
const OTHER = `0x${"bb".repeat(20)}`;

const entry = (at: number, keyId = "") =>
  ({ at, event: "key.create", requestId: null, keyId }) as const;

Deno.test("withAudit() writes the entry in the same transaction as the change", async () => {
  using deps = await testDeps();
  const { kv, store } = deps;
  const key = ["thing"];
  const first = kv.atomic().check({ key, versionstamp: null }).set(key, 1);
  const second = kv.atomic().check({ key, versionstamp: null }).set(key, 2);
  const won = await withAudit(first, WALLET, entry(1, "first")).commit();
  const lost = await withAudit(second, WALLET, entry(2, "second")).commit();
  assertEquals([won.ok, lost.ok], [true, false]);
  assertEquals(await store.audit.list(WALLET), [entry(1, "first")]);
});

Deno.test("list() returns the entries of one wallet, newest first, also within one millisecond", async () => {
  using deps = await testDeps();
  const { kv, store } = deps;
  for (const [at, id] of [[5, "a"], [7, "b"], [7, "c"], [7, "d"], [6, "e"]]) {
    const written = entry(at as number, id as string);
    await withAudit(kv.atomic(), WALLET, written).commit();
  }
  await withAudit(kv.atomic(), OTHER, entry(8, "z")).commit();
  const listed = await store.audit.list(WALLET);
  assertEquals(listed.map(({ keyId }) => keyId), ["d", "c", "b", "e", "a"]);
});

Deno.test("list() returns at most the last hundred entries", async () => {
  using deps = await testDeps();
  const { kv, store } = deps;
  for (let at = 0; at < 130; at++) {
    await withAudit(kv.atomic(), WALLET, entry(at)).commit();
  }
  const listed = await store.audit.list(WALLET);
  assertEquals([listed.length, listed[0]!.at, listed[99]!.at], [100, 129, 30]);
});
