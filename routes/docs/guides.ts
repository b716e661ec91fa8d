/** Reads the guides, Markdown files in `routes/docs/guides/` and the changelog, and fills in their placeholders. */
import { type Rendered, renderMarkdown } from "./markdown.ts";
import {
  CHECK_NAMES,
  CHECKS,
} from "../../services/chain_data/catalogue/cross_checks_schema.ts";
import {
  derivationOf,
  METRIC_NAMES,
  METRICS,
} from "../../services/chain_data/catalogue/metrics_schema.ts";
import {
  BURSTS,
  formatUsdc,
  METERED,
  METERED_NAMES,
  PERIOD_DAYS,
  PLAN_NAMES,
  type PlanName,
  PLANS,
  PRODUCT_NAMES,
  PRODUCTS,
} from "../../services/payments/plans_schema.ts";
import { FIXTURE_ADDRESSES } from "../../services/scores/test_key_answers.ts";
import {
  JOB_NAMES,
  JOB_SCHEDULES,
} from "../../services/platform/jobs/job_schedules_schema.ts";
import { capacityOf } from "../../services/scores/capacity.ts";
import {
  EXPLORER_CALLS,
  EXPLORER_SHARES,
  limitsOf,
} from "../../services/platform/rate_limit/upstream_limits.ts";
import {
  BAND_NAMES,
  CONFIDENCE_BANDS,
  CONFIDENCE_DETAILS,
  GRAPH_FLAG_NAMES,
  GRAPH_FLAGS,
  TIER_IDS,
  TIERS,
} from "../../services/model/score_terms_schema.ts";
import { REASON_CODES, REASONS } from "../../services/model/reasons_schema.ts";
import {
  ERROR_CODES,
  ERROR_MEANINGS,
} from "../../services/platform/error_codes_schema.ts";
import { MODEL_SCHEDULE, tablesHashOf } from "../../services/model/model.ts";
import { listSettings } from "../../services/settings.ts";
import { statusesOf } from "../http/error_statuses.ts";

/** The guides by group, in the order of the navigation. */
const GUIDES = {
  "Chain data": [
    "quick-start-chain-data",
    "completeness",
    "checked-series",
    "revisions",
    "bulk-files",
  ],
  "Scores": [
    "quick-start-scores",
    "batch-and-history",
    "limits",
    "scoring-method",
    "model-card",
    "attestations",
    "badges",
  ],
  "Programs and agents": ["typescript-sdk", "mcp"],
  "Recipes": [
    "grafana",
    "google-sheets",
    "duckdb-and-pandas",
    "chat-feeds",
    "refresh-a-badge",
  ],
  "Accounts": ["accounts", "paying", "profiles"],
  "Codes and versions": [
    "errors",
    "reasons",
    "terms",
    "versioning",
    "changelog",
    "privacy",
  ],
  "Operation": ["self-hosting", "runbook"],
} as const satisfies Record<string, readonly string[]>;

/** The name of a group. */
export type GuideGroup = keyof typeof GUIDES;
/** The groups in order. */
export const GUIDE_GROUPS = Object.keys(GUIDES) as GuideGroup[];
/** The slugs of all guides, in the order of the navigation. */
export const GUIDE_SLUGS: readonly string[] = Object.values(GUIDES).flat();

/** A guide, rendered. */
export interface Guide extends Rendered {
  readonly slug: string;
  readonly group: GuideGroup;
  /** The Markdown, with its placeholders filled in. */
  readonly source: string;
}

const FOLDER = new URL("./guides/", import.meta.url);

/** The guide that is not in the folder. */
const CHANGELOG = new URL("../../CHANGELOG.md", import.meta.url);

/** Reads all guides. Examples and links use `publicUrl`. */
export function readGuides(publicUrl: string): Promise<Guide[]> {
  return Promise.all(
    GUIDE_GROUPS.flatMap((group) =>
      GUIDES[group].map(async (slug) => {
        const file = slug === "changelog"
          ? CHANGELOG
          : new URL(`${slug}.md`, FOLDER);
        const source = fillIn(await Deno.readTextFile(file), publicUrl);
        return { slug, group, source, ...await renderMarkdown(source) };
      })
    ),
  );
}

/** Replaces each line `{{table:name}}` by that table, and `https://firn.example` by `publicUrl`. */
function fillIn(text: string, publicUrl: string): string {
  return text
    .replaceAll(/^\{\{table:(\w+)\}\}$/gm, (_, name) => docsTable(name))
    .replaceAll("https://firn.example", publicUrl);
}

type Row = readonly (string | number)[];
type Table = readonly [head: readonly string[], rows: readonly Row[]];

/** The explorer index without a key, with a free key, and one's own at 50 calls a second. */
const SOURCE_TIERS = [
  { name: "without a key", ...EXPLORER_CALLS.keyless },
  { name: "free key", ...EXPLORER_CALLS.keyed },
  { name: "own index", perSecond: 50, perDay: 4_320_000 },
].map(({ name, ...rates }) => ({
  name,
  index: { limits: limitsOf(rates), shares: EXPLORER_SHARES },
}));

