/** The open disputes as an Atom feed (RFC 4287). */
import { Feed } from "feed";
import { html } from "hono/html";
import { CHECKS } from "../../services/chain_data/catalogue/check_rules_schema.ts";
import { CHAIN_DATA } from "../http/paths.ts";
import type {
  Dispute,
  DisputesAnswer,
} from "../../services/chain_data/checks/disputes_schema.ts";

/**
 * Writes the disputes as a feed. An entry keeps its id while the dispute is open. It is
 * dated by when the dispute was found, and the feed by its newest entry.
 */
export function disputesFeed(
  { disputes, checkedAt }: DisputesAnswer,
  publicUrl: string,
): string {
  const newest = disputes.map(({ foundAt }) => foundAt).toSorted().at(-1);
  const self = `${publicUrl}${CHAIN_DATA}/disputes`;
  const feed = new Feed({
    id: self,
    title: "Firn: open disputes between data sources",
    description: "Days on which two sources of a checked series disagree",
    link: self,
    feedLinks: { atom: `${self}?format=atom` },
    updated: new Date(newest ?? checkedAt ?? 0),
    author: { name: "Firn" },
    copyright: "",
    generator: "Firn",
  });
  for (const dispute of disputes) {
    const { series, day } = dispute;
    const { endpoint, dailyQuery } = CHECKS[series];
    feed.addItem({
      id: `${self}#${series}/${day}`,
      title: `${series} of ${day} are disputed`,
      link:
        `${publicUrl}${CHAIN_DATA}/${endpoint}?${dailyQuery}from=${day}&to=${day}`,
      date: new Date(dispute.foundAt),
      description: String(html`${describe(dispute)}`),
    });
  }
  return feed.atom1();
}

function describe(dispute: Dispute): string {
  const { value, crossCheckValue, differencePct, unit, tolerancePct } = dispute;
  const difference = differencePct === null
    ? ""
    : `, a difference of ${differencePct} %`;
  return `${dispute.source}: ${value} ${unit}. ` +
    `${dispute.crossCheckSource}: ${crossCheckValue} ${unit}${difference}; ` +
    `tolerance ${tolerancePct} %.`;
}
