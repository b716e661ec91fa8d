/** Batches of follower lookups: what one run reads, asks and answers at most. */
import { assertEquals } from "@std/assert";
import { lookUpFollowers } from "../../../services/scores/follower_lookups.ts";
import { testDeps } from "../../support/deps.ts";

type Deps = Parameters<typeof lookUpFollowers>[0];
type Lookup = Parameters<
  Deps["store"]["followerLookups"]["isNeeded"]
>[0];

/** Runs lookups of named followers; returns what was asked of the node and the store. */
async function run(
  followers: Iterable<string>,
  { isNeeded = true, waits = [] }: {
    isNeeded?: boolean;
    waits?: readonly number[];
  } = {},
) {
  using deps = await testDeps();
  const asked: string[][] = [];
  const answered: Record<string, number> = {};
  const slept: number[] = [];
  let needed = 0;
  const left = [...waits];
  const store: Deps["store"] = {
    ...deps.store,
    budgets: {
      ...deps.store.budgets,
      takeShared(...call) {
        const retryAfterMs = left.shift();
        return retryAfterMs === undefined
          ? deps.store.budgets.takeShared(...call)
          : Promise.resolve({
            allowed: false,
            retryAfterMs,
            party: undefined,
            limit: null,
          });
      },
    },
    followerLookups: {
      ...deps.store.followerLookups,
      async *list() {
        for (const follower of followers) yield { follower } as Lookup;
      },
      isNeeded() {
        needed++;
        return Promise.resolve(isNeeded);
      },
      answer([{ follower }, ...others]) {
        answered[follower] = 1 + others.length;
        return Promise.resolve();
      },
    },
  };
  const cChain: Deps["upstream"]["cChain"] = {
    ...deps.upstream.cChain,
    readNonces(addresses) {
      asked.push([...addresses]);
      const body = addresses.map((name) => name === "unknown" ? null : 0);
      return Promise.resolve({ body, source: "node" });
    },
  };
  const count = await lookUpFollowers({
    now: deps.now,
    runningJobs: deps.runningJobs,
    sleep: (ms) => {
      slept.push(ms);
      return Promise.resolve();
    },
    store,
    upstream: { ...deps.upstream, cChain },
  }, { proceed: () => Promise.resolve(true) });
  return { count, asked, answered, slept, needed };
}

const names = (count: number) =>
  Array.from({ length: count }, (_, nth) => `f${nth}`);

Deno.test("a run reads at most 20,000 entries", async () => {
  const { needed, asked } = await run(names(20_010), { isNeeded: false });
  assertEquals([needed, asked], [20_000, []]);
});

Deno.test("entries of one follower are answered together, at most 100 of them", async () => {
  const { count, asked, answered } = await run([
    ...names(1),
    ...Array(105).fill("a"),
    "b",
    "b",
    "unknown",
  ]);
  assertEquals(count, 3);
  assertEquals(asked, [["f0", "a", "b", "unknown"]]);
  assertEquals(answered, { f0: 1, a: 100, b: 2 });
});

Deno.test("a follower that was answered in a run is not asked for again, and one that was not is", async () => {
  const first = [...names(39), "unknown"];
  const { asked } = await run([...first, "f3", "unknown", "g"]);
  assertEquals(asked, [first, ["unknown", "g"]]);
});

Deno.test("a run waits up to 65 s for its next batch, and ends before a longer wait", async () => {
  const waited = await run(["a"], { waits: [1, 65_000] });
  assertEquals([waited.slept, waited.asked], [[1, 65_000], [["a"]]]);
  const ended = await run(["a"], { waits: [65_001] });
  assertEquals([ended.slept, ended.asked, ended.count], [[], [], 0]);
});
