/** The reasons of a score in three groups, each with the figures of the address. */
import { html } from "hono/html";
import type { Figures } from "../../services/scores/public_scores.ts";
import type {
  ReasonCode,
  ReasonKind,
} from "../../services/model/reasons_schema.ts";
import type { Reason } from "../../services/model/scores_schema.ts";
import type { Html } from "../pages/layout.ts";
import { unbroken } from "../pages/unbroken.ts";
import { DIMENSION_WORDS, SOCIAL_WORDS } from "./score_words.ts";
import { dayWords, showUsdc } from "../pages/dates.ts";

/** A group of reasons on the page. */
interface Group {
  readonly kind: ReasonKind;
  readonly title: string;
  readonly badge: string;
  readonly meaning: string;
  readonly none: string;
}

const GROUPS: readonly Group[] = [
  {
    kind: "positive",
    title: "Strengths",
    badge: "badge badge-good",
    meaning: "What raises the score.",
    none: "Nothing that was read speaks for this address yet.",
  },
  {
    kind: "coverage",
    title: "Gaps",
    badge: "badge",
    meaning:
      "Missing or limited evidence. It never lowers the score; most of it lowers the confidence.",
    none: "Nothing is missing.",
  },
  {
    kind: "risk",
    title: "Risks",
    badge: "badge badge-warn",
    meaning: "What lowers the score.",
    none: "No risk was found in what was read.",
  },
];

/** Renders the groups. Within a group the order and the texts are those of the API. */
export function reasonGroups(
  reasons: readonly Reason[],
  figures: Figures | null,
): Html {
  return html`<div class="reason-groups">${
    GROUPS.map(({ kind, title, badge, meaning, none }) => {
      const some = reasons.filter((reason) => reason.kind === kind);
      const id = title.toLowerCase();
      return html`<section class="card stack stack-small" aria-labelledby="${id}">
<h3 id="${id}">${title} <span class="${
        some.length > 0 ? badge : "badge"
      }">${some.length}</span></h3>
<p class="small muted">${meaning}</p>
${
        some.length === 0
          ? html`<p>${none}</p>`
          : html`<ul class="reasons">${
            some.map((reason) => reasonItem(reason, figures))
          }</ul>`
      }</section>`;
    })
  }</div>`;
}

function reasonItem(
  { code, dimension, title, detail }: Reason,
  figures: Figures | null,
): Html {
  const behind = figures && figuresBehind(code, figures);
  return html`<li><p class="reason-title">${title} <span class="muted small">${
    DIMENSION_WORDS[dimension].label
  }</span></p><p class="reason-detail">${unbroken(detail)}</p>${
    behind ? html`<p class="reason-figures num">${unbroken(behind)}</p>` : ""
  }</li>`;
}

/** Returns the figures behind a reason, such as "412 transactions on 96 days"; null if there are none to show. */
export function figuresBehind(
  code: ReasonCode,
  figures: Figures,
): string | null {
  return FIGURES[code]?.(figures) ?? null;
}

type FiguresText = (figures: Figures) => string | null;

const transactions: FiguresText = ({ transactions }) =>
  count(transactions, "transaction");

const transactionsOnDays: FiguresText = (
  { transactions, activeDays, isCut },
) =>
  `${count(transactions, "transaction")} on ${least(isCut)}${
    count(activeDays, "day")
  }`;

const first: FiguresText = ({ firstDay, ageDays }) =>
  firstDay && `First transaction on ${dayWords(firstDay)}, ${ago(ageDays!)}`;

const last: FiguresText = ({ lastDay, idleDays }) =>
  lastDay && `Last transaction on ${dayWords(lastDay)}, ${ago(idleDays!)}`;

const followers: FiguresText = ({ followers }) => count(followers, "follower");

const gas = ({ gasAvax, isCut }: Figures): string =>
  `${least(isCut)}${show(gasAvax)} AVAX of gas`;

const FIGURES: Readonly<Partial<Record<ReasonCode, FiguresText>>> = {
  LIMITED_ONCHAIN_HISTORY: transactions,
  STALE_SIGNALS: last,
  SMALL_GRAPH: followers,
  FOLLOW_RING: ({ followers, mutual }) =>
    `${show(mutual)} of ${count(followers, "follower")} followed back`,
  FOLLOWER_BURST: ({ followers, burst }) =>
    `${show(burst)} of ${count(followers, "follower")} within 24 hours`,
  THIN_FOLLOWERS: ({ followers, thin }) =>
    `${show(thin)} of ${count(followers, "follower")} without a history`,
  COLLECTED_BEFORE_USE: ({ payers }) =>
    `Paid by ${count(payers, "address", "addresses")}`,
  NEW_WALLET: first,
  DORMANT: last,
  CONCENTRATED_ACTIVITY: transactionsOnDays,
  LOW_COST_FOOTPRINT: (figures) => `${transactions(figures)}, ${gas(figures)}`,
  LONG_HISTORY: first,
  VERIFIED_SOCIALS: ({ socials }) =>
    socials.map((kind) => SOCIAL_WORDS[kind]).join(", "),
  RECENT_ACTIVITY: last,
  SUSTAINED_ACTIVITY: transactionsOnDays,
  HIGH_ACTIVITY: transactionsOnDays,
  QUALITY_FOLLOWERS: followers,
  CLEAN_GRAPH: followers,
  GAS_SPENT: (figures) => gas(figures).replace(/^a/, "A"),
  PREMIUM_MEMBER: ({ premiumMonths }) => count(premiumMonths, "month"),
  DONOR: ({ donatedUsdc }) => showUsdc(donatedUsdc),
};

/** Marks a figure of the known transactions alone. */
function least(isCut: boolean): string {
  return isCut ? "at least " : "";
}

/** Formats a count with its noun. */
function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${show(number)} ${number === 1 ? noun : plural}`;
}

/** Formats a number with at most three significant digits of a fraction. */
function show(number: number): string {
  return number.toLocaleString("en", {
    maximumFractionDigits: number < 1 ? 4 : 2,
  });
}

/** Mean days of a month and of a year of the calendar. */
const MEAN_MONTH_DAYS = 30.44;
const MEAN_YEAR_DAYS = 365.25;

/** Returns how long ago something was, in days, whole months or whole years. */
function ago(days: number): string {
  if (days === 0) return "less than a day ago";
  if (days < 2 * MEAN_MONTH_DAYS) return `${count(days, "day")} ago`;
  return days < 2 * MEAN_YEAR_DAYS
    ? `${Math.floor(days / MEAN_MONTH_DAYS)} months ago`
    : `${Math.floor(days / MEAN_YEAR_DAYS)} years ago`;
}
