/** The history of a score: a chart and a table. */
import { html } from "hono/html";
import { DAY_MS } from "../../services/platform/days.ts";
import type { ScorePage } from "../../services/scores/public_scores.ts";
import { HISTORY_DAYS } from "../../services/model/scores_schema.ts";
import { dayTime, dayWords } from "../pages/dates.ts";
import type { Html } from "../pages/layout.ts";
import { maxOf, minOf } from "../../services/platform/numbers.ts";

/** Renders the history: a chart with the changes of the model marked, and a table. */
export function historySection({ history }: ScorePage): Html {
  const { points } = history;
  return html`<section class="stack" aria-labelledby="history">
<h2 id="history">Last ${HISTORY_DAYS} days</h2>
${
    points.length === 0
      ? html`
        <p
          class="muted">No scores recorded yet. Each day on which the score is read adds one.</p>
      `
      : html`
        <div class="card stack stack-small">
          <figure class="stack stack-small">${historyPicture(history)}
        <figcaption class="small muted">The last headline score of each UTC day. ${points
            .length === 1
          ? "One day so far."
          : points.length === daysOf(history)
          ? "Every day has a score."
          : `${points.length} days have a score. The score was not read on the other days.`}${modelChangesOf(
            points,
          ).map(({ date, model, before }) =>
            html`
              From ${dayTime(
                date,
              )} the model <code>${model}</code> is used instead of <code>${before}</code>: part of the change of that day is the model’s.
            `
          )}</figcaption></figure>
          <details>
            <summary>Show as a table</summary>
            <div class="table-scroll" tabindex="0" role="region"
              aria-label="Headline score by day">
              <table>
                <thead>
                  <tr>
                    <th scope="col">Day</th>
                    <th scope="col" class="num">Score</th>
                    <th scope="col">Model</th>
                  </tr>
                </thead>
                <tbody>${points.toReversed().map(({ date, score, model }) =>
                  html`
                    <tr>
                      <th scope="row"><time>${date}</time></th>
                      <td class="num">${score}</td>
                      <td><code>${model}</code></td>
                    </tr>
                  `
                )}</tbody>
              </table>
            </div>
          </details>
        </div>
      `
  }
</section>`;
}

/** Returns the number of days of a history, the last one included. */
function daysOf({ from, to }: ScorePage["history"]): number {
  return 1 + (Date.parse(to) - Date.parse(from)) / DAY_MS;
}

/** Returns the days on which another model scored than before, oldest first. */
function modelChangesOf(points: ScorePage["history"]["points"]) {
  return points.flatMap(({ date, model }, nth) => {
    const before = points[nth - 1]?.model ?? model;
    return before === model ? [] : [{ date, model, before }];
  });
}

/**
 * Draws headline scores over a window of days. A line joins consecutive days only,
 * so days without a score stay empty. The labels are outside of the plot, so it
 * stretches to any width.
 */
function historyPicture(
  { from, to, points }: ScorePage["history"],
): Html {
  const dayOf = (date: string) =>
    (Date.parse(date) - Date.parse(from)) / DAY_MS;
  const placed = points.map(({ date, score }) => ({
    x: dayOf(date),
    y: 100 - score,
  }));
  const runs = runsOf(placed);
  const width = dayOf(to);
  const last = placed.at(-1)!;
  const changes = modelChangesOf(points)
    .map(({ date, model }) => ({ x: dayOf(date), model }));
  return html`
    <div class="history">
      ${changes.length === 0 ? "" : html`
        <svg class="history-models" aria-hidden="true">${changes.map((
          { x, model },
        ) => {
          const percent = Math.round(1_000 * x / width) / 10;
          return html`<text x="${percent}%" y="1em" text-anchor="${
            percent < 50 ? "start" : "end"
          }">${model}</text>`;
        })}</svg>
      `}
      <div class="history-scale" aria-hidden="true">${[100, 75, 50, 25, 0].map((
        score,
      ) => html`<span>${score}</span>`)}</div>
      <svg class="history-plot" viewBox="0 0 ${width} 100"
        preserveAspectRatio="none" role="img" aria-label="${summaryOf({
          from,
          to,
          points,
        })}">
        <path class="grid-lines" d="${[0, 25, 50, 75, 100].map((y) =>
          `M0 ${y}H${width}`
        ).join("")}" />
        <path class="models" d="${changes.map(({ x }) => `M${x} 0V100`).join(
          "",
        )}" />
        <path class="days" d="${runs.map(pathOf).join("")}" />
        <path class="alone" d="${runs.filter(({ length }) => length === 1).map(
          pathOf,
        ).join("")}" />
        <path class="last" d="${pathOf([last])}" />
      </svg>
      <div
        class="history-days">${dayTime(from)}${dayTime(to)}</div>
    </div>
  `;
}

/** A point of the plot: `x` in days from the start, `y` in score points from the top. */
interface Place {
  readonly x: number;
  readonly y: number;
}

/** Splits points, oldest first, into runs of consecutive days. */
function runsOf(places: readonly Place[]): Place[][] {
  const runs: Place[][] = [];
  for (const place of places) {
    const run = runs.at(-1);
    if (run && run.at(-1)!.x === place.x - 1) run.push(place);
    else runs.push([place]);
  }
  return runs;
}

/** Returns a path through points. For a single point the round line ends draw a dot. */
function pathOf(run: readonly Place[]): string {
  return `M${run.map(({ x, y }) => `${x} ${y}`).join("L")}h0`;
}

function summaryOf({ from, to, points }: ScorePage["history"]): string {
  const scores = points.map(({ score }) => score);
  const last = points.at(-1)!;
  return `Headline score from ${dayWords(from)} to ${dayWords(to)}: lowest ${
    minOf(scores)
  }, highest ${maxOf(scores)}, last ${last.score} on ${dayWords(last.date)}`;
}
