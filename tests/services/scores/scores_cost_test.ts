/** What a score costs the database: read rounds and commits. */
import { SERVICE } from "../../../services/platform/rate_limit/requesters.ts";
import { assert, assertEquals } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { readScore } from "../../../services/scores/scores.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { enrol } from "../../support/callers.ts";
import { countRounds } from "../../support/capacity.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { tapKv } from "../../support/kv/tapped_kv.ts";

/** Keys of different wallets that are in use, and an address each with stored signals. */
async function openKeys(deps: TestDeps, count: number) {
  const app = createApp(deps);
  const callers: { key: string; address: string }[] = [];
  for (let nth = 0; nth < count; nth++) {
    const wallet = `0x${String(nth).padStart(40, "0")}`;
    const { key } = await enrol(deps, { plan: "scale", wallet });
    const address = exampleOf("ordinary", nth);
    await readScore(deps, address, { requester: SERVICE });
    callers.push({ key, address });
  }
  const ask = async (key: string, address: string) => {
    const response = await app.fetch(
      new Request(`http://firn.test/api/v1/score/${address}`, {
        headers: { "X-Api-Key": key },
      }),
    );
    const { status, headers } = response;
    return { status, headers, body: await response.json() };
  };
  // The first request of a key shows whose it is; it scores somebody else.
  for (const { key } of callers) {
    assertEquals((await ask(key, callers[0]!.address)).status, 200);
  }
  return { callers, ask };
}

Deno.test("a score by a known key of an address with stored signals costs one read round and one commit", async () => {
  using deps = await testDeps();
  const { callers, ask } = await openKeys(deps, 2);
  const { key, address } = callers[1]!;
  const calls = tapKv(deps.kv);
  assertEquals((await ask(key, address)).status, 200);
  assertEquals([calls.reads.length, calls.commits], [1, 1]);
});

Deno.test("a score that this process has given before costs one commit and no read, a second later too", async () => {
  using deps = await testDeps();
  const { callers: [caller], ask } = await openKeys(deps, 1);
  const { key, address } = caller!;
  await ask(key, address);
  const calls = tapKv(deps.kv);
  const first = await ask(key, address);
  deps.advance(1_000);
  const second = await ask(key, address);
  assertEquals([calls.reads, calls.commits], [[], 2]);
  assertEquals([first.status, second.status], [200, 200]);
  const msOf = ({ body }: typeof first) => Date.parse(body.fetchedAt);
  assertEquals(msOf(second) - msOf(first), 1_000);
});

Deno.test("20 scores at once, each by another key, share their reads and commits", async () => {
  using deps = await testDeps();
  const { callers, ask } = await openKeys(deps, 20);
  const askAll = async () => {
    const answers = await Promise.all(
      callers.map(({ key, address }) => ask(key, address)),
    );
    for (const { status } of answers) assertEquals(status, 200);
  };
  const met = tapKv(deps.kv);
  await askAll();
  const asked = met.reads.flat();
  assert(met.reads.length <= Math.ceil(asked.length / 10));
  assertEquals(new Set(asked.map(String)).size, asked.length, "none twice");
  assert(met.commits < 20);
  const [reads, commits] = [met.reads.length, met.commits];
  await askAll();
  assertEquals([met.reads.length - reads, met.commits - commits], [0, 2]);
});

Deno.test("50 scores at once by one key are two commits", async () => {
  using deps = await testDeps();
  const { callers: [caller], ask } = await openKeys(deps, 1);
  const { key, address } = caller!;
  await ask(key, address);
  // The service does so by a timer.
  await deps.trafficHistory.record();
  deps.advance(60_000);
  const calls = tapKv(deps.kv);
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => ask(key, address)),
  );
  assertEquals([calls.reads, calls.commits], [[], 2]);
  const left = answers.map(({ headers }) =>
    Number(headers.get("X-RateLimit-Remaining"))
  ).sort((a, b) => b - a);
  assertEquals(left, Array.from({ length: 50 }, (_, nth) => left[0]! - nth));
});

Deno.test("a cold score waits for the database three times, and once for the index and the node together", async () => {
  assertEquals(await countRounds("ordinary"), 4);
});
