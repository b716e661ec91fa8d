/** Scores for people without a key: what they cost, and what they may show. */
import {
  type CallCounts,
  SERVICE,
  visitorRequester,
} from "../../../services/platform/rate_limit/call_budget.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { DAY_MS } from "../../../services/platform/days.ts";
import { Fault } from "../../../services/platform/fault.ts";
import {
  addToWaiting,
  lastHeadlineOf,
  readBadgeScore,
  retryAfterOf,
  scoreWithinBudget,
} from "../../../services/scores/public_scores.ts";
import { readScore } from "../../../services/scores/scores.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { timeoutsOf } from "../../support/timeouts.ts";
import { waitUntil } from "../../support/wait_until.ts";

const ADDRESS = exampleOf("ordinary");

const callsOf = ({ upstreams: { explorer, cChainRpc } }: TestDeps) =>
  explorer.calls.length + cChainRpc.calls.length;

/** Scores new addresses, of the same kind, until the budget refuses; returns how many. */
async function exhaust(
  deps: TestDeps,
  priority: "reader" | "job",
): Promise<number> {
  for (let nth = 0;; nth++) {
    const address = exampleOf("unused", nth);
    const { read } = await scoreWithinBudget(deps, address, { priority });
    if (read === null) return nth;
  }
}

Deno.test("scoreWithinBudget() scores as a keyed read does, and records the point", async () => {
  using deps = await testDeps();
  const { read } = await scoreWithinBudget(deps, ADDRESS, {
    priority: "reader",
  });
  assertEquals(read, await readScore(deps, ADDRESS, { requester: SERVICE }));
  assertEquals(
    lastHeadlineOf(await deps.store.scores.find(ADDRESS)),
    {
      score: read!.headline.score,
      tier: read!.headline.tier,
      tierLabel: read!.headline.tierLabel,
      date: "2026-11-21",
    },
  );
});

Deno.test("scoreWithinBudget() is one budget for all, of which jobs leave half", async () => {
  using deps = await testDeps();
  const byJob = await exhaust(deps, "job");
  // The clock moves on where upstream wants a pause, so it may be a few more.
  assert(byJob >= 20 && byJob < 40, `${byJob}`);
  const before = callsOf(deps);
  const refused = await scoreWithinBudget(deps, ADDRESS, { priority: "job" });
  assertEquals(refused.read, null);
  assertEquals(callsOf(deps), before, "a refusal costs no call");
  const asked = { priority: "reader" } as const;
  assert((await scoreWithinBudget(deps, ADDRESS, asked)).read);
});

Deno.test("scoreWithinBudget() counts concurrent callers of one address once", async () => {
  using deps = await testDeps();
  const together = Array.from(
    { length: 50 },
    () => scoreWithinBudget(deps, ADDRESS, { priority: "reader" }),
  );
  const answers = await Promise.all(together);
  assertEquals(new Set(answers.map(({ read }) => read)).size, 1);
  const { value } = await deps.kv.get<CallCounts>(
    ["budgets", "public-scores"],
  );
  assertEquals(
    value!.counts.map((slots) => slots.map(([, n]) => n)),
    [
      [1],
      [1],
    ],
  );
});

Deno.test("scoreWithinBudget() scores 1,000 addresses a day for people, a tenth of what the explorer index allows", async () => {
  using deps = await testDeps();
  const ask = async (nth: number) => {
    const asked = { priority: "reader" } as const;
    return (await scoreWithinBudget(deps, exampleOf("unused", nth), asked))
      .read;
  };
  assert(await ask(0));
  const key = ["budgets", "public-scores"];
  const { value } = await deps.kv.get<CallCounts>(key);
  const [minute, day] = value!.counts;
  const slot = day!.at(-1)![0];
  const setDay = (calls: number) =>
    deps.kv.set(key, {
      ...value,
      counts: [minute, [[slot, calls]]],
    });
  await setDay(999);
  assert(await ask(1));
  await setDay(1_000);
  assertEquals(await ask(2), null);
});

/** Returns dependencies whose explorer answers when two reads have begun or joined one another. */
function heldUntilTwo(deps: TestDeps): TestDeps {
  const keys: string[] = [];
  const share: TestDeps["share"] = (key, ...rest) => {
    keys.push(key);
    return deps.share(key, ...rest);
  };
  const areBoth = () => {
    const joined = keys.length - new Set(keys).size;
    const reads = new Set(keys.filter((key) => key.startsWith("signals/")));
    return reads.size + joined >= 2;
  };
  const { explorer } = deps.upstream;
  const readAccount: typeof explorer.readAccount = async (...call) => {
    await waitUntil(areBoth);
    return await explorer.readAccount(...call);
  };
  const upstream = { ...deps.upstream, explorer: { ...explorer, readAccount } };
  return { ...deps, share, upstream };
}

