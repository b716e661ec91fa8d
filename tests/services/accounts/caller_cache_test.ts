/** Callers that are remembered: what a commit has to prove of them before they are served. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  revokeApiKey,
  rotateApiKey,
} from "../../../services/accounts/api_keys.ts";
import { knownCallers } from "../../../services/accounts/caller_cache.ts";
import { enrol } from "../../support/callers.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";

/** A caller that a process has met. */
async function meet(deps: TestDeps) {
  const { id, key, wallet } = await enrol(deps, { plan: "builder" });
  const callers = knownCallers(deps);
  await callers.authorize(key);
  const recall = () => callers.recall(key, deps.now().getTime())!;
  const rooms = () => recall().versions.map(({ key: [room] }) => String(room));
  return { id, key, wallet, callers, recall, rooms };
}

const ALL = ["api_key_revision", "api_keys", "plans"];

Deno.test("key and plan are proved once a second, and that no key was revoked each time", async () => {
  using deps = await testDeps();
  const { recall, rooms } = await meet(deps);
  assertEquals(rooms().sort(), ALL);
  assertEquals(rooms().sort(), ALL, "nothing was proved yet");
  recall().prove();
  assertEquals(rooms(), ["api_key_revision"]);
  deps.advance(1_000);
  assertEquals(rooms().sort(), ALL);
});

Deno.test("while the revision of all keys is not known, every request proves its own key", async () => {
  using deps = await testDeps();
  const { key, callers, recall, rooms } = await meet(deps);
  recall().prove();
  callers.forget("the key of somebody else");
  for (let request = 0; request < 2; request++) {
    assertEquals(rooms().sort(), ["api_keys", "plans"]);
    recall().prove();
  }
  await callers.authorize(key);
  assertEquals(rooms().sort(), ALL);
});

Deno.test("what was proved under another revision is proved again", async () => {
  using deps = await testDeps();
  const { callers, recall, rooms } = await meet(deps);
  recall().prove();
  callers.forget("the key of somebody else");
  const { key } = await enrol(deps, { plan: "builder" });
  await callers.authorize(key);
  assertEquals(rooms().sort(), ALL);
});

Deno.test("a key that is revoked or replaced changes the revision, and one that is created does not", async () => {
  using deps = await testDeps();
  const { id, key, wallet, recall, callers } = await meet(deps);
  const stands = async () => {
    const revision = recall().versions
      .filter(({ key: [room] }) => room === "api_key_revision");
    assertEquals(revision.length, 1);
    const { ok } = await deps.kv.atomic().check(...revision).commit();
    return ok;
  };
  const other = await enrol(deps, { plan: "builder" });
  assert(await stands());
  const order = { wallet, id: other.id, graceSeconds: 60, requestId: "r" };
  await rotateApiKey(deps, order);
  assert(!await stands());
  callers.forget(key);
  await callers.authorize(key);
  assert(await stands());
  await revokeApiKey(deps, id);
  assert(!await stands());
  await assertRejects(() => callers.authorize(key));
});
