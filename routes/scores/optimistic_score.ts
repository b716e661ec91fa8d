/** `GET /score/:address` answered ahead of the router, where all that it takes is remembered. */
import type { ScoresDeps } from "../../services/scores/deps.ts";
import type {
  WarmScore,
  WarmScores,
} from "../../services/scores/optimistic_scores.ts";
import { keyedHeaders } from "../middleware/caller.ts";
import { SCORING } from "../paths.ts";

/** A whole URL of the one path, without a query. */
const TARGET = new RegExp(
  `^https?://[^/?#]+${SCORING}/score/(0x[0-9a-fA-F]{40})$`,
);

/**
 * Answers a request for a score that needs no look into the store. Only a 200 is
 * given here: where there is anything else to say, the router says it, and
 * nothing was spent before.
 */
export function warmScore(
  { now }: Pick<ScoresDeps, "now">,
  read: WarmScores,
): (request: Request) => Promise<Response | null> | null {
  function answer({ text, standing }: WarmScore): Response {
    return new Response(text, {
      headers: {
        "Content-Type": "application/json",
        "X-Request-Id": crypto.randomUUID(),
        ...keyedHeaders(standing, now().getTime()),
      },
    });
  }

  return ({ method, url, headers }) => {
    if (method !== "GET") return null;
    const address = TARGET.exec(url)?.[1];
    const key = address && headers.get("X-Api-Key");
    if (!key || !isPlain(headers)) return null;
    const reading = read(key, address.toLowerCase());
    return reading && reading.then((score) => score && answer(score));
  };
}

/** Returns whether a request brings neither a key in the wrong place nor an id of its own. */
function isPlain(headers: Headers): boolean {
  return headers.get("Authorization") === null &&
    headers.get("X-Request-Id") === null;
}
