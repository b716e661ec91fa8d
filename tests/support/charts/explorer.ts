/** The explorer as it answers, and what stands on it. */
import { appOf } from "../app.ts";
import { PLAIN_VIEW } from "../../../services/charts/charts_schema.ts";
import type { ExplorerState } from "../../../services/charts/explorer.ts";
import type { TestDeps } from "../deps.ts";
import { unescape } from "../outline.ts";
import { assertReadable } from "../readable.ts";

/** The URL of the explorer's default view. */
export const HOME = "/?metric=txCount&chainId=43114&range=1y&interval=day";

/** The explorer of the C-Chain's transactions, with nothing hidden. */
export const EXPLORER_STATE: ExplorerState = {
  metric: "txCount",
  chainIds: [43114],
  range: "30d",
  from: undefined,
  to: undefined,
  interval: "day",
  window: null,
  unfinished: "show",
  upgrades: "show",
  revisions: "show",
  view: PLAIN_VIEW,
};

/** Asks for a page of the explorer. */
export async function askExplorer(
  deps: TestDeps,
  path: string,
  accept = "text/html",
) {
  const headers = { Accept: accept };
  const response = await appOf(deps).request(path, { headers });
  const text = await response.text();
  assertReadable(text);
  return { response, status: response.status, text };
}

/** What a reader sees, without what is for the script. */
export const wordsOf = (page: string) =>
  unescape(page.replace(/<(script|svg)[\s\S]*?<\/\1>|<[^>]*>/g, " "))
    .replace(/\s+/g, " ");

/** The cells of the table of values, row by row. */
export const rowsOf = (page: string) =>
  [...page.match(/<tbody>[\s\S]*?<\/tbody>/)![0].matchAll(/<tr[\s\S]*?<\/tr>/g)]
    .map(([row]) =>
      [...row.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)]
        .map(([, cell]) => cell!.replace(/<[^>]*>/g, "").trim())
    );

/** Where the links lead. */
export const hrefsOf = (page: string) =>
  [...page.matchAll(/href="([^"]*)"/g)].map(([, href]) => unescape(href!));
