/** Checks of a deployment: its settings before it, and its answers after it. Each says what is wrong, and what to do. */
import { isOlder, LEAST_DENO, VERSION } from "../platform/version.ts";
import { MINUTE_MS } from "../platform/days.ts";
import { parseJson, shortened } from "../platform/text.ts";

/** What a check found: what is wrong and what to do; null if all is well. */
type Problem = string | null;

/** A row of the result. */
interface CheckedRow {
  readonly name: string;
  readonly problem: Problem;
}

/** The deployment that is asked. */
interface Deployed {
  /** Its address, without a path. */
  readonly origin: string;
  readonly now: number;
  /** Asks a path. Throws if nothing answers. */
  ask(path: string, init?: RequestInit): Promise<{
    readonly status: number;
    readonly headers: Headers;
    readonly text: string;
  }>;
}

/** What is known before a deploy. */
export interface Prepared {
  /** Why the settings are refused; null if they are accepted. */
  readonly settingsError: string | null;
  readonly publicUrl: string | undefined;
  /** The version of Deno. */
  readonly denoVersion: string;
  readonly deploy: { readonly org?: string; readonly app?: string };
  readonly jobCount: number;
  /** The id of the store; null if it has none, undefined if KV_PATH names no database server. */
  readonly storeId: string | null | undefined;
}

/** The most crons that the free plan of Deno Deploy runs. */
const MAX_CRONS = 10;

/** Checks that need no deployment. */
export function checkPrepared(prepared: Prepared): CheckedRow[] {
  const { settingsError, publicUrl, denoVersion, deploy, jobCount, storeId } =
    prepared;
  return [
    {
      name: "the settings are accepted",
      problem: settingsError && `${settingsError}: correct them`,
    },
    {
      name: "PUBLIC_URL is the https address of the app",
      problem: publicUrl?.startsWith("https://")
        ? null
        : "set PUBLIC_URL to https://<app>.<org>.deno.net",
    },
    {
      name: `Deno is ${LEAST_DENO} or newer`,
      problem: isOlder(denoVersion, LEAST_DENO)
        ? `it is ${denoVersion}: install a newer one`
        : null,
    },
    {
      name: "the deploy block of deno.json names an organisation and an app",
      problem: deploy.org && deploy.app
        ? null
        : "set deploy.org and deploy.app in deno.json",
    },
    {
      name: `at most ${MAX_CRONS} jobs have a schedule`,
      problem: jobCount <= MAX_CRONS
        ? null
        : `${jobCount} have: the free plan runs ${MAX_CRONS}`,
    },
    {
      name: "the database has a store id",
      problem: storeId === undefined
        ? "not checked: set KV_PATH to the connect URL of the database and DENO_KV_ACCESS_TOKEN to its token"
        : storeId === null
        ? "run deno task operator store init with the same KV_PATH"
        : null,
    },
  ];
}

/** The checks of a running deployment, in the order of the table. */
const DEPLOYED: readonly {
  readonly name: string;
  readonly check: (deployed: Deployed) => Promise<Problem>;
}[] = [
  {
    name: "the process answers",
    async check({ ask }) {
      const { status, text } = await ask("/live");
      return status === 200
        ? null
        : `/live is a ${status}: ${shortened(text, 300)}`;
    },
  },
  {
    name: "the database answers, and the version is that of this source",
    async check({ ask }) {
      const { status, text } = await ask("/api/v1/health");
      const { db, version } = jsonOf(text);
      if (status !== 200) {
        return `/api/v1/health is a ${status}, db ${db}: is a database assigned?`;
      }
      return version === VERSION
        ? null
        : `it runs ${version}, this is ${VERSION}: deploy again`;
    },
  },
  {
    name: "its clock is right",
    async check({ ask, now }) {
      const { time } = jsonOf((await ask("/api/v1/health")).text);
      return Math.abs(Date.parse(String(time)) - now) < MINUTE_MS
        ? null
        : `it says ${time}: unset FIRN_NOW`;
    },
  },
  {
    name: "links name its address",
    async check({ ask, origin }) {
      const { text } = await ask("/sitemap.xml");
      const found = /<loc>(https?:\/\/[^/<]+)/.exec(text)?.[1];
      return found === origin
        ? null
        : `they name ${found ?? "nothing"}: set PUBLIC_URL to ${origin}`;
    },
  },
  {
    name: "its pages are sent over https",
    check: ({ origin }) =>
      Promise.resolve(
        origin.startsWith("https://")
          ? null
          : "give the https address: cookies of sessions need it",
      ),
  },
  {
    name: "people can sign in from its own pages",
    async check({ ask, origin }) {
      const { status, text } = await ask("/api/account/challenges", {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          "Sec-Fetch-Site": "same-origin",
          Origin: origin,
        },
        body: JSON.stringify({
          address: `0x${"1".repeat(40)}`,
          action: "session",
        }),
      });
      return status < 400
        ? null
        : `${status} ${jsonOf(text).code}: ${jsonOf(text).error}`;
    },
  },
  {
    name: "a key is asked for",
    async check({ ask }) {
      const { status } = await ask(`/api/v1/score/0x${"1".repeat(40)}`);
      return status === 401 ? null : `a score without a key is a ${status}`;
    },
  },
  {
    name: "chain data is live",
    async check({ ask }) {
      const { status, text } = await ask("/api/chain-data/metrics?range=30d");
      const { source, error } = jsonOf(text);
      if (status !== 200) return `${status}: ${error}`;
      return /simulated/.test(String(source))
        ? `its source is ${source}: unset METRICS_API_URL`
        : null;
    },
  },
  {
    name: "pages carry their security headers",
    async check({ ask }) {
      const { headers } = await ask("/");
      return headers.has("Content-Security-Policy")
        ? null
        : "there is no Content-Security-Policy: does a proxy remove headers?";
    },
  },
  {
    name: "the status is ok",
    async check({ ask }) {
      const { status, reasons } = jsonOf((await ask("/status.json")).text);
      return status === "ok" ? null : `degraded: ${listOf(reasons)}`;
    },
  },
  {
    name: "jobs run",
    async check({ ask }) {
      const { jobs } = jsonOf((await ask("/status.json")).text);
      const ran = Array.isArray(jobs) &&
        jobs.some(({ lastRun }) => lastRun !== null);
      return ran
        ? null
        : "no job has run: wait a minute, then look at the app's crons";
    },
  },
  {
    name: "nothing is left to set",
    async check({ ask }) {
      const { warnings } = jsonOf((await ask("/status.json")).text);
      return Array.isArray(warnings) && warnings.length === 0
        ? null
        : listOf(warnings);
    },
  },
];

/** Asks a deployment everything. A check that gets no answer says so. */
export async function checkDeployed(deployed: Deployed): Promise<CheckedRow[]> {
  const rows: CheckedRow[] = [];
  for (const { name, check } of DEPLOYED) {
    const problem = await check(deployed)
      .catch((error) => `no answer: ${shortened(String(error), 200)}`);
    rows.push({ name, problem });
  }
  return rows;
}

/** Writes the rows, one a line. */
export function formatRows(rows: readonly CheckedRow[]): string {
  return rows.map(({ name, problem }) =>
    problem === null ? `ok     ${name}` : `WRONG  ${name}: ${problem}`
  ).join("\n");
}

/** Returns the fields of a JSON object; none of other text. */
const jsonOf = (text: string): Readonly<Record<string, unknown>> =>
  Object(parseJson(text));

function listOf(lines: unknown): string {
  return Array.isArray(lines) ? lines.join("; ") : "it could not be read";
}
