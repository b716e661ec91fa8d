/** Requests of every documented answer of `/openapi.json`. */
import {
  listOperations,
  type OpenApi,
} from "../../../routes/docs/openapi_document.ts";
import { newWalk, type Visit } from "./walk.ts";
import {
  walkKeys,
  walkOwnProfile,
  walkRefusals,
  walkUnconfirmed,
} from "./walk_account.ts";
import { walkPayments } from "./walk_payments.ts";
import { walkScores, walkSigned } from "./walk_keyed.ts";
import {
  walkChainData,
  walkDownloads,
  walkEmbeds,
  walkIpRateLimit,
  walkProfiles,
  walkService,
} from "./walk_open.ts";

/** Requests every documented answer. */
export async function walkAll(): Promise<Visit[]> {
  const walk = newWalk();
  await walkChainData(walk);
  await walkDownloads(walk);
  await walkEmbeds(walk);
  await walkProfiles(walk);
  await walkService(walk);
  await walkScores(walk);
  await walkSigned(walk);
  await walkRefusals(walk);
  await walkUnconfirmed(walk);
  await walkKeys(walk);
  await walkPayments(walk);
  await walkOwnProfile(walk);
  await walkIpRateLimit(walk);
  return walk.visits;
}

/** Lists the documented answers as "operationId status", sorted. */
export function listDocumented(document: OpenApi): string[] {
  return listOperations(document).flatMap(({ operation }) =>
    Object.keys(operation.responses)
      .map((status) => `${operation.operationId} ${status}`)
  ).toSorted();
}
