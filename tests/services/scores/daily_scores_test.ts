/** The last scores of the last days. */
import { assertEquals } from "@std/assert";
import { dayAt, formatDay } from "../../../services/platform/days.ts";
import { readHistory } from "../../../services/scores/daily_scores.ts";
import { testDeps } from "../../support/deps.ts";

const ADDRESS = `0x${"ab".repeat(20)}`;

Deno.test("readHistory: the window has so many days, today included", async () => {
  using deps = await testDeps();
  const today = dayAt(deps.now().getTime());
  const breakdown = {
    walletAge: 1,
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
    model: "s4-2026.2",
    score: 62,
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
  assertEquals([plain!.score, plain!.headline.score], [62, 43]);
  assertEquals("breakdown" in plain!, false);
  assertEquals((await read(1, true)).history[0]!.breakdown, breakdown);
  assertEquals(
    (await readHistory(deps, ADDRESS, { days: 1, breakdown: false })).history,
    [],
  );
});