/** Parts of the reads of a plan that are of addresses nobody has read for a day. */
const COLD_SHARES = [0.5, 0.9, 1];

/** Returns how many wallets that use up their quota evenly are served at once. */
function servable(perDay: number, plan: PlanName, coldShare: number): string {
  const ofOne = PLANS[plan].requests / PERIOD_DAYS * coldShare;
  return Math.floor(perDay / ofOne).toLocaleString("en");
}

/** The tables by the name in `{{table:name}}`: their head and their rows. */
const TABLES: Readonly<Record<string, () => Table>> = {
  metrics: () => [
    ["`metric`", "meaning", "unit", "weeks and months"],
    METRIC_NAMES.map((name) => {
      const { meaning, unit, fold } = METRICS[name];
      const from = derivationOf(name)?.from;
      const words = from ? `${meaning}; derived from \`${from}\`` : meaning;
      return [`\`${name}\``, words, unit, fold];
    }),
  ],
  tolerances: () => [
    ["series", "tolerance per day", "tolerance per month"],
    CHECK_NAMES.map((name) => {
      const { day, month } = CHECKS[name].tolerancePct;
      return [name, `${day} %`, `${month} %`];
    }),
  ],
  errors: () => [
    ["code", "status", "when", "what to do"],
    ERROR_CODES.map((code) => {
      const { when, then } = ERROR_MEANINGS[code];
      return [`\`${code}\``, statusesOf(code).join(", "), when, then];
    }),
  ],
  reasons: () => [
    ["code", "kind", "dimension", "title", "detail"],
    REASON_CODES.map((code) => {
      return [`\`${code}\``, ...REASONS[code]];
    }),
  ],
  flags: () => [
    ["flag", "meaning"],
    GRAPH_FLAG_NAMES.map((flag) => [`\`${flag}\``, GRAPH_FLAGS[flag]]),
  ],
  modelTables: () => [
    ["model", "announced", "tables"],
    MODEL_SCHEDULE.map(({ model, announcedOn }) => [
      model.id,
      announcedOn ?? "",
      `\`${tablesHashOf(model)}\``,
    ]),
  ],
  tiers: () => [
    ["index", "tier", "label"],
    TIER_IDS.map((tier) => [
      TIERS[tier].index,
      `\`${tier}\``,
      TIERS[tier].label,
    ]),
  ],
  bands: () => [
    ["band", "label", "detail"],
    BAND_NAMES.map((band) => [
      `\`${band}\``,
      CONFIDENCE_BANDS[band],
      CONFIDENCE_DETAILS[band],
    ]),
  ],
  capacity: () => [
    [
      "source",
      "plan",
      ...COLD_SHARES.map((share) => `${share * 100} % of its reads are cold`),
    ],
    SOURCE_TIERS.flatMap(({ name, index }) =>
      PLAN_NAMES.map((plan) => [
        name,
        PLANS[plan].label,
        ...COLD_SHARES.map((share) =>
          servable(capacityOf([index]).perDay, plan, share)
        ),
      ])
    ),
  ],
  plans: () => [
    ["plan", "requests in 30 days", "price for 30 days", "adds"],
    PLAN_NAMES.map((plan) => {
      const { label, requests, price, includes } = PLANS[plan];
      const shown = price === 0n ? "free" : `${formatUsdc(price)} USDC`;
      const adds = includes.join(", ");
      return [label, requests.toLocaleString("en"), shown, adds];
    }),
  ],
  bursts: () => [
    ["endpoint", "from plan", "requests per minute and key", "units"],
    METERED_NAMES.map((name) => {
      const { plan, burst } = METERED[name];
      const units = name === "batch" ? "1 per address" : "1";
      return [name, PLANS[plan].label, BURSTS[burst].requests, units];
    }),
  ],
  products: () => [
    ["`product`", "description", "price"],
    PRODUCT_NAMES.map((name) => {
      const { label, price, kind } = PRODUCTS[name];
      const period = kind === "slug" ? "once" : "for 30 days";
      return [`\`${name}\``, label, `${formatUsdc(price)} USDC ${period}`];
    }),
  ],
  fixtures: () => [
    ["address", "what it shows"],
    FIXTURE_ADDRESSES.map((
      { address, shows },
    ) => [`\`${address}\``, shows]),
  ],
  settings: () => [
    ["setting", "default", "meaning"],
    listSettings().map((
      { name, fallback, description },
    ) => [`\`${name}\``, fallback, description]),
  ],
  jobs: () => [
    ["job", "cron (UTC)", "task"],
    JOB_NAMES.map((name) => {
      const { schedule, does } = JOB_SCHEDULES[name];
      return [`\`${name}\``, `\`${schedule}\``, does];
    }),
  ],
};

/** Returns a table as Markdown. Throws if the name is unknown. */
export function docsTable(name: string): string {
  const table = TABLES[name];
  if (table === undefined) throw new Error(`Unknown table "${name}"`);
  const [head, rows] = table();
  // A bare bar would end the cell.
  const escape = (cell: Row[number]) => String(cell).replaceAll("|", "\\|");
  const line = (cells: Row) => `| ${cells.map(escape).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)]
    .join("\n");
}
