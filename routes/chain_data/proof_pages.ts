/** The pages of the check: `/disputes`, `/revisions` and `/days/{series}/{chainId}/{day}`. */
import { html } from "hono/html";
import type { CheckQuality } from "../../services/chain_data/quality/quality_schema.ts";
import {
  CHECKS,
  NOT_COMPARED,
} from "../../services/chain_data/catalogue/cross_checks_schema.ts";
import {
  C_CHAIN,
  type Metric,
  METRIC_NAMES,
  METRICS,
} from "../../services/chain_data/catalogue/metrics_schema.ts";
import { GENESIS_DAY } from "../../services/chain_data/catalogue/fields_schema.ts";
import type { ChartName } from "../../services/charts/charts_schema.ts";
import {
  DayPath,
  type DayProof,
  type DaySeries,
  daySeriesOf,
  readDayProof,
  type RedoCall,
  redoCalls,
} from "../../services/chain_data/checks/day_proof.ts";
import type {
  Dispute,
  DisputesAnswer,
} from "../../services/chain_data/checks/checked_series_schema.ts";
import type { RevisionsAnswer } from "../../services/chain_data/series/revisions_schema.ts";
import { dayAt, formatDay, parseDay } from "../../services/platform/days.ts";
import { chainLink, proofBadge, proofLegend } from "../charts/chain_words.ts";
import {
  capitalised,
  CHART_WORDS,
  formatExact,
  formatPct,
  formatShare,
  formatValue,
  unitOf,
} from "../charts/chart_words.ts";
import { CHAIN_DATA, dayPath, DISPUTES, REVISIONS } from "../http/paths.ts";
import { printable } from "../pages/drawable_names.ts";
import { codeBlock } from "../pages/code.ts";
import type { Html, Page } from "../pages/layout.ts";
import { instant, table } from "../pages/tables.ts";
import { unbroken } from "../pages/unbroken.ts";
import { z } from "@hono/zod-openapi";
import { readChainList } from "../../services/chain_data/catalogue/chains.ts";
import { readDisputes } from "../../services/chain_data/checks/disputes.ts";
import type { ChainDataDeps } from "../../services/chain_data/checks/deps.ts";
import { listChecks } from "../../services/chain_data/quality/quality.ts";
import { readRevisions } from "../../services/chain_data/series/revisions.ts";
import { Fault } from "../../services/platform/fault.ts";
import { checkInput, checkQuery } from "../http/validation_errors.ts";
import type { ResponseCache } from "../http/response_cache.ts";
import { newRouter } from "../http/router.ts";
import { pageContent } from "../pages/page_content.ts";

/** Revisions of a page. */
const MAX_SHOWN = 200;

const RevisedQuery = z.object({
  metric: z.enum(METRIC_NAMES).default("txCount"),
});

/** Serves the pages through the cache of pages. */
export function proofPages(deps: ChainDataDeps, pages: ResponseCache) {
  const { now, publicUrl } = deps;
  return newRouter()
    .get(DISPUTES, (c) =>
      pages.send(c, {}, async () => {
        const [{ answer }, checks] = await Promise.all([
          readDisputes(deps),
          listChecks(deps),
        ]);
        return pageContent(disputesPage(answer, { checks, publicUrl }), now());
      }))
    .get(REVISIONS, (c) => {
      const { metric } = checkQuery(c, RevisedQuery);
      return pages.send(c, { metric }, async () => {
        const read = await readAllRevisions(deps, metric);
        return pageContent(revisionsPage(read, { metric, publicUrl }), now());
      });
    })
    .get("/days/:series/:chainId/:day", (c) => {
      const given = c.req.param();
      // Answers name a checked series otherwise than the addresses of its days.
      const series = daySeriesOf(given.series as DaySeries);
      const path = checkInput(DayPath, { ...given, series });
      if (series !== given.series) {
        return c.redirect(dayPath(series, path.chainId, path.day), 301);
      }
      return pages.send(c, path, async ({ client }) => {
        const proof = await readDayProof(deps, path, { maxStaleMs: 0, client });
        if (proof === null) {
          throw new Fault(
            `Cannot show ${path.series} of chain ${path.chainId}: it has not been read yet`,
            { kind: "unknownPath" },
          );
        }
        const calls = redoCalls(path, deps);
        const today = formatDay(dayAt(now().getTime()));
        return pageContent(
          dayPage(proof, { calls, publicUrl, today }),
          now(),
        );
      });
    });
}

