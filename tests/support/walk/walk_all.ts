/** The whole walk over what `/openapi.json` documents. */
import {
  listOperations,
  type OpenApi,
} from "../../../routes/docs/openapi_schema.ts";
import { newWalk, seedRandomness, type Visit } from "./walk.ts";
import { walkKeys, walkOwnProfile, walkRefusals } from "./walk_account.ts";
import { walkPayments } from "./walk_payments.ts";
import { walkScores, walkSigned } from "./walk_keyed.ts";
import {
  walkChainData,
  walkEmbeds,
  walkFairUse,
  walkProfiles,
  walkService,
} from "./walk_open.ts";

/** Asks for every documented answer; what is random is the same each time. */
export async function walkAll(): Promise<Visit[]> {
  using _ = seedRandomness();
  const walk = newWalk();
  await walkChainData(walk);
  await walkEmbeds(walk);
  await walkProfiles(walk);
  await walkService(walk);
  await walkScores(walk);
  await walkSigned(walk);
  await walkRefusals(walk);
  await walkKeys(walk);
  await walkPayments(walk);
  await walkOwnProfile(walk);
  await walkFairUse(walk);
  return walk.visits;
}

/** Lists what the document says may be answered: operations, each with a status, in order. */
export function listDocumented(document: OpenApi): string[] {
  return listOperations(document).flatMap(({ operation }) =>
    Object.keys(operation.responses)
      .map((status) => `${operation.operationId} ${status}`)
  ).toSorted();
}
