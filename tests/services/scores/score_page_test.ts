/** The page of an address: when it costs upstream calls, and what it shows if it may not make any. */
import {
  type CallCounts,
  SERVICE,
} from "../../../services/platform/rate_limit/call_budget.ts";
import {
  assert,
  assertEquals,
  assertRejects,
  assertStrictEquals,
} from "@std/assert";
import { DAY_MS, dayAt } from "../../../services/platform/days.ts";
import { newProfile } from "../../../services/profiles/profile.ts";
import { upstreamDown } from "../../../services/platform/fault.ts";
import {
  readScorePage,
  scoreWithinBudget,
} from "../../../services/scores/public_scores.ts";
import { findScore, readScore } from "../../../services/scores/scores.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { withSlowExplorer } from "../../support/scores/slow_explorer.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { waitUntil } from "../../support/wait_until.ts";

const ADDRESS = exampleOf("ordinary");

const callsOf = ({ upstreams: { explorer, cChainRpc } }: TestDeps) =>
  explorer.calls.length + cChainRpc.calls.length;

/** Uses up what people without a key may have scored. */
async function exhaust(deps: TestDeps): Promise<void> {
  for (let nth = 0;; nth++) {
    const address = exampleOf("unused", nth);
    const options = { priority: "reader" } as const;
    const { read } = await scoreWithinBudget(deps, address, options);
    if (read === null) return;
  }
}

Deno.test("readScorePage() scores an address that was never scored, and then reads the store alone", async () => {
  using deps = await testDeps();
  const page = await readScorePage(deps, ADDRESS);
  const made = callsOf(deps);
  assert(made > 0);
  assertEquals(
    page.read,
    await readScore(deps, ADDRESS, { requester: SERVICE }),
  );
  assertEquals([page.signals, page.obstacle], ["fresh", null]);
  assertEquals(page.history.points, [{
    date: "2026-11-21",
    score: page.read!.headline.score,
    model: "s4-2026.3",
  }]);
  deps.advance(DAY_MS / 2);
  await readScorePage(deps, ADDRESS);
  assertEquals(callsOf(deps), made);
});

Deno.test("readScorePage() without budget calls no upstream, and puts the address on the list", async (t) => {
  using deps = await testDeps();
  await exhaust(deps);
  const made = callsOf(deps);
  await t.step("never scored", async () => {
    const { read, signals, obstacle, last } = await readScorePage(
      deps,
      ADDRESS,
    );
    assertEquals({ read, signals, obstacle, last }, {
      read: null,
      signals: "none",
      obstacle: "busy",
      last: null,
    });
    assertEquals(await deps.store.waitingScores.list(), [ADDRESS]);
  });
  assertEquals(callsOf(deps), made);
});

Deno.test("readScorePage() shows what is stored while upstream is down", async (t) => {
  using deps = await testDeps();
  const { headline } = await readScore(deps, ADDRESS, { requester: SERVICE });
  deps.upstreams.explorer.switch.set({ mode: "refuse" });
  await t.step("the score, of any age", async () => {
    deps.advance(32 * DAY_MS);
    const { read, signals, obstacle } = await readScorePage(deps, ADDRESS);
    assert(read);
    assertEquals([signals, obstacle], ["stale", "down"]);
  });
  await t.step("without signals, the last headline", async () => {
    await deps.kv.delete(["signals", ADDRESS]);
    const { read, obstacle, last } = await readScorePage(deps, ADDRESS);
    assertEquals([read, obstacle], [null, "down"]);
    assertEquals(last!.score, headline.score);
    assertEquals(await deps.store.waitingScores.list(), [ADDRESS]);
  });
});

Deno.test("readScorePage() does not wait longer than the visitor, and the score is there a little later", async () => {
  using deps = await testDeps();
  const { slow, answer } = withSlowExplorer(deps);
  const visit = { patienceMs: 1 };
  for (const _ of ["the first visitor", "the page when it looks again"]) {
    const { read, obstacle, retryAfterMs } = await readScorePage(
      slow,
      ADDRESS,
      visit,
    );
    assertEquals([read, obstacle, retryAfterMs], [null, "reading", 2_000]);
  }
  answer();
  await waitUntil(async () =>
    (await findScore(deps, ADDRESS))?.freshness === "fresh"
  );
  const { read, obstacle } = await readScorePage(slow, ADDRESS, visit);
  assert(read);
  assertEquals(obstacle, null);
  const { value } = await deps.kv.get<CallCounts>(
    ["budgets", "public-scores"],
  );
  assertEquals(value!.counts[0]!.map(([, calls]) => calls), [1]);
  assertEquals(deps.lines, []);
});

