/** JSON-RPC 2.0 calls over HTTP. */
import { z } from "zod";
import type { CallOptions } from "../rate_limit/call_budget.ts";
import { type Answer, getAnswer, type Http } from "./http_client.ts";
import { refusedInWords } from "./error_response.ts";

const RpcError = z.object({
  code: z.number(),
  message: z.string(),
  data: z.unknown().optional(),
});

const Outcome = z.union([
  z.object({ error: RpcError }),
  z.object({ result: z.unknown().refine((result) => result !== undefined) }),
]);
/** The response of a call: a result or an error. */
export type Outcome = z.infer<typeof Outcome>;

/**
 * Sends a call and checks its result against a schema. Throws an `upstreamDown`
 * fault for every failure, including JSON-RPC errors.
 */
export function getResult<T>(
  http: Http,
  request: Request,
  schema: z.ZodType<T>,
  options: CallOptions,
): Promise<Answer<T>> {
  return getAnswer(http, request, (json) => {
    const outcome = Outcome.parse(json);
    if ("error" in outcome) throw refusedInWords(outcome.error.message);
    return schema.parse(outcome.result);
  }, options);
}

/**
 * Sends a call. A revert of a contract is returned; every other error throws an
 * `upstreamDown` fault.
 */
export function getOutcome(
  http: Http,
  request: Request,
  options: CallOptions,
): Promise<Answer<Outcome>> {
  return getAnswer(http, request, (json) => {
    const outcome = Outcome.parse(json);
    if ("error" in outcome && !isRevert(outcome.error)) {
      throw refusedInWords(outcome.error.message);
    }
    return outcome;
  }, options);
}

/** Nodes report a revert with code 3 if it has data, otherwise only in the message. */
function isRevert({ code, message }: z.infer<typeof RpcError>): boolean {
  return code === 3 || /^execution reverted/i.test(message);
}
