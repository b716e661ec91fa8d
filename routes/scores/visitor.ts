/** The visitor of a page with a Follow button. */
import type { Context } from "hono";
import { findSession } from "../../services/accounts/sessions.ts";
import { C_CHAIN } from "../../services/chain_data/catalogue/metrics_schema.ts";
import { Fault } from "../../services/platform/fault.ts";
import type { ScoresDeps } from "../../services/scores/deps.ts";
import { addressOf } from "../http/client_address.ts";
import { readSessionToken } from "../accounts/session.ts";
import type { FollowSettings } from "./follow_bar.ts";

/** The settings of the page's module, and the headers of the page. */
interface Visitor {
  readonly settings: FollowSettings;
  readonly headers: Readonly<Record<string, string>>;
}

/** Reads the visitor of a request. The page of a signed-in one is for them alone. */
export async function readVisitor(
  deps: ScoresDeps,
  c: Context,
): Promise<Visitor> {
  const { chainId } = deps;
  const token = readSessionToken(deps, c);
  const wallet = token === undefined ? null : await findSession(deps, token, {
    hostname: addressOf(deps, c.req.raw, c.env),
  }).catch(nullIfUnconfirmed);
  const chainName = chainId === C_CHAIN
    ? "Avalanche C-Chain"
    : `chain ${chainId}`;
  return {
    settings: { wallet, chainId, chainName },
    headers: {
      "Cache-Control": wallet === null ? "no-cache" : "private, no-store",
      "Vary": "Cookie",
    },
  };
}

/** Returns null for the fault of a node that must confirm a smart account's session: the page is public. */
function nullIfUnconfirmed(error: unknown): null {
  if (error instanceof Fault) return null;
  throw error;
}
