/** Scores from cached callers and signals: the same answers and refusals as from the store. */
import { SERVICE } from "../../../services/platform/rate_limit/call_budget.ts";
import { newProfile } from "../../../services/profiles/profile.ts";
import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
} from "@std/assert";
import { DAY_MS, dayAt } from "../../../services/platform/days.ts";
import { readScore } from "../../../services/scores/scores.ts";
import { testDeps } from "../../support/deps.ts";
import { breakKv } from "../../support/kv/faulty_kv.ts";
import { tapKv } from "../../support/kv/tapped_kv.ts";
import {
  ADDRESS,
  isWarm,
  SCORE,
  used,
  warm,
} from "../../support/scores/cached_caller.ts";

Deno.test("an answer from the cache equals one from the store, byte for byte and header for header", async () => {
  using deps = await testDeps();
  const { ask, askCold } = await warm(deps);
  assert(await isWarm(deps, () => ask()));
  const fast = await ask();
  const slow = await askCold({ headers: { "X-Request-Id": "a-b-c" } });
  assertEquals([fast.status, fast.text], [slow.status, slow.text]);
  const varying = ["x-request-id", "x-ratelimit-remaining", "ratelimit"];
  const fixed = ({ headers }: typeof fast) =>
    [...headers].filter(([name]) => !varying.includes(name));
  assertEquals(fixed(fast), fixed(slow));
  assertEquals(
    [...fast.headers.keys()].sort(),
    [...slow.headers.keys()].sort(),
  );
  assertEquals(slow.headers.get("X-Request-Id"), "a-b-c");
  const left = ({ headers }: typeof fast) =>
    Number(headers.get("X-RateLimit-Remaining"));
  assertEquals(left(slow), left(fast) - 1);
  assertEquals(
    fast.headers.get("RateLimit")!.replace(/r=\d+/g, "r="),
    slow.headers.get("RateLimit")!.replace(/r=\d+/g, "r="),
  );
});

Deno.test("it does so in every second of a minute, and in the next minute", async () => {
  using deps = await testDeps();
  const { ask, askCold } = await warm(deps);
  const instants = new Set<string>();
  for (const ms of [0, 1_700, 30_000, 27_000, 1_500]) {
    deps.advance(ms);
    const fast = await ask();
    const slow = await askCold();
    assertEquals(fast.text, slow.text);
    instants.add(JSON.parse(fast.text).fetchedAt);
  }
  assertEquals(instants.size, 5);
});

Deno.test("a request is counted once, even if the answer of its commit is lost", async () => {
  using deps = await testDeps();
  const { ask, wallet } = await warm(deps);
  const faults = breakKv(deps.kv);
  const before = await used(deps, wallet);
  faults.lostAnswers = 1;
  assertEquals((await ask()).status, 200);
  assertEquals(await used(deps, wallet), before + 1);
  faults.lostAnswers = 1;
  const asking = ask();
  faults.reads = new Error("gone, too");
  const { status, text } = await asking;
  const { code, message } = JSON.parse(text);
  assertEquals([status, code], [500, "STORE_BUSY"]);
  assertMatch(message, /may have been charged/);
  faults.reads = null;
  assertEquals(await used(deps, wallet), before + 2);
});

Deno.test("a change of a profile shows in the score of the next second", async () => {
  using deps = await testDeps();
  const { ask } = await warm(deps);
  const before = await ask();
  const at = deps.now().getTime();
  const profile = {
    ...newProfile(at - 400 * DAY_MS),
    premiumMonths: 12,
  };
  const audit = { at, event: "profile.update", requestId: null } as const;
  await deps.store.profiles.change(ADDRESS, () => ({ profile, audit }));
  deps.advance(1_000);
  const after = await ask();
  const scoreIn = ({ text }: typeof before) => JSON.parse(text).score;
  assertEquals([before.status, after.status], [200, 200]);
  assert(scoreIn(after) > scoreIn(before));
  assertEquals(scoreIn(await ask()), scoreIn(after));
});

