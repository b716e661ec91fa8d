/** Scores: one address live, many from the store, and one by day. */
import { createRoute } from "@hono/zod-openapi";
import { bodyLimit } from "hono/body-limit";
import type { MiddlewareHandler } from "hono";
import { readStanding, readUsageDays } from "../services/access.ts";
import {
  AddressPath,
  BatchBody,
  HistoryQuery,
  UsageAnswer,
} from "../services/contract/access.ts";
import { NoQuery } from "../services/contract/chain.ts";
import { PLANS } from "../services/contract/plans.ts";
import {
  BatchAnswer,
  HistoryAnswer,
  ScoreRead,
} from "../services/contract/scores.ts";
import type { Deps } from "../services/deps.ts";
import { formatDay } from "../services/domain/days.ts";
import { Fault } from "../services/domain/fault.ts";
import { readBatch, readHistory, readScore } from "../services/scores.ts";
import { type CallerEnv, metered, requirePlan } from "./caller.ts";
import { json, KEYED_ERRORS, newRouter } from "./router.ts";

/** Bytes that a batch may have: fifty addresses need three thousand. */
const MOST_BYTES = 16_384;

/** Every route here needs a key in `X-Api-Key`. */
const API_KEY = [{ ApiKey: [] }];

/** Serves scores and usage; callers are known by here. */
export function scores(deps: Deps) {
  const getScore = createRoute({
    method: "get",
    security: API_KEY,
    path: "/score/{address}",
    summary: "The score of one address, read live",
    middleware: [requirePlan(deps, "score")] as const,
    request: { params: AddressPath, query: NoQuery },
    responses: { 200: json(ScoreRead, "The score read"), ...KEYED_ERRORS },
  });
  const postBatch = createRoute({
    method: "post",
    security: API_KEY,
    path: "/score/batch",
    summary: "The scores of 1 to 50 addresses, from stored signals alone",
    middleware: [requirePlan(deps, "batch"), limited, requireJson] as const,
    request: {
      query: NoQuery,
      body: {
        required: true,
        content: { "application/json": { schema: BatchBody } },
      },
    },
    responses: {
      200: json(BatchAnswer, "One item an address, in the order sent"),
      ...KEYED_ERRORS,
    },
  });
  const getHistory = createRoute({
    method: "get",
    security: API_KEY,
    path: "/score/{address}/history",
    summary: "The last score of each day, up to 90 days",
    middleware: [requirePlan(deps, "history")] as const,
    request: { params: AddressPath, query: HistoryQuery },
    responses: { 200: json(HistoryAnswer, "Oldest first"), ...KEYED_ERRORS },
  });
  const getUsage = createRoute({
    method: "get",
    security: API_KEY,
    path: "/usage",
    summary: "What the wallet of the key has spent; free of charge",
    request: { query: NoQuery },
    responses: { 200: json(UsageAnswer, "The usage"), ...KEYED_ERRORS },
  });

  return newRouter<CallerEnv>()
    .openapi(getScore, async (c) => {
      const { address } = c.req.valid("param");
      const work = () => readScore(deps, address);
      const call = { endpoint: "score", units: 1, work } as const;
      return c.json(await metered(deps, c, call), 200);
    })
    .openapi(postBatch, async (c) => {
      const { addresses } = c.req.valid("json");
      refuseTwice(await c.req.text());
      const work = () => readBatch(deps, addresses);
      const call = {
        endpoint: "batch",
        units: addresses.length,
        work,
      } as const;
      return c.json(await metered(deps, c, call), 200);
    })
    .openapi(getHistory, async (c) => {
      const { address } = c.req.valid("param");
      const { days, include } = c.req.valid("query");
      const breakdown = include === "breakdown";
      const work = () => readHistory(deps, address, { days, breakdown });
      const call = { endpoint: "history", units: 1, work } as const;
      return c.json(await metered(deps, c, call), 200);
    })
    .openapi(getUsage, async (c) => {
      const { plan, paidUntil, wallet } = c.get("caller");
      const { limit, remaining, resetAt } = await readStanding(
        deps,
        c.get("caller"),
        "score",
      );
      const days = await readUsageDays(deps, wallet);
      return c.json({
        plan,
        planLabel: PLANS[plan].label,
        paidUntil: paidUntil === null
          ? null
          : new Date(paidUntil).toISOString(),
        limit,
        used: limit - remaining,
        remaining,
        resetAt: new Date(resetAt).toISOString(),
        days: days.map(({ day, units }) => ({ date: formatDay(day), units })),
      }, 200);
    });
}

const limited = bodyLimit({
  maxSize: MOST_BYTES,
  onError: () => {
    throw new Fault(
      `Cannot accept the body: accepted are at most ${MOST_BYTES} bytes`,
      { kind: "tooLarge", mostBytes: MOST_BYTES },
    );
  },
});

/** Tells what a body is not, before its shape is looked at. */
const requireJson: MiddlewareHandler<CallerEnv> = async (c, next) => {
  const type = c.req.header("Content-Type") ?? "";
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw new Fault(
      "Cannot accept the body: accepted is Content-Type application/json",
      { kind: "badInput", parameter: "Content-Type" },
    );
  }
  try {
    await c.req.json();
  } catch (cause) {
    const failure = { kind: "badInput" } as const;
    throw new Fault("Cannot accept the body: it is not JSON", failure, {
      cause,
    });
  }
  await next();
};

/** JSON keeps the last of two: a valid body has one name, so one colon. */
function refuseTwice(body: string): void {
  if (body.indexOf(":") === body.lastIndexOf(":")) return;
  throw new Fault("Cannot accept the body: addresses is accepted once", {
    kind: "badInput",
    parameter: "addresses",
  });
}
