/** The pictures of a score: its four dimensions, and its history. */
import { html } from "hono/html";
import type { ScorePage } from "../../../services/scores/public_scores_schema.ts";
import {
  type Dimension,
  DIMENSIONS,
} from "../../../services/scores/model/score_terms_schema.ts";
import type { ScoreVector } from "../../../services/scores/model/scores_schema.ts";
import type { Html } from "../layout.ts";
import { DIMENSION_WORDS } from "./score_words.ts";

/** Centre of the dimensions picture, and the distance of 100 from it. */
const CENTRE = { x: 180, y: 130 };
const RADIUS = 92;

/** Direction of each dimension, and how its label is aligned. */
const AXES: Readonly<
  Record<Dimension, { dx: number; dy: number; anchor: string }>
> = {
  humanity: { dx: 0, dy: -1, anchor: "middle" },
  activity: { dx: 1, dy: 0, anchor: "start" },
  social: { dx: 0, dy: 1, anchor: "middle" },
  economic: { dx: -1, dy: 0, anchor: "end" },
};

/** Draws the four dimensions as a polygon. */
export function dimensionsPicture(vector: ScoreVector): Html {
  const words = DIMENSIONS.map((dimension) =>
    `${DIMENSION_WORDS[dimension].label} ${vector[dimension]}`
  );
  return html`
    <svg class="dimensions" viewBox="0 0 360 264" role="img"
      aria-label="Four dimensions of 100 points: ${words.join(", ")}">
    ${[25, 50, 75, 100].map((value) =>
      html`
        <polygon class="ring" points="${pointsOf(() => value)}" />
      `
    )}
    <path class="axis" d="M${CENTRE.x} ${CENTRE.y - RADIUS}v${2 *
      RADIUS}M${CENTRE.x - RADIUS} ${CENTRE.y}h${2 * RADIUS}"/>
    <polygon class="shape" points="${pointsOf((dimension) =>
      vector[dimension]
    )}"/>
    ${DIMENSIONS.map((dimension) => {
      const { x, y } = pointOf(dimension, vector[dimension]);
      return html`
        <circle class="corner" cx="${x}" cy="${y}" r="3.5" />
      `;
    })}
    ${DIMENSIONS.map((dimension) => labelOf(dimension, vector[dimension]))}
    </svg>
  `;
}

function labelOf(dimension: Dimension, value: number) {
  const { dx, dy, anchor } = AXES[dimension];
  const x = CENTRE.x + dx * (RADIUS + 10);
  const y = CENTRE.y + dy * (RADIUS + 20) + (dy === 1 ? 2 : -2);
  return html`
    <text class="name" x="${x}" y="${y}"
      text-anchor="${anchor}">${DIMENSION_WORDS[dimension].label}</text>
    <text class="value" x="${x}" y="${y + 16}"
      text-anchor="${anchor}">${value}</text>
  `;
}

function pointOf(dimension: Dimension, value: number) {
  const { dx, dy } = AXES[dimension];
  const reach = RADIUS * value / 100;
  return {
    x: Math.round((CENTRE.x + dx * reach) * 10) / 10,
    y: Math.round((CENTRE.y + dy * reach) * 10) / 10,
  };
}

function pointsOf(valueOf: (dimension: Dimension) => number): string {
  return DIMENSIONS.map((dimension) => {
    const { x, y } = pointOf(dimension, valueOf(dimension));
    return `${x},${y}`;
  }).join(" ");
}

const DAY_MS = 86_400_000;

/**
 * Draws headline scores over a window of days. A line joins consecutive days only,
 * so days without a score stay empty. The labels are outside of the plot, so it
 * stretches to any width.
 */
export function historyPicture(
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
  return html`
    <div class="history">
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
        <path class="days" d="${runs.map(pathOf).join("")}" />
        <path class="alone" d="${runs.filter(({ length }) => length === 1).map(
          pathOf,
        ).join("")}" />
        <path class="last" d="${pathOf([last])}" />
      </svg>
      <div
        class="history-days"><time>${from}</time><time>${to}</time></div>
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
  return `Headline score from ${from} to ${to}: lowest ${
    Math.min(...scores)
  }, highest ${Math.max(...scores)}, last ${last.score} on ${last.date}`;
}
