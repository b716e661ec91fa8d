/** A hosted database that loses the answer of a commit: it is done once, and its caller learns that it was. */
import { assert, assertEquals } from "@std/assert";
import { dayAt } from "../../services/platform/days.ts";
import type { Faults } from "../support/kv_connect/faults.ts";
import { setFaults } from "../support/kv_connect/kv_connect.ts";
import { enrol } from "../support/callers.ts";
import { testDeps } from "../support/deps.ts";
import { newPayer, paidDeps } from "../support/evm/payers.ts";
import { databasePath, useHostedDatabases } from "../support/kv/hosted.ts";
import { assertSound } from "../support/kv/invariants.ts";
import { newOwner } from "../support/owners.ts";

await useHostedDatabases();

const BATCH = Array.from(
  { length: 3 },
  (_, nth) => `0x${String(nth).padStart(40, "0")}`,
);

/** Deno's client sends the commit again, or throws. */
const LOSSES: Readonly<Record<string, Partial<Faults>>> = {
  "the client repeats": { repeatedWrites: 1 },
  "the client gives up on": { lostAnswers: 1 },
};

for (const [name, faults] of Object.entries(LOSSES)) {
  const newPath = () => databasePath(`/${crypto.randomUUID()}`);

  Deno.test(`units whose commit ${name} are counted once`, async () => {
    const kvPath = newPath();
    using deps = await testDeps({ kvPath });
    const caller = await enrol(deps, { plan: "builder" });
    let counted = 0;
    for (let nth = 0; nth < 3; nth++) {
      await setFaults(kvPath, faults);
      const { status, text } = await caller.batch({ addresses: BATCH });
      assertEquals(status, 200, text);
      counted += BATCH.length;
      assertEquals(await caller.used(), counted);
    }
  });

  Deno.test(`requests of a day whose commit ${name} are counted once`, async () => {
    const kvPath = newPath();
    using deps = await testDeps({ kvPath });
    const { trafficHistory: { count, record }, store } = deps;
    count({ failed: false });
    await setFaults(kvPath, faults);
    await record();
    await record();
    const [{ requests } = {}] = await store.trafficDays.list(
      dayAt(deps.now().getTime()),
    );
    assertEquals(requests, 1);
  });

  Deno.test(`a payment whose commit ${name} is credited once, and its claim says so`, async () => {
    const kvPath = newPath();
    using deps = await paidDeps({ kvPath });
    const payer = await newPayer(deps);
    const { quoteId, amount } = await payer.quote("builder");
    const hash = payer.pay(BigInt(amount));
    // The first write counts the claim; the second one credits the payment.
    const { credit } = deps.store.payments;
    Object.assign(deps.store.payments, {
      async credit(...args: Parameters<typeof credit>) {
        await setFaults(kvPath, faults);
        return await credit(...args);
      },
    });
    const { status, body } = await payer.claim(quoteId, hash);
    assertEquals([status, body.status, body.plan], [200, "active", "builder"]);
    const { payments } = await payer.payments();
    assertEquals(payments.length, 1);
    await assertSound(deps.kv);
  });

  Deno.test(`a one-time message whose commit ${name} signs its owner in, once`, async () => {
    const kvPath = newPath();
    using deps = await testDeps({ kvPath });
    const owner = newOwner(deps);
    const proof = await owner.prove("session");
    await setFaults(kvPath, faults);
    const { status, text } = await owner.call("POST", "/session", {
      body: proof,
    });
    assertEquals(status, 200, text);
    const again = await owner.call("POST", "/session", { body: proof });
    assertEquals(again.status, 401, again.text);
  });

  Deno.test(`a sign-in at another site whose commit ${name} is taken once`, async () => {
    const kvPath = newPath();
    using deps = await testDeps({ kvPath });
    const { socialProofs } = deps.store;
    const state = {
      wallet: `0x${"aa".repeat(20)}`,
      session: "session",
      browser: "browser",
      codeVerifier: "verifier",
      expiresAt: deps.now().getTime() + 600_000,
    };
    await socialProofs.putState("hash", state);
    await setFaults(kvPath, faults);
    assertEquals(await socialProofs.takeState("hash"), state);
    assertEquals(await socialProofs.takeState("hash"), null);
  });

  Deno.test(`a key whose commit ${name} exists once, and its owner gets it`, async () => {
    const kvPath = newPath();
    using deps = await testDeps({ kvPath });
    const owner = newOwner(deps);
    await owner.signIn();
    const { add } = deps.store.apiKeys;
    Object.assign(deps.store.apiKeys, {
      async add(...args: Parameters<typeof add>) {
        await setFaults(kvPath, faults);
        return await add(...args);
      },
    });
    const { status, body } = await owner.createKey();
    assertEquals(status, 201);
    const account = (await owner.call("GET", "")).body;
    assertEquals(account.keys.map(({ id }: { id: string }) => id), [body.id]);
    const created = account.audit.filter(({ event }: { event: string }) =>
      event === "key.create"
    );
    assertEquals(created.length, 1);
    await assertSound(deps.kv);
  });
}

Deno.test("keyed requests get STORE_FULL with Retry-After while the database refuses writes, and reads go on", async () => {
  const kvPath = databasePath(`/${crypto.randomUUID()}`);
  using deps = await testDeps({ kvPath });
  const caller = await enrol(deps, { plan: "builder" });
  await setFaults(kvPath, { refusesWrites: true });
  const { status, body, headers } = await caller.batch({ addresses: BATCH });
  assertEquals([status, body.code], [500, "STORE_FULL"]);
  assert(Number(headers.get("Retry-After")) > 0);
  assertEquals(await caller.used(), 0);
  await setFaults(kvPath, { refusesWrites: false });
  assertEquals((await caller.batch({ addresses: BATCH })).status, 200);
  assertEquals(await caller.used(), BATCH.length);
});

Deno.test("a throttled database is STORE_BUSY with Retry-After, and nothing is counted", async () => {
  const kvPath = databasePath(`/${crypto.randomUUID()}`);
  using deps = await testDeps({ kvPath });
  const caller = await enrol(deps, { plan: "builder" });
  await setFaults(kvPath, { throttled: 1_000 });
  const { status, body, text, headers } = await caller.batch({
    addresses: BATCH,
  });
  assertEquals([status, body.code], [500, "STORE_BUSY"]);
  assertEquals(headers.get("Retry-After"), "2");
  assert(!text.includes("429"), text);
  await setFaults(kvPath, { throttled: 0 });
  assertEquals(await caller.used(), 0);
});
