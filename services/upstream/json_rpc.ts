/** JSON-RPC 2.0 calls over HTTP. */
import { z } from "zod";
import type { Reading } from "../domain/budget.ts";
import { type Answer, getAnswer, type Http } from "./http.ts";
import { refusedInWords } from "./refused.ts";

const Outcome = z.union([
  z.object({ error: z.object({ code: z.number(), message: z.string() }) }),
  z.object({ result: z.unknown().refine((result) => result !== undefined) }),
]);

/**
 * Sends the one call that a request holds and checks its result against a
 * schema. Throws an `upstreamDown` fault for every failure, errors included.
 */
export function getResult<T>(
  http: Http,
  request: Request,
  schema: z.ZodType<T>,
  reading: Reading,
): Promise<Answer<T>> {
  return getAnswer(http, request, (json) => {
    const outcome = Outcome.parse(json);
    if ("error" in outcome) throw refusedInWords(outcome.error.message);
    return schema.parse(outcome.result);
  }, reading);
}
