/** Commits that conflict or meet a locked database: when they are tried again, and when not. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { stub } from "@std/testing/mock";
import { Fault } from "../../../../services/platform/fault.ts";
import {
  addReceipt,
  checkAndSet,
  commitOnce,
  retryConflicts,
  takeOnce,
} from "../../../../services/platform/kv/commit.ts";
import { tapKv } from "../../../support/kv/tapped_kv.ts";

const KEY = ["record"];

let receipts = 0;

/** Adds one to a record; returns its value, and how often the database was asked. */
async function addOne(
  kv: Deno.Kv,
  onCommit: Parameters<typeof tapKv>[1],
  known: Parameters<typeof checkAndSet>[3] = {},
) {
  const calls = tapKv(kv, onCommit);
  const versions: string[] = [];
  const receipt = ["receipts", receipts++];
  const value = await checkAndSet<number, number>(
    kv,
    KEY,
    ({ value: held }) => {
      const value = (held ?? 0) + 1;
      return {
        value,
        write(atomic) {
          addReceipt(atomic, receipt);
          return atomic.set(KEY, value).set(receipt, true);
        },
        onCommit: (versionstamp) => versions.push(versionstamp),
      };
    },
    known,
  );
  const reads = calls.reads.filter(([key]) => key![0] === KEY[0]);
  return { value, reads, commits: calls.commits, versions: versions.length };
}

Deno.test("a commit is tried again after a conflict and while the database is locked, and no other error is hidden", async () => {
  using kv = await Deno.openKv(":memory:");
  let left = 2;
  const locked = await addOne(
    kv,
    (commit) =>
      left-- > 0
        ? Promise.reject(new TypeError("database is locked"))
        : commit(),
  );
  assertEquals([locked.value, locked.commits, locked.versions], [1, 3, 1]);
  using other = await Deno.openKv(":memory:");
  const full = new Error("no space");
  await assertRejects(
    () => addOne(other, () => Promise.reject(full)),
    Error,
    "no space",
  );
  assertEquals((await other.get(KEY)).value, null);
  using third = await Deno.openKv(":memory:");
  tapKv(third, () => Promise.reject(new TypeError("database is locked")));
  assertEquals(await commitOnce(third, third.atomic().set(KEY, 1)), null);
});

Deno.test("a commit whose answer is lost counts as written if its receipt is there, and reports no version", async () => {
  using kv = await Deno.openKv(":memory:");
  const lost = await addOne(kv, async (commit) => {
    await commit();
    throw new Error("connection lost");
  });
  assertEquals([lost.value, lost.commits, lost.versions], [1, 1, 0]);
  using conflicted = await Deno.openKv(":memory:");
  const again = await addOne(conflicted, async (commit) => {
    await commit();
    return { ok: false };
  });
  assertEquals([again.value, again.commits, again.versions], [1, 1, 0]);
  using refused = await Deno.openKv(":memory:");
  const fault = new Fault("full", { kind: "storeFull", retryAfterMs: 1 });
  const error = await assertRejects(() =>
    addOne(refused, async (commit) => {
      await commit();
      throw fault;
    })
  );
  assertEquals(error, fault);
});

Deno.test("takeOnce() returns the value also if the response of its commit is lost, or the commit repeated", async () => {
  const value = { given: "once" };
  const losses: Parameters<typeof tapKv>[1][] = [
    async (commit) => {
      await commit();
      throw new Error("connection lost");
    },
    async (commit) => {
      await commit();
      return { ok: false };
    },
  ];
  for (const lose of losses) {
    using kv = await Deno.openKv(":memory:");
    await kv.set(KEY, value);
    const calls = tapKv(kv, lose);
    assertEquals(await takeOnce(kv, KEY, { expireIn: 60_000 }), value);
    assertEquals(await takeOnce(kv, KEY, { expireIn: 60_000 }), null);
    assertEquals(calls.commits, 1);
  }
});

Deno.test("a decision by known entries is verified: by its commit, or by a read if it writes nothing", async () => {
  using kv = await Deno.openKv(":memory:");
  const known = [await kv.get(KEY)];
  const right = await addOne(kv, undefined, { known });
  assertEquals([right.value, right.reads, right.commits], [1, [], 1]);
  const wrong = await addOne(kv, undefined, { known });
  assertEquals([wrong.value, wrong.reads, wrong.commits], [2, [[KEY]], 2]);
  const guessed = await addOne(kv, undefined, { known, isGuess: true });
  assertEquals([guessed.value, guessed.reads.length], [3, 1]);
  const { reads } = tapKv(kv);
  const held = await checkAndSet<number, number | null>(
    kv,
    KEY,
    ({ value }, [also]) => ({ value: value! + Number(also!.value) }),
    { known: [known[0]!, known[0]!], also: [KEY] },
  );
  assertEquals([held, reads], [6, [[KEY, KEY]]]);
});

Deno.test("retryConflicts() gives up after 300 attempts, with a pause of at most 50 ms after every other one", async () => {
  let attempts = 0;
  const pauses: number[] = [];
  using _random = stub(Math, "random", () => 1);
  using _timer = stub(
    globalThis,
    "setTimeout",
    ((
      resolve: () => void,
      ms: number,
    ) => {
      pauses.push(ms);
      queueMicrotask(resolve);
      return 0;
    }) as never,
  );
  const given = await retryConflicts(() => {
    attempts++;
    return Promise.resolve(null);
  });
  assertEquals([given, attempts, pauses.length], [null, 300, 150]);
  assertEquals(pauses.slice(0, 4), [2, 8, 32, 50]);
  assert(pauses.slice(4).every((ms) => ms === 50));
});

Deno.test("checkAndSet() names the contended key, and takeOnce() gives a value to one of several callers", async () => {
  using kv = await Deno.openKv(":memory:");
  const value = { given: "once" };
  await kv.set(KEY, value);
  const take = () => takeOnce<typeof value>(kv, KEY, { expireIn: 60_000 });
  const taken = await Promise.all([take(), take()]);
  assertEquals(taken.filter((one) => one !== null), [value]);
  assertEquals(await take(), null);
  using _timer = stub(
    globalThis,
    "setTimeout",
    ((resolve: () => void) => {
      queueMicrotask(resolve);
      return 0;
    }) as never,
  );
  const { failure, message, cause } = await assertRejects(
    () => addOne(kv, () => Promise.resolve({ ok: false })),
    Fault,
  );
  assertEquals(failure, { kind: "contended", retryAfterMs: 1_000 });
  assertEquals(message, "Cannot write: too many others write the same record");
  assertEquals(cause, KEY);
});
