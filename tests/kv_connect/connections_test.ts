/** Several connections to one hosted database are one database. */
import { assert, assertEquals } from "@std/assert";
import { stub } from "@std/testing/mock";
import { readConfig } from "../../services/config.ts";
import { openRuntime } from "../../services/runtime.ts";
import { setFaults, startKvConnect } from "../support/kv_connect/kv_connect.ts";

Deno.test("the service opens further connections to a hosted database; their transactions check each other, and each reads what another wrote", async () => {
  using server = await startKvConnect();
  const url = server.newDatabase();
  await setFaults(url, { latencyMs: 10 });
  const openKv = Deno.openKv;
  using opening = stub(Deno, "openKv", (path) => openKv(path));
  const { kv } = await openRuntime(readConfig({ KV_PATH: url }));
  using _ = kv;
  for (let nth = 0; nth < 4; nth++) {
    await Promise.all([kv.get(["a"]), kv.get(["a"]), kv.get(["a"])]);
  }
  assert(opening.calls.length > 1);
  const results = await Promise.all(
    Array.from(
      { length: 8 },
      () =>
        kv.atomic().check({ key: ["a"], versionstamp: null }).set(["a"], 1)
          .commit(),
    ),
  );
  assertEquals(results.filter(({ ok }) => ok).length, 1);
  const reads = await Promise.all(
    Array.from({ length: 8 }, () => kv.get(["a"])),
  );
  assertEquals(new Set(reads.map(({ value }) => value)), new Set([1]));
});
