/** The tables of the status page. */
import { html } from "hono/html";
import type { CheckName } from "../../services/chain_data/catalogue/check_rules_schema.ts";
import type {
  JobStatus,
  StatusAnswer,
} from "../../services/status/status_schema.ts";
import { formatShare } from "../charts/chart_words.ts";
import type { Html } from "../pages/layout.ts";
import { instant, table } from "../pages/tables.ts";
import { unbroken } from "../pages/unbroken.ts";

type Result = NonNullable<JobStatus["lastRun"]>["result"];

/** Badge and label of each result. */
const RESULTS: Readonly<
  Record<Result, readonly [badge: string, text: string]>
> = {
  ok: ["badge-good", "OK"],
  failed: ["badge-bad", "Failed"],
  running: ["badge-accent", "Running"],
  lost: ["badge-bad", "Lost"],
};

const SERIES: Readonly<Record<CheckName, string>> = {
  transactions: "Transactions",
  fees: "Fees",
  blocks: "Blocks",
  stake: "Stake",
};

const UNKNOWN = html`
  <p
    class="notice notice-warn">This could not be read in time. Reload the page in a moment.</p>
`;

/** Renders when each source was last read. */
export function sourcesTable({ sources }: StatusAnswer): Html {
  if (sources === null) return UNKNOWN;
  return table("Sources", {
    head: ["Source", "Serves", "Last success", "Lag"],
    rows: sources.map(({ source, serves, lastSuccessAt, lagHours }) => [
      html`<span class="wide-cell">${unbroken(source)}</span>`,
      html`<span class="wide-cell">${serves}</span>`,
      lastSuccessAt === null ? "never" : instant(lastSuccessAt),
      html`<span class="nowrap">${
        lagHours === null ? "–" : showLag(lagHours)
      }</span>`,
    ]),
  });
}

/** Renders the agreement of sources. */
export function checksTable({ checks }: StatusAnswer): Html {
  if (checks === null) return UNKNOWN;
  if (checks.length === 0) {
    return html`<p class="notice">No days have been compared yet.</p>`;
  }
  return table("Checks", {
    head: [
      "Series",
      "Agreement",
      "Last 90 days",
      "Days compared",
      "Disputed days",
      "Checked through",
    ],
    numbersFrom: 1,
    rows: checks.map((check) => [
      SERIES[check.series],
      showShare(check.agreementPct),
      showShare(check.recentAgreementPct),
      check.comparedDayCount.toLocaleString("en"),
      check.openDisputeCount.toLocaleString("en"),
      check.checkedThrough ?? "–",
    ]),
  });
}

/** Renders the last run and the next due time of each job. */
export function jobsTable({ jobs }: StatusAnswer): Html {
  if (jobs === null) return UNKNOWN;
  return table("Jobs", {
    head: ["Job", "Last run", "Result", "Outcome", "Next due"],
    rows: jobs.map(({ job, does, lastRun, nextDueAt }) => [
      html`
        <code>${job}</code><br><span
          class="small muted wide-cell">${unbroken(does)}</span>
      `,
      lastRun === null ? "–" : instant(lastRun.startedAt),
      lastRun === null
        ? html`<span class="badge">Not yet</span>`
        : showResult(lastRun.result),
      html`<span class="wide-cell">${lastRun?.outcome ?? "–"}</span>`,
      instant(nextDueAt),
    ]),
  });
}

function showResult(result: Result): Html {
  const [badge, text] = RESULTS[result];
  return html`<span class="badge ${badge}">${text}</span>`;
}

const showShare = (pct: number | null) => pct === null ? "–" : formatShare(pct);

const showLag = (hours: number) =>
  hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
