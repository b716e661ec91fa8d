/** How often one client may ask, and who counts as one. */
import { assert, assertEquals } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { testDeps } from "../../support/deps.ts";
import { keyPair, newOwner } from "../../support/owners.ts";

Deno.test("each client gets 12 messages a minute", async () => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  const body = { address: owner.wallet, action: "session" };
  const ask = (client: string) =>
    owner.call("POST", "/challenges", { body, client });
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => ask("203.0.113.9")),
  );
  assertEquals(answers.filter(({ status }) => status === 200).length, 12);
  const refused = answers.find(({ status }) => status === 429)!;
  assertEquals(refused.body.code, "RATE_LIMITED");
  assert(Number(refused.headers.get("Retry-After")) >= 60);
  assertEquals((await ask("203.0.113.10")).status, 200);
  deps.advance(Number(refused.headers.get("Retry-After")) * 1_000);
  assertEquals((await ask("203.0.113.9")).status, 200);
});

Deno.test("a client creates 20 keys a day over all its wallets, and a refusal does not use up its message", async () => {
  using deps = await testDeps();
  const keyName = "farm";
  for (let nth = 1; nth <= 20; nth++) {
    const owner = newOwner(deps, keyPair(nth));
    deps.advance(60_000);
    await owner.signIn();
    assertEquals((await owner.createKey(keyName)).status, 201);
  }
  const owner = newOwner(deps, keyPair(21));
  deps.advance(61_000);
  await owner.signIn();
  const proof = await owner.prove("key.create", { keyName });
  const body = { ...proof, keyName };
  const refused = await owner.call("POST", "/keys", { body });
  assertEquals(refused.status, 429);
  const client = "203.0.113.10";
  assertEquals(
    (await owner.call("POST", "/keys", { body, client })).status,
    201,
  );
});

Deno.test("the client of a real connection is identified by the connection, whatever the headers contain", async () => {
  using deps = await testDeps();
  await using server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    onListen() {},
  }, createApp(deps).fetch);
  const url = `http://127.0.0.1:${server.addr.port}/api/account`;
  const ask = async (nth: number) => {
    const { status, body } = await fetch(`${url}/challenges`, {
      method: "POST",
      headers: {
        "Origin": deps.publicUrl,
        "Content-Type": "application/json",
        "X-Forwarded-For": `198.51.100.${nth}`,
        "Forwarded": `for=198.51.100.${nth}`,
        "X-Real-IP": `198.51.100.${nth}`,
      },
      body: JSON.stringify({
        address: keyPair().address,
        action: "session",
      }),
    });
    await body?.cancel();
    return status;
  };
  const statuses = await Promise.all(
    Array.from({ length: 15 }, (_, nth) => ask(nth)),
  );
  assertEquals(statuses.sort(), [
    ...Array.from({ length: 12 }, () => 200),
    ...Array.from({ length: 3 }, () => 429),
  ]);
  const signOut = await fetch(`${url}/session`, {
    method: "DELETE",
    headers: { Origin: deps.publicUrl },
  });
  assertEquals(signOut.status, 204);
});