Deno.test("a Verified Human number that falls due while the address is cached is granted", async () => {
  using deps = await testDeps();
  const at = deps.now().getTime();
  const dueAt = at + 3_600_000;
  await readScore(deps, ADDRESS, { requester: SERVICE });
  const [stored] = await deps.store.signals.findAll([ADDRESS]);
  const { signals, origin } = stored!;
  await deps.kv.delete(["signals", ADDRESS]);
  const young = { ...signals, firstTxAt: dueAt - 90 * DAY_MS };
  await deps.store.signals.put(ADDRESS, { origin, signals: young });
  const kinds = ["x", "discord", "domain"] as const;
  const socials = kinds.map((kind) => (
    { kind, id: null, handle: kind, verifiedAt: at - 365 * DAY_MS }
  ));
  const audit = { at, event: "profile.update", requestId: null } as const;
  const profile = { ...newProfile(at), socials };
  await deps.store.profiles.change(ADDRESS, () => ({ profile, audit }));
  const { ask } = await warm(deps);
  const readNumber = async () => JSON.parse((await ask()).text).verifiedHuman;
  deps.advance(3_540_000);
  assert(await isWarm(deps, readNumber));
  assertEquals(await readNumber(), null);
  deps.advance(60_000);
  assertEquals(await readNumber(), 1);
});

Deno.test("each day gets its point, and the day of the last read is kept", async () => {
  using deps = await testDeps();
  const { ask } = await warm(deps);
  const today = () => dayAt(deps.now().getTime());
  const first = today();
  deps.advance(16 * 3_600_000);
  assertEquals(today(), first + 1);
  assertEquals((await ask()).status, 200);
  assert(await isWarm(deps, () => ask()));
  const { points, readAt } = (await deps.store.scores.find(ADDRESS))!;
  assertEquals(points.map(({ day }) => day), [first, first + 1]);
  assertEquals(dayAt(readAt), first + 1);
});

Deno.test("signals that are a day old are read anew", async () => {
  using deps = await testDeps();
  const { ask } = await warm(deps);
  const calls = () => deps.upstreams.explorer.calls.length;
  const made = calls();
  deps.advance(DAY_MS - 3_600_000);
  await ask();
  assertEquals(calls(), made);
  deps.advance(2 * 3_600_000);
  assertEquals((await ask()).status, 200);
  assertNotEquals(calls(), made);
});

Deno.test("requests other than a plain GET of a score get their own answers and refusals", async (t) => {
  using deps = await testDeps();
  const { ask, key, wallet } = await warm(deps);
  const authorization = { headers: { Authorization: `Bearer ${key}` } };
  const cases: [path: string, init: RequestInit, status: number][] = [
    [`${SCORE}?fresh=1`, {}, 400],
    [`${SCORE}?`, {}, 200],
    [`/score/${ADDRESS.slice(0, -1)}`, {}, 400],
    [`${SCORE}/history`, {}, 200],
    [SCORE, { method: "DELETE" }, 405],
    [SCORE, { method: "HEAD" }, 200],
    [SCORE, authorization, 401],
    [SCORE, { headers: { "X-Api-Key": `${key}x` } }, 401],
  ];
  for (const [path, init, status] of cases) {
    await t.step(`${init.method ?? "GET"} ${path}`, async () => {
      const before = await used(deps, wallet);
      assertEquals((await ask(path, init)).status, status);
      const spent = status === 200 ? 1 : 0;
      assertEquals(await used(deps, wallet), before + spent);
    });
  }
});

Deno.test("a count that cannot be committed is a 500 that charges nothing", async () => {
  using deps = await testDeps();
  const { ask, wallet } = await warm(deps);
  const before = await used(deps, wallet);
  const { atomic } = deps.kv;
  const calls = tapKv(deps.kv, () => Promise.resolve({ ok: false }));
  const { status, headers, text } = await ask();
  assertEquals(status, 500);
  assertEquals(headers.get("Retry-After"), "1");
  assertEquals(JSON.parse(text).code, "CONTENDED");
  assertEquals(headers.get("X-RateLimit-Remaining"), String(25_000 - before));
  assert(calls.commits > 10, "it was tried often");
  deps.kv.atomic = atomic;
  assertEquals(await used(deps, wallet), before);
  assertEquals((await ask()).status, 200);
});