Deno.test("readScorePage() shows the figures of the address", async () => {
  using deps = await testDeps();
  const { figures, standing } = await readScorePage(deps, ADDRESS);
  const [stored] = await deps.store.signals.findAll([ADDRESS]);
  const { signals } = stored!;
  assertEquals(figures!.transactions, signals.nonce);
  assertEquals(figures!.activeDays, signals.use.days.length);
  assertEquals(figures!.gasAvax, signals.gasAvax);
  assertEquals(
    figures!.firstDay,
    new Date(signals.firstTxAt!).toISOString().slice(0, 10),
  );
  assert(["entered", "midway", "close"].includes(standing!));
});

Deno.test("readScorePage() shows 90 days of headline scores, oldest first", async () => {
  using deps = await testDeps();
  await readScore(deps, ADDRESS, { requester: SERVICE });
  const today = dayAt(deps.now().getTime());
  const [point] = (await deps.store.scores.find(ADDRESS))!.points;
  for (const daysAgo of [89, 90, 5]) {
    const earlier = {
      ...point!,
      day: today - daysAgo,
      headline: daysAgo,
      model: "s4-2026.1",
    };
    await deps.store.scores.put(ADDRESS, earlier, { readAt: null });
  }
  const { history } = await readScorePage(deps, ADDRESS);
  assertEquals(history, {
    from: "2026-08-24",
    to: "2026-11-21",
    points: [
      { date: "2026-08-24", score: 89, model: "s4-2026.1" },
      { date: "2026-11-16", score: 5, model: "s4-2026.1" },
      { date: "2026-11-21", score: point!.headline!, model: "s4-2026.3" },
    ],
  });
});

/** A visit whose score is always there in time. */
const PATIENT = { patienceMs: 60_000 };

/** Dependencies whose explorer index fails, at once or when the test says so. */
function failing(deps: TestDeps, error: Error, until?: Promise<void>) {
  const readAccount = async () => {
    await until;
    throw error;
  };
  const explorer = { ...deps.upstream.explorer, readAccount };
  return { ...deps, upstream: { ...deps.upstream, explorer } };
}

Deno.test("readScorePage() says when to look again: soon, but not at once, and at most after a minute if upstream is down", async () => {
  const cases: [asked: number, waits: number][] = [
    [0, 5_000],
    [5_001, 5_001],
    [60_000, 60_000],
    [60_001, 60_000],
  ];
  for (const [retryAfterMs, waits] of cases) {
    using deps = await testDeps();
    const down = failing(
      deps,
      upstreamDown("up.test", "no connection", { retryAfterMs }),
    );
    const page = await readScorePage(down, ADDRESS, PATIENT);
    assertEquals([page.obstacle, page.retryAfterMs], ["down", waits]);
  }
  using deps = await testDeps();
  const page = await readScorePage(deps, ADDRESS, PATIENT);
  assertEquals([page.obstacle, page.retryAfterMs], [null, 0]);
  deps.advance(2 * DAY_MS);
  const stale = await readScorePage(
    failing(deps, upstreamDown("up.test", "no connection")),
    ADDRESS,
    PATIENT,
  );
  assertEquals([stale.obstacle, stale.retryAfterMs], ["down", 60_000]);
});

Deno.test("readScorePage() passes a bug on, and logs one that appears after the visitor's patience", async () => {
  using deps = await testDeps();
  const bug = new TypeError("a bug");
  const error = await assertRejects(() =>
    readScorePage(failing(deps, bug), ADDRESS, PATIENT)
  );
  assertStrictEquals(error, bug);
  assertEquals(deps.lines, []);
  const { promise, resolve } = Promise.withResolvers<void>();
  const logged = Promise.withResolvers<unknown>();
  const page = await readScorePage(
    {
      ...failing(deps, bug, promise),
      log: (event, facts) => logged.resolve([event, facts]),
    },
    ADDRESS,
    { patienceMs: 1 },
  );
  assertEquals([page.obstacle, page.retryAfterMs], ["reading", 2_000]);
  resolve();
  assertEquals(await logged.promise, ["score.failed", { error: bug }]);
});

Deno.test("readScorePage() says what linking an account would add, as the model scores it", async () => {
  using deps = await testDeps();
  const { read, gains } = await readScorePage(deps, ADDRESS);
  const at = deps.now().getTime();
  const link = {
    kind: "domain",
    id: "firn.example",
    handle: "firn.example",
    verifiedAt: at,
  } as const;
  const profile = { ...newProfile(at), socials: [link] };
  const audit = { at, event: "profile.update", requestId: null } as const;
  await deps.store.profiles.change(ADDRESS, () => ({ profile, audit }));
  const linked = await readScorePage(deps, ADDRESS);
  const gained = linked.read!.s4.composite - read!.s4.composite;
  assertEquals(gains!.domain.least, gained);
  const { github, domain } = gains!;
  assert(gained > 0 && domain.most > gained && github.most > github.least);
  // A second account of the kind adds nothing to the best one.
  assertEquals(linked.gains!.domain.least, 0);
});
