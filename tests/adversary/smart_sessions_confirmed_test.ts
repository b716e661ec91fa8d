/** A smart account's session lasts only while its contract accepts the signature that started it. */
import { assertEquals } from "@std/assert";
import type { PrivateKeyAccount } from "viem/accounts";
import { createApp } from "../../routes/app.ts";
import { testDeps } from "../support/deps.ts";
import { nodeWith } from "../support/evm/rpc_node.ts";
import { newOwner } from "../support/owners.ts";

const ACCOUNT = `0x${"ac".repeat(20)}` as const;
const HOUR_MS = 3_600_000;

/** Opens a service whose node has the contract of a smart account. */
async function openAccount() {
  const state = { accepts: true, isDown: false };
  const node = nodeWith({
    eth_getCode: () => "0x60",
    eth_call: () =>
      `${state.accepts ? "0x1626ba7e" : "0xffffffff"}${"0".repeat(56)}`,
  });
  const deps = await testDeps({
    settings: { C_CHAIN_RPC_URL: "http://node.test" },
    async fetch(input, init) {
      if (state.isDown) throw new TypeError("connection refused");
      return await node(new Request(input, init));
    },
  });
  const signer = {
    address: ACCOUNT,
    signMessage: () => Promise.resolve("0x1234"),
  } as unknown as PrivateKeyAccount;
  const owner = newOwner(deps, signer);
  await owner.signIn();
  const read = async () => (await owner.call("GET", "")).status;
  return { deps, owner, state, read, [Symbol.dispose]: () => deps.kv.close() };
}

Deno.test("a signed action asks the contract at once", async () => {
  using account = await openAccount();
  const { owner, state, read } = account;
  assertEquals((await owner.createKey()).status, 201);
  const params = { keyName: "thief", kind: "live" };
  const proof = await owner.prove("key.create", params);
  state.accepts = false;
  const body = { ...proof, ...params };
  const { status, body: refused } = await owner.call("POST", "/keys", { body });
  assertEquals([status, refused.code], [401, "SIGNED_OUT"]);
  assertEquals(await read(), 401);
});

Deno.test("while no node responds, the session waits and does not end", async () => {
  using account = await openAccount();
  const { deps, state, read } = account;
  deps.advance(HOUR_MS);
  state.isDown = true;
  assertEquals(await read(), 503);
  state.isDown = false;
  deps.advance(60_000);
  assertEquals(await read(), 200);
});

Deno.test("while no node responds, public pages are served as to a visitor without a session", async () => {
  using account = await openAccount();
  const { deps, owner, state, read } = account;
  const body = { displayName: "Ada", slug: "ada", linksPublic: true };
  assertEquals((await owner.call("PUT", "/profile", { body })).status, 200);
  const app = createApp(deps);
  const open = async (path: string) => {
    const headers = { Accept: "text/html", Cookie: owner.cookie() };
    const response = await app.request(path, { headers });
    const isOwn = (await response.text()).includes("Edit your profile");
    return [response.status, isOwn];
  };
  const paths = ["/profiles/ada", `/tools/score/${ACCOUNT}`];
  for (const path of paths) assertEquals(await open(path), [200, true], path);
  deps.advance(HOUR_MS);
  state.isDown = true;
  for (const path of paths) assertEquals(await open(path), [200, false], path);
  state.isDown = false;
  deps.advance(60_000);
  assertEquals(await read(), 200);
});
