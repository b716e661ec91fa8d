/** Opening the database. */
import { assertEquals, assertRejects } from "@std/assert";
import { openDatabase } from "../../../../services/platform/kv/connection_pool.ts";

/** Returns a function that opens a database after some failures. */
function opener(failures: number, message: string) {
  const calls = { count: 0 };
  const open: typeof Deno.openKv = () =>
    ++calls.count <= failures
      ? Promise.reject(new Error(message))
      : Deno.openKv(":memory:");
  return { calls, open };
}

Deno.test("openDatabase() retries while another process creates the database", async () => {
  const { calls, open } = opener(2, "database is locked");
  using kv = await openDatabase(":memory:", open);
  await kv.set(["a"], 1);
  assertEquals(calls.count, 3);
});

Deno.test("openDatabase() throws after 20 locked attempts, and at once for other errors", async () => {
  const locked = opener(Infinity, "database is locked");
  await assertRejects(
    () => openDatabase(":memory:", locked.open),
    Error,
    "database is locked",
  );
  assertEquals(locked.calls.count, 20);
  const broken = opener(Infinity, "file is not a database");
  await assertRejects(() => openDatabase(":memory:", broken.open));
  assertEquals(broken.calls.count, 1);
});