/** Reads the last seen revisions of a metric of all chains, and the token of each chain. */
async function readAllRevisions(deps: ChainDataDeps, metric: Metric) {
  // Names rarely change, so a stored list of any age is accepted.
  const { chains } = await readChainList(deps, { maxStaleMs: Infinity });
  const chainIds = [...new Set(chains.map(({ chainId }) => chainId))];
  const query = { chainIds, metric, limit: MAX_SHOWN, format: "json" } as const;
  const { answer } = await readRevisions(deps, query);
  const tokens = new Map(chains.map(({ chainId, token }) => [chainId, token]));
  return { ...answer, tokens };
}

/** Maximum number of rows, each a card on a phone. All are in the CSV. */
const MAX_ROWS = 100;

/** The chart of a series whose days have addresses. */
function chartOf(series: DaySeries): ChartName {
  return series === "blocks" || series === "stake"
    ? CHECKS[series].endpoint
    : series;
}

function labelOf(series: DaySeries): string {
  return CHART_WORDS[chartOf(series)].label;
}

/** Renders a link to a day's page. */
function dayLink(series: DaySeries, chainId: number, day: string): Html {
  return html`<a class="nowrap" href="${
    dayPath(series, chainId, day)
  }">${day}</a>`;
}

function files(path: string, formats: readonly string[]): Html {
  const urlOf = (format: string) =>
    `${path}${path.includes("?") ? "&" : "?"}format=${format}`;
  return html`<p class="small">As data: <a href="${path}">JSON</a>${
    formats.map((format) =>
      html`, <a href="${urlOf(format)}">${
        format === "atom" ? "Atom feed" : format.toUpperCase()
      }</a>`
    )
  }</p>`;
}

/** Renders the page of all open disputes, with how far the checked series agree. */
function disputesPage(
  { count, disputes }: DisputesAnswer,
  { checks, publicUrl }: {
    readonly checks: readonly CheckQuality[];
    readonly publicUrl: string;
  },
): Page {
  const title = "Days on which two sources differ";
  const api = `${CHAIN_DATA}/disputes`;
  return {
    title,
    description:
      "Every day on which two independent sources of Avalanche figures differ, with both values, the difference and when it was found.",
    nav: "chains",
    url: `${publicUrl}${DISPUTES}`,
    feed: { title, href: `${api}?format=atom` },
    body: html`
      <div class="stack stack-large">
        <header class="stack stack-small">
          <h1>${title}</h1>
          <p
            class="lede">Each day is compared with a second, independent source. Where they
            differ by more than the tolerance, both values are published and stay here until they
            agree. <a href="${REVISIONS}">Values that changed afterwards</a> have a page too.</p>
        </header>
        <section class="stack stack-small" aria-labelledby="agreement">
          <h2 id="agreement">How far the sources agree</h2>
          ${checks.length === 0
            ? html`<p class="notice">Nothing has been compared yet.</p>`
            : table("Agreement by series", {
              isCards: true,
              head: [
                "Series of the C-Chain",
                "Agree",
                "Compared days",
                "Disputed",
                "Through",
              ],
              numbersFrom: 1,
              rows: checks.map((
                {
                  series,
                  agreementPct,
                  comparedDayCount,
                  openDisputeCount,
                  checkedThrough,
                },
              ) => [
                html`<a href="/?metric=${CHECKS[series].endpoint}">${
                  labelOf(daySeriesOf(series))
                }</a>`,
                agreementPct === null ? "–" : formatShare(agreementPct),
                formatValue(comparedDayCount),
                formatValue(openDisputeCount),
                checkedThrough ?? "–",
              ]),
            })}
        </section>
        <section class="stack stack-small" aria-labelledby="days">
          <h2 id="days">${count === 0
            ? "No disputed day"
            : `Disputed days: ${formatValue(count)}`}</h2>
          ${count === 0
            ? html`<p>The sources agree on every compared day.</p>`
            : disputeTable(disputes.slice(0, MAX_ROWS))}
          ${count > MAX_ROWS
            ? html`
              <p
                class="muted small">The newest ${MAX_ROWS} of ${formatValue(
                  count,
                )}; all are in the CSV.</p>
            `
            : ""} ${files(api, ["csv", "atom"])}
        </section>
        <section class="stack stack-small" aria-labelledby="scale">
          <h2 id="scale">The scale of proof</h2>
          ${proofLegend()}
          <p class="small"><a href="/docs/checked-series">How sources are compared</a></p>
        </section>
      </div>
    `,
  };
}

function disputeTable(disputes: readonly Dispute[]): Html {
  return table("Disputed days", {
    isCards: true,
    head: ["Day", "Series", "Here", "Second source", "Difference", "Found"],
    numbersFrom: 2,
    numbersTo: 5,
    rows: disputes.map((
      {
        day,
        series,
        chainId,
        chainName,
        token,
        value,
        crossCheckValue,
        differencePct,
        foundAt,
      },
    ) => {
      const of = daySeriesOf(series);
      return [
        dayLink(of, chainId, day),
        html`${labelOf(of)} on ${chainLink({ chainId, chainName })}`,
        exactly(value, { series: of, token }),
        exactly(crossCheckValue, { series: of, token }),
        differencePct === null ? "–" : formatPct(differencePct),
        instant(foundAt),
      ];
    }),
  });
}

