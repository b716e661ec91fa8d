/** The pictures of a score: its dimensions, and its history with a table. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { historySection } from "../../../routes/scores/score_page_view.ts";
import type {
  HeadlinePoint,
  ScorePage,
} from "../../../services/scores/public_scores.ts";
import { wordsOf } from "../../support/charts/explorer.ts";

const historyOf = (points: readonly HeadlinePoint[]) =>
  String(historySection({
    history: { from: "2026-08-23", to: "2026-11-21", points },
  } as unknown as ScorePage));

const pointOf = (date: string, score: number, model = "one") => ({
  date,
  score,
  model,
});

Deno.test("the history of one day, of none and of every day says so", () => {
  const one = historyOf([pointOf("2026-08-24", 40)]);
  assertStringIncludes(wordsOf(one), "One day so far.");
  assertEquals(/history-models|instead of/.test(one), false);
  const none = historyOf([]);
  assertStringIncludes(wordsOf(none), "No scores recorded yet.");
  assertEquals(/<svg|<table/.test(none), false);
  const days = Array.from({ length: 91 }, (_, nth) => {
    const day = new Date(Date.UTC(2026, 7, 23 + nth));
    return pointOf(day.toISOString().slice(0, 10), 40);
  });
  const every = wordsOf(historyOf(days));
  assertStringIncludes(every, "Every day has a score.");
  assertEquals(every.includes("other days"), false);
  const most = wordsOf(historyOf(days.slice(1)));
  assertStringIncludes(most, "90 days have a score.");
});
