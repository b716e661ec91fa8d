/** The change of a line against earlier windows, in words and as chips. */
import { html } from "hono/html";
import type { Fold } from "../../services/chain_data/catalogue/metrics_schema.ts";
import type {
  Change,
  Chart,
  ChartLine,
} from "../../services/charts/charts_schema.ts";
import { parseDay } from "../../services/platform/days.ts";
import { formatPct, formatValue, unitOf } from "./chart_words.ts";
import type { Html } from "../pages/layout.ts";

const FOLDED: Readonly<Record<Fold, string>> = {
  sum: "Total",
  mean: "Mean",
  max: "Highest",
  last: "Newest",
};

/** A chip: a figure, and the days that it is about. */
interface Chip {
  readonly text: string;
  readonly days: string;
}

/** Lists the chips of a line: its folded value, and its changes. */
function chipsOf(
  { name }: Pick<Chart, "name">,
  { changes, token }: ChartLine,
): Chip[] {
  if (changes === null) return [];
  const { from, to, fold, value, missingDays, before, yearBefore } = changes;
  const count = parseDay(to) - parseDay(from) + 1;
  const days = count === 1 ? "1 day" : `${formatValue(count)} days`;
  const over = fold === "last" ? `on ${to}` : `of ${days}`;
  const missing = (many: number) =>
    `${many} ${many === 1 ? "day is" : "days are"} missing`;
  const text = value === null
    ? `${FOLDED[fold]} ${over}: not computed, ${missing(missingDays)}`
    : `${FOLDED[fold]} ${over}: ${formatValue(value)} ${
      unitOf(name, { token })
    }`;
  const change = (found: Change | null, against: string): Chip[] => {
    if (found === null) return [];
    const { changePct } = found;
    const why = found.missingDays > 0
      ? missing(found.missingDays)
      : value === null
      ? missing(missingDays)
      : "it was 0";
    return [{
      text: changePct === null
        ? `Change on ${against}: not computed, ${why}`
        : `${formatPct(changePct)} on ${against}`,
      days: `${found.from} to ${found.to}`,
    }];
  };
  return [
    { text, days: `${from} to ${to}` },
    ...change(before, count === 1 ? "the day before" : `the ${days} before`),
    ...change(yearBefore, "the year before"),
  ];
}

/** Describes the changes of a line: `Total of 30 days: 1,234 transactions, +1.6 % on the 30 days before`. */
export function describeChanges(
  chart: Pick<Chart, "name">,
  line: ChartLine,
): string {
  return chipsOf(chart, line).map(({ text }) => text).join(", ");
}

/** Renders the changes of a line as chips. */
export function changeChips(chart: Chart, line: ChartLine): Html | "" {
  const chips = chipsOf(chart, line);
  if (chips.length === 0) return "";
  return html`
    <ul class="changes" aria-label="Changes">${chips.map(({ text, days }) =>
      html`<li title="${days}">${text}</li>`
    )}</ul>
  `;
}