/** Renders the page of the revisions of a metric on all chains. */
function revisionsPage(
  { revisions, nextCursor, tokens }:
    & Pick<RevisionsAnswer, "revisions" | "nextCursor">
    & { readonly tokens: ReadonlyMap<number, string | null> },
  { metric, publicUrl }: {
    readonly metric: Metric;
    readonly publicUrl: string;
  },
): Page {
  const title = "Days that a source changed afterwards";
  const api = `${CHAIN_DATA}/revisions?chainId=${C_CHAIN}&metric=${metric}`;
  return {
    title,
    description:
      "Every complete day of an Avalanche chain whose figure its source changed afterwards: the value before and after, and when it was seen.",
    nav: "chains",
    url: `${publicUrl}${REVISIONS}${
      metric === "txCount" ? "" : `?metric=${metric}`
    }`,
    feed: { title, href: `${api}&format=atom` },
    body: html`
      <div class="stack stack-large">
        <header class="stack stack-small">
          <h1>${title}</h1>
          <p
            class="lede">A figure that was complete and changed later is not overwritten in silence:
            the old value is kept, and <a href="/docs/revisions">every earlier answer can be had
            again</a>. <a href="${DISPUTES}">Days on which two sources differ</a> have a page too.</p>
        </header>
        <form class="cluster cluster-end" action="${REVISIONS}">
          <div class="field">
            <label for="metric">Metric</label>
            <select id="metric" name="metric">${METRIC_NAMES.map((name) =>
              html`<option value="${name}" ${
                name === metric ? "selected" : ""
              }>${CHART_WORDS[name].label}</option>`
            )}</select>
          </div>
          <button class="button-primary">Show</button>
        </form>
        <section class="stack stack-small" aria-labelledby="days">
          <h2 id="days">${CHART_WORDS[metric].label}, all chains</h2>
          ${revisions.length === 0
            ? html`
              <p
                class="notice">No complete day of this metric has changed since Firn began to read it.</p>
            `
            : table("Revised days", {
              isCards: true,
              head: [
                "Day",
                "Chain",
                "Before",
                "After",
                "Seen",
                "What happened",
              ],
              numbersFrom: 2,
              numbersTo: 4,
              rows: revisions.map((
                { day, chainId, chainName, oldValue, newValue, seenAt, cause },
              ) => {
                const token = tokens.get(chainId) ?? null;
                return [
                  dayLink(metric, chainId, day),
                  chainLink({ chainId, chainName }),
                  exactly(oldValue, { series: metric, token }),
                  exactly(newValue, { series: metric, token }),
                  instant(seenAt),
                  CAUSES[cause],
                ];
              }),
            })}
          ${nextCursor === null
            ? ""
            : html`<p class="muted small">The last seen ${
              formatValue(revisions.length)
            }; older ones are in the API.</p>`} ${files(api, ["csv", "atom"])}
          <p class="muted small">The files are those of the C-Chain; <code>chainIds</code> takes
            several chains.</p>
        </section>
      </div>
    `,
  };
}

const CAUSES: Readonly<
  Record<RevisionsAnswer["revisions"][number]["cause"], string>
> = {
  restated: "the source returns another value",
  withdrawn: "the source returns no value any more",
  returned: "the source returns it again",
  published: "published late, in place of an inferred value",
};

/** Renders a value with all its digits, in the unit of answers, which is beside it where it is not in the heading. */
function exactly(
  value: number | null,
  of?: Pick<DayProof, "series" | "token">,
): Html {
  if (value === null) return html`<span class="num">no value</span>`;
  const digits = html`<span class="num">${formatExact(value)}</span>`;
  return of === undefined
    ? digits
    : html`${digits} <span class="muted small">${exactUnitOf(of)}</span>`;
}

/** Returns the unit of answers, in which these pages show the values of days. */
function exactUnitOf(
  { series, token }: Pick<DayProof, "series" | "token">,
): string {
  return series === "blocks" || series === "stake"
    ? unitOf(chartOf(series), { token })
    : METRICS[series].counted ?? unitOf(series, { token });
}