Deno.test("a person does not wait for the read of a job", async () => {
  const requester = visitorRequester("192.0.2.1");
  const reads = [
    (deps: TestDeps) => readScore(deps, ADDRESS, { requester }),
    (deps: TestDeps) => readScore(deps, ADDRESS, { requester: SERVICE }),
    (deps: TestDeps) =>
      scoreWithinBudget(deps, ADDRESS, { priority: "reader" }),
  ];
  for (const read of reads) {
    using deps = await testDeps();
    const held = heldUntilTwo(deps);
    const waits = await timeoutsOf(() =>
      Promise.all([
        scoreWithinBudget(held, ADDRESS, { priority: "job" }),
        read(held),
      ])
    );
    // Each of both reads has its own: of its calls, and of all. The others are those of
    // single calls.
    const ofAll = waits.filter((ms) => ms > 8_000);
    assertEquals(ofAll, [9_000, 10_000, 9_000, 10_000]);
  }
});

Deno.test("scoreWithinBudget() says that upstream is down", async () => {
  using deps = await testDeps();
  deps.upstreams.explorer.switch.set({ mode: "refuse" });
  const { failure } = await assertRejects(
    () => scoreWithinBudget(deps, ADDRESS, { priority: "reader" }),
    Fault,
  );
  assertEquals(failure.kind, "scoringDown");
});

Deno.test("readBadgeScore() never calls upstream, and queues an address without a current score", async (t) => {
  using deps = await testDeps();
  const { waitingScores } = deps.store;
  await t.step("never scored", async () => {
    assertEquals(await readBadgeScore(deps, ADDRESS), {
      headline: null,
      composite: null,
      verifiedHuman: null,
      strengths: [],
    });
    assertEquals(await waitingScores.list(), [ADDRESS]);
    assertEquals(callsOf(deps), 0);
  });
  const { headline, s4 } = await readScore(deps, ADDRESS, {
    requester: SERVICE,
  });
  const made = callsOf(deps);
  await waitingScores.remove(ADDRESS);
  await t.step("scored today", async () => {
    const badge = await readBadgeScore(deps, ADDRESS);
    assertEquals(badge.headline, headline);
    assertEquals(badge.composite, s4.composite);
    assertEquals(await waitingScores.list(), []);
  });
  await t.step("scored on another day", async () => {
    deps.advance(32 * DAY_MS);
    assert((await readBadgeScore(deps, ADDRESS)).headline);
    assertEquals(await waitingScores.list(), [ADDRESS]);
  });
  await t.step("its signals are deleted", async () => {
    await deps.kv.delete(["signals", ADDRESS]);
    const { score, tier, tierLabel } = headline;
    const last = (await readBadgeScore(deps, ADDRESS)).headline!;
    assertEquals([last.score, last.tier, last.tierLabel], [
      score,
      tier,
      tierLabel,
    ]);
  });
  assertEquals(callsOf(deps), made);
});

Deno.test("addToWaiting() counts what is added alone, and logs an error of the store, but no refusal", async () => {
  using deps = await testDeps();
  const counted = async () => {
    const { value } = await deps.kv.get<CallCounts>(
      ["budgets", "waiting-scores"],
    );
    return (value?.counts[0] ?? [])
      .reduce((sum, [, calls]) => sum + calls, 0);
  };
  const logged: unknown[] = [];
  const log = (event: string, facts: unknown) => logged.push([event, facts]);
  const add = (changed: Partial<typeof deps.store.waitingScores> = {}) => {
    const waitingScores = { ...deps.store.waitingScores, ...changed };
    const store = { ...deps.store, waitingScores };
    return addToWaiting({ ...deps, log, store } as never, ADDRESS, "192.0.2.1");
  };
  await add();
  assertEquals(await counted(), 1);
  await add({ hasRoomFor: () => Promise.resolve(false) });
  assertEquals(await counted(), 1, "already waiting");
  const error = new Error("no database");
  await add({ hasRoomFor: () => Promise.reject(error) });
  assertEquals(logged, [["score.unlisted", { error }]]);
  for (let nth = 0; nth < 250; nth++) {
    await add({ hasRoomFor: () => Promise.resolve(true) });
  }
  assertEquals([await counted(), logged.length], [250, 1]);
});

Deno.test("scoreWithinBudget() takes an error of a network's count for a bug, and its refusal for a wait", async () => {
  using deps = await testDeps();
  const ask = (take: typeof deps.store.budgets.take) => {
    const budgets = { ...deps.store.budgets, take };
    const store = { ...deps.store, budgets };
    const asked = { priority: "reader", client: "192.0.2.1" } as const;
    return scoreWithinBudget({ ...deps, store }, ADDRESS, asked);
  };
  const bug = new TypeError("a bug");
  await assertRejects(() => ask(() => Promise.reject(bug)), TypeError, "a bug");
  const refused = {
    allowed: false,
    retryAfterMs: 7_000,
    limit: null,
    party: undefined,
  } as const;
  assertEquals(await ask(() => Promise.resolve(refused)), {
    read: null,
    retryAfterMs: 7_000,
  });
});

Deno.test("retryAfterOf() is 0 for a fault without a wait", () => {
  assertEquals(retryAfterOf(new Fault("no", { kind: "unknownFile" })), 0);
  assertEquals(
    retryAfterOf(new Fault("no", { kind: "contended", retryAfterMs: 9 })),
    9,
  );
});
