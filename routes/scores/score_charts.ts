/** The picture of the four dimensions of a score. */
import { html } from "hono/html";
import {
  type Dimension,
  DIMENSIONS,
} from "../../services/model/score_terms_schema.ts";
import type { ScoreVector } from "../../services/model/scores_schema.ts";
import type { Html } from "../pages/layout.ts";
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
