/** The owner's score, before and after a step. */
import { byId, listFacts } from "../dashboard/elements.js";

/** @import { Fact } from "../dashboard/elements.js" */

/** @typedef {Readonly<Record<"humanity" | "activity" | "social" | "economic", number>>} Dimensions */
/** @typedef {{ address: string, score: number | null, tierLabel: string | null, dimensions: Dimensions | null }} OwnScore */

/** Session storage key of the last score: a step may leave the page, as linking GitHub does. */
const LAST_SCORE = "firn-own-score";

/**
 * Whether this page has shown a score. The first time, no step was taken on the page
 * yet, so a change is shown only if the score has moved.
 */
let isShown = false;

const DIMENSIONS = /** @type {const} */ ([
  "humanity",
  "activity",
  "social",
  "economic",
]);

/**
 * Shows a score, and what changed since the last one that was shown. Returns the
 * change in words; an empty text if nothing was shown before.
 * @param {OwnScore} now
 */
export function showScore(now) {
  const before = readLast(now.address);
  sessionStorage.setItem(LAST_SCORE, JSON.stringify(now));
  const change = before === null ? "" : changeOf(before, now);
  byId("score").textContent = wordsOf(now);
  byId("score-change").textContent = isShown || isMoved(before, now)
    ? change
    : "";
  isShown = true;
  byId("dimensions").replaceChildren(
    ...listFacts(factsOf(now.dimensions, before?.dimensions ?? null)),
  );
  return change;
}

/** Forgets the last score. */
export function forgetScore() {
  sessionStorage.removeItem(LAST_SCORE);
}

/** @param {string} address @returns {OwnScore | null} */
function readLast(address) {
  /** @type {OwnScore | null} */
  const last = JSON.parse(sessionStorage.getItem(LAST_SCORE) ?? "null");
  return last?.address === address ? last : null;
}

/** @param {OwnScore} score */
function wordsOf({ score, tierLabel }) {
  return score === null ? "no score yet" : `${score}, ${tierLabel}`;
}

/** @param {OwnScore | null} before @param {OwnScore} now */
function isMoved(before, now) {
  return before !== null &&
    (before.score !== now.score ||
      DIMENSIONS.some((name) =>
        before.dimensions?.[name] !== now.dimensions?.[name]
      ));
}

/** @param {OwnScore} before @param {OwnScore} now */
function changeOf(before, now) {
  if (before.score !== now.score) {
    return `Your score was ${wordsOf(before)} before, and is ${
      wordsOf(now)
    } now.`;
  }
  return isMoved(before, now)
    ? `Your score stays ${wordsOf(now)}; a part of it changed.`
    : `Your score stays ${wordsOf(now)}.`;
}

/**
 * Lists the dimensions, each with its value before the last step if it differs.
 * @param {Dimensions | null} now
 * @param {Dimensions | null} before
 */
function factsOf(now, before) {
  return DIMENSIONS.map((name) => {
    const [value, old] = [now?.[name], before?.[name]];
    const label = name[0]?.toUpperCase() + name.slice(1);
    const change = old === undefined || old === value ? "" : ` (before ${old})`;
    return /** @type {Fact} */ ([label, `${value ?? "–"}${change}`]);
  });
}
