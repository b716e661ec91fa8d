/** Replaced keys. */
import { assert, assertEquals } from "@std/assert";
import {
  createApiKey,
  rotateApiKey,
} from "../../../services/accounts/api_keys.ts";
import { testDeps } from "../../support/deps.ts";

const WALLET = `0x${"aa".repeat(20)}`;

Deno.test("rotateApiKey() returns a new key, and the old one ends after the seconds that are given", async () => {
  using deps = await testDeps();
  const old = (await createApiKey(deps, { wallet: WALLET, name: "test" }))!;
  const order = {
    wallet: WALLET,
    id: old.id,
    graceSeconds: 60,
    requestId: "r",
  };
  const replaced = await rotateApiKey(deps, order);
  assert(typeof replaced === "object");
  assertEquals([replaced.name, replaced.id === old.id], ["test", false]);
  const ids = async () =>
    (await deps.store.apiKeys.list(WALLET, deps.now().getTime()))
      .map(({ id }) => id).sort();
  assertEquals(await ids(), [old.id, replaced.id].sort());
  deps.advance(59_999);
  assertEquals((await ids()).length, 2);
  deps.advance(1);
  assertEquals(await ids(), [replaced.id]);
  assertEquals(await rotateApiKey(deps, { ...order, id: "none" }), "unknown");
});
