/** JSON-RPC 2.0 calls over HTTP. */
import { z } from "zod";
import type { CallOptions } from "../rate_limit/call_budget.ts";
import { type Answer, getAnswer, type Http } from "./http_client.ts";
import { OTHER_SHAPE, Refused, refusedInWords } from "./error_response.ts";

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
type Outcome = z.infer<typeof Outcome>;

/** The response of a call in a batch. */
const BatchOutcome = Outcome.and(z.object({ id: z.int() }));

/** The responses of a batch, in any order. */
const Answers = z.array(z.unknown()).or(z.object({ error: RpcError }));

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
    if ("error" in outcome) throw refused(outcome.error);
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
      throw refused(outcome.error);
    }
    return outcome;
  }, options);
}

/**
 * Sends a batch of calls. Returns the results by id, checked against a schema; calls
 * that the node refuses, or whose results can't be read, are missing. Throws an
 * `upstreamDown` fault if all are. With `reverted`, that is the result of a call that
 * a contract reverted.
 */
export function getResults<T>(
  http: Http,
  request: Request,
  schema: z.ZodType<T>,
  { reverted, ...options }: CallOptions & { readonly reverted?: T },
): Promise<Answer<ReadonlyMap<number, T>>> {
  return getAnswer(http, request, (json) => {
    const answers = Answers.parse(json);
    // A refused batch has one answer.
    if (!Array.isArray(answers)) throw refused(answers.error);
    const results = new Map<number, T>();
    let refusal = new Refused(OTHER_SHAPE);
    for (const answer of answers) {
      const read = BatchOutcome.safeParse(answer);
      if (!read.success) continue;
      const { id, ...outcome } = read.data;
      if ("error" in outcome) {
        if (reverted !== undefined && isRevert(outcome.error)) {
          results.set(id, reverted);
        } else refusal = refused(outcome.error);
      } else {
        const result = schema.safeParse(outcome.result);
        if (result.success) results.set(id, result.data);
      }
    }
    if (results.size === 0) throw refusal;
    return results;
  }, options);
}

function refused({ code, message }: z.infer<typeof RpcError>): Refused {
  return refusedInWords(message, code);
}

/** Nodes report a revert with code 3 if it has data, otherwise only in the message. */
function isRevert({ code, message }: z.infer<typeof RpcError>): boolean {
  return code === 3 || /^execution reverted/i.test(message);
}
