/** The Follow button of an address, with its followers, and the visitor whom it serves; its module makes it work. */
import { html } from "hono/html";
import type { FollowState } from "../../services/scores/profile_page.ts";
import type { Html } from "../pages/layout.ts";
import type { Context } from "hono";
import { findSession } from "../../services/accounts/sessions.ts";
import { C_CHAIN } from "../../services/chain_data/catalogue/metrics_schema.ts";
import { Fault } from "../../services/platform/fault.ts";
import type { ScoresDeps } from "../../services/scores/scores.ts";
import { addressOf } from "../http/client_address.ts";
import { readSessionToken } from "../accounts/session.ts";

/** Settings of the button's module, as JSON in `data-settings`. */
export interface FollowSettings {
  /** The signed-in wallet, lower-case; null when signed out. */
  readonly wallet: string | null;
  readonly chainId: number;
  readonly chainName: string;
}

/** The module and the stylesheets of a page with the button. */
export const FOLLOW_ASSETS = {
  modules: ["profiles/follow.js"],
  styles: ["dashboard.css"],
} as const;

/** Renders the button, `more` beside it, and the dialog that choosing a wallet needs. */
export function followBar(
  { address, counts, isFollowed }: FollowState,
  { settings, more }: {
    readonly settings: FollowSettings;
    readonly more: Html | "";
  },
): Html {
  const dialog =
    html`<dialog id="dialog" aria-labelledby="dialog-title"></dialog>`;
  if (settings.wallet === address) {
    return html`
      <p
        class="cluster"><a class="button" href="/dashboard/profile">Edit your profile</a>${more}</p>${dialog}
    `;
  }
  return html`
    <div
      class="cluster"><div id="follow-bar" class="cluster" data-settings="${JSON
        .stringify({ ...settings, address, isFollowed })}">
    <button type="button" id="follow" class="button-primary">${isFollowed
      ? "Unfollow"
      : "Follow"}</button>
    <span><span id="follower-count" class="num">${counts
      .followers}</span> <span id="follower-word">${counts.followers === 1
      ? "follower"
      : "followers"}</span></span></div>${more}</div>
    <noscript><p class="muted">Following needs JavaScript.</p></noscript>
    <p id="follow-message" class="message" role="status"></p>${dialog}
  `;
}

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
