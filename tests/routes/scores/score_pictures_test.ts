/** The pictures of a score: its dimensions, and its history with a table. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { historySection } from "../../../routes/scores/score_history.ts";
import type {
  HeadlinePoint,
  ScorePage,
} from "../../../services/scores/public_scores_schema.ts";
import { rowsOf, wordsOf } from "../../support/charts/explorer.ts";

const historyOf = (points: readonly HeadlinePoint[]) =>
  String(historySection({
    history: { from: "2026-08-23", to: "2026-11-21", points },
  } as unknown as ScorePage));

const pointOf = (date: string, score: number, model = "one") => ({
  date,
  score,
  model,
});

Deno.test("the history joins consecutive days, dots a day alone, and marks each change of the model", () => {
  const page = historyOf([
    pointOf("2026-08-23", 40),
    pointOf("2026-08-24", 50),
    pointOf("2026-09-02", 70, "two"),
    pointOf("2026-11-20", 30, "three"),
    pointOf("2026-11-21", 20, "three"),
  ]);
  const d = (name: string) =>
    page.match(new RegExp(`<path class="${name}" d="([^"]*)"`))![1];
  assertEquals(d("days"), "M0 60L1 50h0M10 30h0M89 70L90 80h0");
  assertEquals(d("alone"), "M10 30h0");
  assertEquals(d("last"), "M90 80h0");
  assertEquals(d("models"), "M10 0V100M89 0V100");
  assertEquals(d("grid-lines"), "M0 0H90M0 25H90M0 50H90M0 75H90M0 100H90");
  assertMatch(page, /viewBox="0 0 90 100"/);
  const marks = [
    ...page.matchAll(/<text x="([^"]*)"[^>]*text-anchor="(\w+)">(\w+)/g),
  ]
    .map(([, ...mark]) => mark);
  assertEquals(marks, [["11.1%", "start", "two"], ["98.9%", "end", "three"]]);
  const scale = page.match(/class="history-scale"[\s\S]*?<\/div>/)![0];
  assertEquals([...scale.matchAll(/<span>(\d+)/g)].map(([, score]) => score), [
    "100",
    "75",
    "50",
    "25",
    "0",
  ]);
  const [label] = page.match(/Headline score from[^"]*/)!;
  for (const words of ["lowest 20", "highest 70", "last 20"]) {
    assertStringIncludes(label, words);
  }
  assertEquals(
    rowsOf(page).map(([, score, model]) => [score, model]),
    [["20", "three"], ["30", "three"], ["70", "two"], ["50", "one"], [
      "40",
      "one",
    ]],
  );
  const words = wordsOf(page);
  assertStringIncludes(words, "5 days have a score");
  assertEquals(words.match(/the model \w+ is used instead of \w+/g), [
    "the model two is used instead of one",
    "the model three is used instead of two",
  ]);
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
