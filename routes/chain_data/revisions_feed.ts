/** The revisions of a chain as an Atom feed (RFC 4287). */
import { Feed } from "feed";
import { html } from "hono/html";
import { CHAIN_DATA } from "../paths.ts";
import type { RevisionsAnswer } from "../../services/chain_data/series/revisions_schema.ts";

/** Writes revisions as a feed. An entry is as old as its revision, and the feed as its newest entry. */
export function revisionsFeed(
  { chainId, chainName, revisions }: RevisionsAnswer,
  publicUrl: string,
): string {
  const self = `${publicUrl}${CHAIN_DATA}/revisions?chainId=${chainId}`;
  const feed = new Feed({
    id: self,
    title: `Firn: revisions of ${chainName}`,
    description: "Values of complete days that their source changed",
    link: self,
    feedLinks: { atom: `${self}&format=atom` },
    updated: new Date(revisions[0]?.seenAt ?? 0),
    author: { name: "Firn" },
    copyright: "",
    generator: "Firn",
  });
  for (const { day, metric, seenAt, ...revision } of revisions) {
    const { oldValue, newValue, unit, cause } = revision;
    const days = `chainId=${chainId}&metric=${metric}&from=${day}&to=${day}`;
    feed.addItem({
      id: `${self}#${metric}/${day}/${seenAt}`,
      title: `${metric} of ${day} was ${cause}`,
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
