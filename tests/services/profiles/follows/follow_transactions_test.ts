/** Changes of the follow graph stay within the limits of one Deno KV transaction. */
import { assert, assertEquals } from "@std/assert";
import {
  type Change,
  followStore,
} from "../../../../services/profiles/follows/follows_store.ts";
import { addressOf } from "../../../support/graph.ts";

const HOUR_MS = 3_600_000;
const [A, B] = [addressOf(1), addressOf(2)] as const;

const follow = (follower: string, followee: string, at: number): Change => {
  return { kind: "follow", follower, followee, at };
};

/** Opens an in-memory store that records how many records each transaction checks. */
async function open() {
  const kv = await Deno.openKv(":memory:");
  const checks: number[] = [];
  const atomic = kv.atomic.bind(kv);
  kv.atomic = () => {
    const operation = atomic();
    const check = operation.check.bind(operation);
    operation.check = (...some) => {
      checks.push(some.length);
      return check(...some);
    };
    return operation;
  };
  const follows = followStore(kv);
  return { kv, checks, follows, [Symbol.dispose]: () => kv.close() };
}

Deno.test("following a hundred popular addresses at once takes more than one transaction", async () => {
  using store = await open();
  const { follows, kv } = store;
  const hours = Array.from({ length: 336 }, (_, hour) => hour * HOUR_MS);
  const busy = hours.map((at, nth) => follow(addressOf(nth + 1_000), A, at));
  await follows.changeAll(busy);
  const copies = Array.from({ length: 99 }, (_, nth) => addressOf(nth + 10));
  const record = await kv.get(["graphs", A]);
  const table = await kv.get(["graphs", A, "hours", 0]);
  for (const copy of copies) {
    await kv.set(["graphs", copy], record.value);
    await kv.set(["graphs", copy, "hours", 0], table.value);
  }
  const { change } = followStore(kv);
  await Promise.all(copies.map((copy) => change(follow(B, copy, 9))));
  for (const copy of copies) {
    assertEquals((await follows.findGraph(copy)).followers, 337);
  }
});

Deno.test("following a hundred addresses with years of followers takes more than one transaction", async () => {
  using store = await open();
  const { follows, kv } = store;
  const years = Array.from({ length: 400 }, (_, nth) => nth * 336 * HOUR_MS);
  const busy = years.map((at, nth) => follow(addressOf(nth + 1_000), A, at));
  await follows.changeAll(busy);
  const copies = Array.from({ length: 99 }, (_, nth) => addressOf(nth + 10));
  const record = await kv.get(["graphs", A]);
  for (const copy of copies) await kv.set(["graphs", copy], record.value);
  const { change } = followStore(kv);
  await Promise.all(copies.map((copy) => change(follow(B, copy, 9))));
  for (const copy of copies) {
    assertEquals((await follows.findGraph(copy)).followers, 401);
  }
});

Deno.test("a transaction checks at most a hundred records, which is the limit of Deno KV", async () => {
  using store = await open();
  const { checks, follows } = store;
  const pairs = Array.from(
    { length: 100 },
    (_, nth) => [addressOf(nth + 1_000), addressOf(nth + 2_000)] as const,
  );
  const changes = pairs.map(([follower, followee]) =>
    follow(follower, followee, 9)
  );
  await follows.changeAll(changes);
  for (const [, followee] of pairs) {
    assertEquals((await follows.findGraph(followee)).followers, 1);
  }
  assert(checks.length > 1);
  assertEquals(checks.filter((count) => count > 100), []);
});