/** Renders the page of a day: both values, when a dispute was found, the history, and the calls to redo it. */
function dayPage(
  proof: DayProof,
  { calls, publicUrl, today }: {
    readonly calls: readonly RedoCall[];
    readonly publicUrl: string;
    /** YYYY-MM-DD; no later day is linked. */
    readonly today: string;
  },
): Page {
  const { series, chainId, day, agrees } = proof;
  const chain = printable(proof.chainName);
  const title = `${labelOf(series)} on ${chain}, ${day}`;
  const around = (by: number) => formatDay(parseDay(day) + by);
  const chart = `/?metric=${chartOf(series)}${
    series === "blocks" || series === "stake" ? "" : `&chainId=${chainId}`
  }&from=${around(-30)}&to=${around(30)}`;
  return {
    title,
    description:
      `${title}: what each source says, whether they agree, and what changed afterwards.`,
    nav: "chains",
    url: `${publicUrl}${dayPath(series, chainId, day)}`,
    // Pages of days on which nothing happened would fill an index of searches.
    isIndexed: agrees === false || proof.revisions.length > 0,
    modules: ["copy.js"],
    body: html`
      <div class="stack stack-large">
        <header class="stack stack-small">
          <p
            class="eyebrow">${chainLink(proof)}</p>
          <h1>${unbroken(title)}</h1>
          <p
            class="cluster">${proof.proof === null
              ? ""
              : proofBadge(proof.proof)}${proof.revisions.length === 0
              ? ""
              : html`<span class="badge badge-warn">Revised</span>`} <a href="${chart}">The chart around this day</a></p>
          <p class="cluster small">${([
            ["prev", -1, "day before"],
            ["next", 1, "day after"],
          ] as const)
            .map(([rel, by, words]) => [rel, around(by), words] as const)
            .filter(([, other]) => GENESIS_DAY <= other && other <= today)
            .map(([rel, other, words]) =>
              html`<a rel="${rel}" href="${
                dayPath(series, chainId, other)
              }">${words}: ${other}</a>`
            )}</p>
        </header>
        <section class="stack stack-small" aria-labelledby="values">
          <h2 id="values">What each source says</h2>
          ${table("Both sources", {
            isCards: true,
            head: ["Source", capitalised(exactUnitOf(proof))],
            numbersFrom: 1,
            rows: [
              [printable(proof.source), exactly(proof.value)],
              ...proof.crossCheckSource === null ? [] : [[
                printable(proof.crossCheckSource),
                exactly(proof.crossCheckValue),
              ]],
            ],
          })}
          <p>${verdictOf(proof)}</p>
        </section>
        <section class="stack stack-small" aria-labelledby="history">
          <h2 id="history">History</h2>
          ${historyOf(proof)}
        </section>
        <section class="stack" aria-labelledby="redo">
          <h2 id="redo">Do it again yourself</h2>
          ${calls.map(({ answers, url }) =>
            html`
              <div>
                <p class="small">${capitalised(answers)}:</p>
                ${codeBlock(`curl '${url}'`, { wraps: true })}
              </div>
            `
          )}
        </section>
      </div>
    `,
  };
}

function verdictOf(
  {
    value,
    isAwaited,
    before,
    agrees,
    differencePct,
    tolerancePct,
    reason,
    foundAt,
  }: DayProof,
): Html {
  if (before !== null) {
    return html`
      The day is before the first day of this ${before.of}, <span
        class="nowrap">${before.day}</span>: there is nothing to publish.
    `;
  }
  if (isAwaited) {
    return html`The source has not published this day yet.`;
  }
  if (value === null) {
    return html`The source has no value of this day: a gap. It is never filled.`;
  }
  if (agrees === null) {
    return html`The day is not compared: ${
      reason === null
        ? "the second source has no complete value of it"
        : NOT_COMPARED[reason]
    }.`;
  }
  const by = differencePct === null ? "" : ` by ${formatPct(differencePct)}`;
  const accepted = `${tolerancePct} % is accepted`;
  return agrees
    ? html`The sources agree: they differ${by}, and ${accepted}.`
    : html`The sources differ${by}; ${accepted}. ${
      foundAt === null ? "" : html`Found ${instant(foundAt)}.`
    }`;
}

function historyOf({ foundAt, revisions }: DayProof): Html {
  const events = [
    ...foundAt === null
      ? []
      : [{ at: foundAt, what: html`the sources were found to differ` }],
    ...revisions.map(({ seenAt, oldValue, newValue, cause }) => ({
      at: seenAt,
      what: html`${CAUSES[cause]}: ${exactly(oldValue)} became ${
        exactly(newValue)
      }`,
    })),
  ].toSorted((a, b) => a.at < b.at ? 1 : -1);
  return events.length === 0
    ? html`<p>Nothing has happened to this day since Firn began to read it.</p>`
    : html`<ul>${
      events.map(({ at, what }) => html`<li>${instant(at)}: ${what}</li>`)
    }</ul>`;
}
