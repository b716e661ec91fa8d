/** The revisions of chains as an Atom feed (RFC 4287). */
import { Feed } from "feed";
import { html } from "hono/html";
import { CHAIN_DATA } from "../http/paths.ts";
import {
  type RevisionsAnswer,
  RevisionsQuery,
} from "../../services/chain_data/series/revisions_schema.ts";

/** What selects revisions of the chains, in the order of links. */
const SELECTORS = ["metric", "from", "to", "since", "limit", "cursor"] as const;

const USUAL = RevisionsQuery.parse({});

/**
 * Writes revisions as a feed. Each selection is a feed with its own id. An entry has
 * the same id in all of them. An entry is dated by its revision, and the feed by its
 * newest entry.
 */
export function revisionsFeed(
  { chainId, chainName, revisions }: RevisionsAnswer,
  query: RevisionsQuery,
  publicUrl: string,
): string {
  const { chainIds } = query;
  const chains = chainIds ? `chainIds=${chainIds}` : `chainId=${chainId}`;
  const ofChains = `${publicUrl}${CHAIN_DATA}/revisions?${chains}`;
  const self = ofChains + SELECTORS
    .filter((name) => query[name] !== USUAL[name])
    .map((name) => `&${name}=${query[name]}`).join("");
  const feed = new Feed({
    id: self,
    title: `Firn: revisions of ${chainName ?? `chains ${chainIds}`}`,
    description: "Values of complete days that their source changed",
    link: self,
    feedLinks: { atom: `${self}&format=atom` },
    updated: new Date(revisions[0]?.seenAt ?? 0),
    author: { name: "Firn" },
    copyright: "",
    generator: "Firn",
  });
  for (const { day, metric, seenAt, ...revision } of revisions) {
    const { oldValue, newValue, unit, cause, chainId } = revision;
    const of = chainIds ? ` on ${revision.chainName}` : "";
    const days = `chainId=${chainId}&metric=${metric}&from=${day}&to=${day}`;
    feed.addItem({
      id: `${ofChains}#${
        chainIds ? `${chainId}/` : ""
      }${metric}/${day}/${seenAt}`,
      title: `${metric}${of} of ${day} was ${cause}`,
      link: `${publicUrl}${CHAIN_DATA}/metrics?${days}`,
      date: new Date(seenAt),
      description: String(
        html`${oldValue ?? "no value"} became ${
          newValue ?? "no value"
        }; unit ${unit}.`,
      ),
    });
  }
  return feed.atom1();
}
