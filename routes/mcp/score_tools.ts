/** Tools that need a key: `get_score` and `get_scores`. They count units as HTTP does. */
import { meter } from "../../services/scores/charge_and_refund.ts";
import {
  isAllowed,
  type KeyedRequest,
  requireAccess,
  verifyCaller,
} from "../../services/scores/keyed_request.ts";
import type { Metered } from "../../services/payments/plans_schema.ts";
import { CommitOutcomeUnknown } from "../../services/platform/kv/commit_outcome_unknown.ts";
import { AddressPath } from "../../services/platform/address_schema.ts";
import type { ReadKeyedScore } from "../../services/scores/keyed_scores.ts";
import type { ScoreRead } from "../../services/model/scores_schema.ts";
import type {
  BatchAnswer,
  BatchItem,
} from "../../services/model/score_lists_schema.ts";
import { BatchBody } from "../../services/scores/score_requests_schema.ts";
import { readBatch } from "../../services/scores/batches.ts";
import { readFixtureBatch } from "../../services/scores/test_key_answers.ts";
import type { ScoresDeps } from "../../services/scores/deps.ts";
import type { OpenApi } from "../docs/openapi_document.ts";
import { readBody, readQuery, requireKnown, schemaOf } from "./arguments.ts";
import { tableOf } from "./tables.ts";
import {
  type Tool,
  type ToolAnswer,
  type ToolRequest,
  written,
  type WrittenAnswer,
} from "./tool.ts";

const SOURCE =
  "Firn scoring model over C-Chain history (explorer index and nodes) and Firn profiles";

/** Creates the tools. */
export function scoreTools(
  deps: ScoresDeps,
  document: OpenApi,
  readKeyedScore: ReadKeyedScore,
): Tool[] {
  const scoreSchema = schemaOf(document, ["getScore"]);
  const batchSchema = schemaOf(document, ["postBatch"]);
  return [
    {
      name: "get_score",
      title: "Score of an address",
      description:
        "Reads the live reputation score of one C-Chain address with its four dimensions and the reasons: missing evidence first, then risks, then strengths. Spends one unit of the key's plan. Needs an API key in the header X-Api-Key.",
      inputSchema: scoreSchema,
      isKeyed: true,
      call: (given, request) =>
        answerKeyed(deps, request, "score", async (keyed) => {
          requireKnown(given, scoreSchema);
          const { address } = readQuery(AddressPath, given);
          const text = await readKeyedScore(keyed, address);
          return { ...scoreOf(JSON.parse(text)), units: unitsOf(keyed, 1) };
        }),
    },
    {
      name: "get_scores",
      title: "Scores of many addresses",
      description:
        "Reads the scores of 1 to 50 C-Chain addresses from stored signals, in the order given. Spends one unit for each address. A score of null means that the address was never scored. Needs an API key of the Builder plan or above in the header X-Api-Key.",
      inputSchema: batchSchema,
      isKeyed: true,
      call: (given, request) =>
        answerKeyed(deps, request, "batch", async (keyed) => {
          requireKnown(given, batchSchema);
          const { addresses } = readBody(BatchBody, given);
          const answer = await meter(deps, keyed, {
            endpoint: "batch",
            units: addresses.length,
            work: () => readBatch(deps, addresses),
            fixture: () => readFixtureBatch(deps, addresses),
          });
          const units = unitsOf(keyed, addresses.length);
          return { ...batchOf(answer), units };
        }),
    },
  ];
}

/**
 * Answers a keyed call if the key and its plan allow it. Before a refusal, a cached
 * caller is verified, as HTTP does.
 */
async function answerKeyed(
  deps: ScoresDeps,
  { openKeyed }: ToolRequest,
  endpoint: Metered,
  work: (keyed: KeyedRequest) => Promise<ToolAnswer>,
): Promise<WrittenAnswer> {
  const keyed = await openKeyed();
  try {
    if (!isAllowed(keyed, endpoint)) {
      await verifyCaller(keyed);
      requireAccess(deps, keyed, endpoint);
    }
    return written(await work(keyed));
  } catch (error) {
    // This error says that the call may have been charged, so no other error
    // replaces it.
    if (!(error instanceof CommitOutcomeUnknown)) await verifyCaller(keyed);
    throw error;
  }
}

/** Says what a call cost, and what is left of the quota or of the key's cap. A test key spends nothing. */
function unitsOf({ caller, quotaStatus }: KeyedRequest, units: number) {
  const spent = caller.kind === "test" ? 0 : units;
  if (quotaStatus === null) return { spent };
  const { tighter, cap } = quotaStatus;
  const { remaining, limit, resetAt } = tighter === "cap" && cap !== null
    ? cap
    : quotaStatus;
  return { spent, remaining, limit, resetAt: new Date(resetAt).toISOString() };
}

function scoreOf(read: ScoreRead): ToolAnswer {
  const { headline, s4, explanation, graph } = read;
  const { confidence, ...dimensions } = s4;
  const { reasons } = explanation;
  return {
    summary:
      `${read.address} scores ${headline.score} of 100. ${explanation.summary}`,
    address: read.address,
    score: headline.score,
    tier: headline.tier,
    dimensions,
    verifiedHuman: read.verifiedHuman,
    flags: graph.flags,
    ...tableOf(["code", "kind", "dimension", "title"], reasons),
    completeness: {
      confidence,
      band: explanation.confidence.band,
      missing: reasons.filter(({ kind }) => kind === "coverage")
        .map(({ code }) => code),
    },
    model: read.model,
    confirmedAt: read.fetchedAt,
    source: SOURCE,
  };
}

function batchOf({ results, model, fetchedAt }: BatchAnswer): ToolAnswer {
  const unknown = results.filter(({ signals }) => signals === "none").length;
  const stale = results.filter(({ signals }) => signals === "stale").length;
  return {
    summary: `${results.length - unknown} of ${results.length} addresses ` +
      `have a score; ${unknown} were never scored, ${stale} rest on signals that are not current.`,
    ...tableOf(
      [
        "address",
        "score",
        "tier",
        "humanity",
        "activity",
        "social",
        "economic",
        "confidence",
        "signals",
        "verifiedHuman",
        "flags",
      ],
      results.map(rowOf),
    ),
    completeness: { fresh: results.length - unknown - stale, stale, unknown },
    model,
    confirmedAt: fetchedAt,
    source: SOURCE,
  };
}

/** Zeroes of an address that was never scored mean "unknown", so they become null. */
function rowOf(
  { address, headline, s4, signals, verifiedHuman, graph }: BatchItem,
) {
  const isKnown = signals !== "none";
  return {
    address,
    score: headline?.score,
    tier: headline?.tier,
    humanity: isKnown ? s4.humanity : null,
    activity: isKnown ? s4.activity : null,
    social: isKnown ? s4.social : null,
    economic: isKnown ? s4.economic : null,
    confidence: s4.confidence,
    signals,
    verifiedHuman,
    flags: graph.flags,
  };
}
