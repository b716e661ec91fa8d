/** The KV Connect server of the tests behaves, to Deno's own client, as Deno KV does; its switches do what they say. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  setFaults,
  startKvConnect,
  takeAsked,
} from "../support/kv_connect/kv_connect.ts";
import { waitUntil } from "../support/wait_until.ts";

const server = await startKvConnect();

async function openTwo() {
  const url = server.newDatabase();
  const remote = await Deno.openKv(url);
  const local = await Deno.openKv(":memory:");
  return {
    url,
    remote,
    local,
    [Symbol.dispose]() {
      remote.close();
      local.close();
    },
  };
}

const VALUES: unknown[] = [
  null,
  undefined,
  0,
  -0,
  1n << 100n,
  "ü",
  new Uint8Array([0, 1, 255]),
  new Date(0),
  new Map([["a", new Set([1n])]]),
  { a: [1, { b: undefined }], __proto__: null },
  new Float64Array([1, NaN]),
];

const KEYS: Deno.KvKey[] = [
  [],
  [""],
  ["a"],
  ["a", 1],
  ["a", -1],
  ["a", NaN],
  ["a", 10n ** 20n],
  ["a", true],
  ["a", new Uint8Array([0, 0, 255])],
  ["a", "\0"],
  ["a", "b", "c"],
  ["a\0"],
  ["b"],
].filter((key) => key.length > 0);

Deno.test("values and keys come back from a hosted database as from a local one, in the same order", async () => {
  using two = await openTwo();
  for (const kv of [two.remote, two.local]) {
    for (const [nth, value] of VALUES.entries()) {
      await kv.set(["value", nth], value);
    }
    for (const key of KEYS) await kv.set(key, key.length);
  }
  const selectors: [Deno.KvListSelector, Deno.KvListOptions][] = [
    [{ prefix: [] }, {}],
    [{ prefix: ["a"] }, { reverse: true }],
    [{ prefix: [] }, { limit: 5, batchSize: 2 }],
    [{ start: ["a", 1], end: ["b"] }, {}],
    [{ prefix: ["a"], start: ["a", "b"] }, { limit: 1 }],
  ];
  for (const [selector, options] of selectors) {
    const [remote, local] = await Promise.all(
      [two.remote, two.local].map(async (kv) => {
        const entries = await Array.fromAsync(kv.list(selector, options));
        return entries.map(({ key, value }) => ({ key, value }));
      }),
    );
    assert(remote!.length > 0);
    assertEquals(remote, local);
  }
  const missing = await two.remote.get(["none"]);
  assertEquals([missing.value, missing.versionstamp], [null, null]);
  const many = await two.remote.getMany([["a"], ["none"], ["b"]]);
  assertEquals(many.map(({ value }) => value), [1, null, 1]);
});

Deno.test("a transaction is written whole or not at all, and all its records share a versionstamp", async () => {
  using two = await openTwo();
  const { remote: kv } = two;
  const first = await kv.atomic().check({ key: ["a"], versionstamp: null })
    .set(["a"], 1).set(["b"], 2).sum(["n"], 3n).commit();
  assert(first.ok);
  const refused = await kv.atomic().check({ key: ["a"], versionstamp: null })
    .set(["a"], 9).delete(["b"]).sum(["n"], 9n).commit();
  assertEquals(refused.ok, false);
  const entries = await kv.getMany([["a"], ["b"], ["n"]]);
  assertEquals(
    entries.map(({ value }) => value),
    [1, 2, new Deno.KvU64(3n)],
  );
  assert(
    entries.every(({ versionstamp }) => versionstamp === first.versionstamp),
  );
  const next = await kv.atomic()
    .check({ key: ["a"], versionstamp: first.versionstamp })
    .delete(["a"]).max(["n"], 7n).min(["n"], 5n).commit();
  assert(next.ok && next.versionstamp > first.versionstamp);
  const after = await kv.getMany([["a"], ["n"]]);
  assertEquals(after.map(({ value }) => value), [null, new Deno.KvU64(5n)]);
});

Deno.test("limits of Deno KV are refused by a hosted database as by a local one", async () => {
  using two = await openTwo();
  for (const kv of [two.remote, two.local]) {
    await kv.set(["whole"], new Uint8Array(65_536 - 100));
    await assertRejects(() => kv.set(["long"], "x".repeat(66_000)), TypeError);
    await assertRejects(
      () => kv.getMany(Array.from({ length: 11 }, (_, nth) => [nth])),
      TypeError,
    );
  }
});

Deno.test("watch() returns the watched entries after each change of one", async () => {
  using two = await openTwo();
  const { remote: kv } = two;
  await kv.set(["a"], 1);
  const reader = kv.watch<[number, number]>([["a"], ["b"]]).getReader();
  const values = async () =>
    (await reader.read()).value?.map(({ value }) => value);
  assertEquals(await values(), [1, null]);
  await kv.set(["other"], 1);
  await kv.set(["b"], 2);
  assertEquals(await values(), [1, 2]);
  await kv.delete(["a"]);
  assertEquals(await values(), [null, 2]);
  await reader.cancel();
});

Deno.test("each switch does what it says", async (t) => {
  using two = await openTwo();
  const { remote: kv, url } = two;
  const atomic = (value: number) =>
    kv.atomic().check({ key: [value], versionstamp: null })
      .set([value], value).commit();
  await t.step("a lost answer throws, and the write is done", async () => {
    await setFaults(url, { lostAnswers: 1 });
    await assertRejects(() => atomic(1), Error, "response body");
    assertEquals((await kv.get([1])).value, 1);
  });
  await t.step("a repeated write is refused by its own check", async () => {
    await setFaults(url, { repeatedWrites: 1 });
    assertEquals((await atomic(2)).ok, false);
    assertEquals((await kv.get([2])).value, 2);
  });
  await t.step("an unavailable database is asked again", async () => {
    await setFaults(url, { unavailable: 1 });
    await takeAsked(url);
    assertEquals((await kv.get([2])).value, 2);
    assertEquals((await takeAsked(url)).rounds, 2);
  });
  await t.step("throttling throws, and nothing is written", async () => {
    await setFaults(url, { throttled: 1 });
    await assertRejects(() => atomic(3), Error, "429");
    assertEquals((await kv.get([3])).value, null);
  });
  await t.step("refused writes throw, and reads go on", async () => {
    await setFaults(url, { refusesWrites: true });
    await assertRejects(() => atomic(4), Error, "Writes are disabled");
    assertEquals((await kv.get([4])).value, null);
    await setFaults(url, { refusesWrites: false });
  });
  await t.step("stale reads are for eventual consistency only", async () => {
    await setFaults(url, { isStale: true });
    await kv.set([2], "new");
    const stale = await kv.get([2], { consistency: "eventual" });
    assertEquals(stale.value, 2);
    const listed = await Array.fromAsync(
      kv.list({ prefix: [] }, { consistency: "eventual", reverse: true }),
    );
    assertEquals(listed.map(({ value }) => value), [2, 1]);
    await assertRejects(() => kv.get([2]), Error, "Strong consistency");
    await setFaults(url, { isStale: false });
    assertEquals((await kv.get([2])).value, "new");
  });
  await t.step("latency delays each request", async () => {
    await setFaults(url, { latencyMs: 94 });
    const before = performance.now();
    await kv.get([1]);
    assert(performance.now() - before >= 90);
    await setFaults(url, { latencyMs: 0 });
  });
});

Deno.test("a client goes on with a new token after its token has expired", async () => {
  const url = server.newDatabase();
  // Deno's client asks for a new token ten seconds before the old one ends.
  await setFaults(url, { tokenLifeMs: 10_100 });
  using kv = await Deno.openKv(url);
  await kv.set(["a"], 1);
  await setFaults(url, { expiresTokens: true, tokenLifeMs: 3_600_000 });
  await waitUntil(() => kv.get(["a"]).then(() => true, () => false));
  assert((await takeAsked(url)).exchanges >= 2);
});

Deno.test("a client without the access token, or with another one, is refused", async () => {
  const url = server.newDatabase();
  for (const authorization of ["", "Bearer another"]) {
    const response = await fetch(url, {
      method: "POST",
      headers: { Authorization: authorization },
      body: JSON.stringify({ supportedVersions: [3] }),
    });
    assertEquals(response.status, 401);
    await response.body?.cancel();
  }
});
