/** The last scores of the last days. */
import { assertEquals } from "@std/assert";
import { dayAt, formatDay } from "../../../services/platform/days.ts";
import { readHistory } from "../../../services/scores/scores.ts";
import { testDeps } from "../../support/deps.ts";

const ADDRESS = `0x${"ab".repeat(20)}`;

Deno.test("readHistory: the window has so many days, today included", async () => {
  using deps = await testDeps();
  const today = dayAt(deps.now().getTime());
  const breakdown = {
    walletAge: 1,
    humanProofs: 0,
    txActivity: 2,
    gasSpent: 3,
    verifiedSocials: 4,
    followers: 5,
    donations: 6,
    premium: 7,
    paidSlug: 8,
    total: 36,
  };
  const points = [today - 30, today - 29, today - 1, today].map((day) => ({
    day,
    headline: 43,
    model: "s4-2026.3",
    tier: "established",
    breakdown,
  }));
  const store = {
    ...deps.store,
    scores: {
      ...deps.store.scores,
      find: () => Promise.resolve({ points, readAt: 0 }) as never,
    },
  };
  const read = (days: number, breakdown = false) =>
    readHistory({ ...deps, store }, ADDRESS, { days, breakdown });
  const datesOf = async (days: number) => {
    const { count, history, ...rest } = await read(days);
    assertEquals(count, history.length);
    assertEquals([rest.address, rest.days], [ADDRESS, days]);
    return history.map(({ date }) => date);
  };
  assertEquals(await datesOf(1), [formatDay(today)]);
  assertEquals(await datesOf(2), [formatDay(today - 1), formatDay(today)]);
  assertEquals((await datesOf(30))[0], formatDay(today - 29));
  assertEquals((await datesOf(31))[0], formatDay(today - 30));
  const { history: [plain] } = await read(1);
  assertEquals(plain!.score, 43);
  assertEquals(plain!.headline.score, 43);
  assertEquals("breakdown" in plain!, false);
  assertEquals((await read(1, true)).history[0]!.breakdown, breakdown);
  assertEquals(
    (await readHistory(deps, ADDRESS, { days: 1, breakdown: false })).history,
    [],
  );
});

Deno.test("points before s4-2026.3 keep their values, and their tiers by their models", async () => {
  using deps = await testDeps();
  const today = dayAt(deps.now().getTime());
  const breakdown = { walletAge: 25, total: 62.5 };
  const pointOf = (model: string, back: number) => ({
    day: today - back,
    headline: 43,
    model,
    score: 62.5,
    tier: "elite",
    breakdown,
  });
  const points = [pointOf("s4-2026.1", 2), pointOf("s4-2026.2", 1)];
  const key = ["score_histories", ADDRESS];
  await deps.kv.set(key, { points, readAt: 0 });
  const asked = { days: 90, breakdown: true };
  const { history } = await readHistory(deps, ADDRESS, asked);
  assertEquals(
    history.map(({ score, tier, headline, model, breakdown }) => [
      model,
      score,
      tier,
      headline.score,
      headline.tier,
      breakdown!.total,
      breakdown!.humanProofs,
    ]),
    [
      // 43 is the floor of rising by the second model, and within it by the first.
      ["s4-2026.1", 62.5, "elite", 43, "rising", 62.5, 0],
      ["s4-2026.2", 62.5, "elite", 43, "rising", 62.5, 0],
    ],
  );
});
