/**
 * Records the JSON and CSV answers of both contracts and of every documented
 * operation, errors included, so that two trees can be compared:
 *
 *     deno run -A --lock=tests/deno.lock tests/support/walk/record.ts <outfile>
 *     deno run -A --lock=tests/deno.lock tests/support/walk/record.ts --compare <before> <after>
 *
 * The clock stands still, the sources are simulated, and what is random is masked.
 */
import { createApp } from "../../../routes/app.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { SIGNING } from "../attestations.ts";
import { enrol } from "../callers.ts";
import { connectionFrom } from "../clients.ts";
import { type TestDeps, testDeps } from "../deps.ts";
import { checkDaily } from "../jobs.ts";
import { walkAll } from "./walk_all.ts";
import {
  addAnswer,
  compareRecordings,
  masked,
  type Recording,
} from "./recording.ts";

/** Headers of which the contracts or the field's standards say what they mean. */
const HEADERS = [
  "Allow",
  "Cache-Control",
  "Content-Disposition",
  "Content-Type",
  "Last-Modified",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "Vary",
  "WWW-Authenticate",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
];

const METRICS = [
  "txCount",
  "activeAddresses",
  "activeSenders",
  "feesPaid",
  "gasUsed",
  "avgTps",
  "maxTps",
  "avgGps",
  "maxGps",
  "cumulativeTxCount",
  "cumulativeAddresses",
  "cumulativeContracts",
  "cumulativeDeployers",
];

const CROSS_CHECKED = [
  "monthly-transactions",
  "transaction-fees",
  "block-production",
  "validators",
];

const PERSONAS = [
  "unused",
  "new",
  "dormant",
  "heavy",
  "contract",
  "delegated",
  "ordinary",
] as const;

/** What a process measures of itself is new in each run. */
const NOT_RECORDED = ["getStatus"];

const recording: Recording = {};

/** Makes a function that requests a service and records JSON and CSV answers. */
function recorder(deps: TestDeps, circumstances = "") {
  const app = createApp(deps);
  return async (
    path: string,
    { method = "GET", headers = {}, body }: {
      readonly method?: string;
      readonly headers?: Record<string, string>;
      readonly body?: string;
    } = {},
  ): Promise<string> => {
    const init = { method, headers, ...body === undefined ? {} : { body } };
    const response = await app.request(path, init, connectionFrom("192.0.2.7"));
    const text = await response.text();
    const type = response.headers.get("Content-Type") ?? "";
    if (/json|csv/.test(type)) {
      const named = HEADERS.flatMap((name) =>
        response.headers.has(name)
          ? [[name, response.headers.get(name)!] as const]
          : []
      );
      const asked = Object.keys(headers).join();
      const request = [circumstances, method, path, asked, body ?? ""]
        .filter((part) => part !== "").join(" ");
      addAnswer(recording, request, {
        status: response.status,
        headers: Object.fromEntries(named),
        body: type.includes("json") ? JSON.parse(text) : text,
      });
    }
    return text;
  };
}

async function recordChainData(): Promise<void> {
  // So many requests come from no network.
  using deps = await testDeps({ settings: { FAIR_USE_PER_MINUTE: "100000" } });
  await checkDaily(deps, 3);
  const ask = recorder(deps);
  const base = "/api/chain-data";
  const { chains } = JSON.parse(await ask(`${base}/chains`));
  for (const format of ["json", "csv"]) {
    for (const metric of METRICS) {
      for (const interval of ["day", "week", "month"]) {
        for (const range of interval === "day" ? ["30d", "90d"] : ["all"]) {
          const query = new URLSearchParams({
            metric,
            interval,
            range,
            format,
          });
          await ask(`${base}/metrics?${query}`);
        }
      }
    }
    for (const { chainId } of chains) {
      const query = `chainId=${chainId}&interval=week&format=${format}`;
      await ask(`${base}/metrics?${query}`);
    }
    for (const path of CROSS_CHECKED) {
      for (const query of ["", "&interval=day&range=30d", "&range=90d"]) {
        await ask(`${base}/${path}?format=${format}${query}`);
      }
    }
  }
  const invalid = [
    "metric=tx",
    "range=2y",
    "interval=hour",
    "chainId=abc",
    "chainId=999",
    "format=xml",
    "from=2027-01-01",
    "to=2019-01-01",
    "from=2026-01-02&to=2026-01-01",
    "metrics=txCount",
    "metric=txCount&metric=avgTps",
  ];
  for (const path of ["metrics", ...CROSS_CHECKED]) {
    for (const query of invalid) await ask(`${base}/${path}?${query}`);
    await ask(`${base}/${path}`, { method: "POST" });
  }
  for (const path of ["", "/quality", "/disputes", "/revisions", "/none"]) {
    await ask(base + path);
  }
}

async function recordScores(): Promise<void> {
  using deps = await testDeps({ settings: SIGNING });
  await recordPlans(deps, "signing");
  using unsigned = await testDeps();
  await recordPlans(unsigned, "not signing");
}

/** Requests every keyed endpoint on each plan, up to the limits of a minute. */
async function recordPlans(deps: TestDeps, name: string): Promise<void> {
  const addresses = PERSONAS.map((persona) => exampleOf(persona));
  const score = "/api/v1/score";
  const open = recorder(deps, name);
  for (const path of ["", "/health", "/none"]) await open(`/api/v1${path}`);
  for (
    const [nth, plan] of (["free", "builder", "growth"] as const).entries()
  ) {
    const wallet = `0x${String(nth + 1).repeat(40)}`;
    const { key } = await enrol(deps, { plan, wallet });
    const ask = recorder(deps, `${name}, ${plan}:`);
    const headers = { "X-Api-Key": key };
    const post = (body: string, type = "application/json") =>
      ask(`${score}/batch`, {
        method: "POST",
        headers: { ...headers, "Content-Type": type },
        body,
      });
    await post(JSON.stringify({ addresses }));
    for (const address of addresses) {
      for (
        const below of [
          "",
          "/history",
          "/history?days=7&include=breakdown",
          "/signed",
          "/history?days=91",
          "/history?days=0",
          "/none",
          "?full=1",
        ]
      ) {
        await ask(`${score}/${address}${below}`, { headers });
        if (below.length < 9) await ask(`${score}/${address}${below}`);
      }
      deps.advance(60_000);
    }
    await post(JSON.stringify({ addresses }));
    for (
      const body of [
        "{",
        "{}",
        '{"addresses":[]}',
        JSON.stringify({ addresses: ["0x1", addresses[0], "no"] }),
        JSON.stringify({ addresses: Array(51).fill(addresses[0]) }),
      ]
    ) {
      await post(body);
    }
    await post("{}", "text/plain");
    for (const wrong of ["0x1", "nobody", addresses[0]!.toUpperCase()]) {
      await ask(`${score}/${wrong}`, { headers });
    }
    await ask(`${score}/${addresses[0]}`, { headers: { "X-Api-Key": "none" } });
    await ask("/api/v1/usage", { headers });
    for (let nth = 0; nth < 61; nth++) {
      await ask(`${score}/${addresses[1]}`, { headers });
    }
    deps.advance(60_000);
    for (let nth = 0; nth < 11; nth++) {
      await post(JSON.stringify({ addresses: addresses.slice(0, 1) }));
    }
    await ask("/api/v1/usage", { headers });
  }
}

/** Records the answers of the walk through all documented operations. */
async function recordDocumented(): Promise<void> {
  for (const { operationId, status, request, answer } of await walkAll()) {
    // Pictures, pages and binary files.
    const isOther = typeof answer === "string" && /^(\W|PAR1)/.test(answer);
    if (isOther || NOT_RECORDED.includes(operationId)) continue;
    const { path, body } = request;
    const name = [operationId, path, body && JSON.stringify(masked(body))]
      .filter((part) => part !== undefined).join(" ");
    addAnswer(recording, name, { status, body: answer });
  }
}

const [first, ...others] = Deno.args;
const read = async (path: string) =>
  JSON.parse(await Deno.readTextFile(path)) as Recording;
if (first === "--compare" && others.length === 2) {
  const [before, after] = others as [string, string];
  const differences = compareRecordings(await read(before), await read(after));
  // deno-lint-ignore no-console -- this program prints a report.
  console.log(
    [...differences, `${differences.length} differences`].join("\n"),
  );
  Deno.exit(differences.length === 0 ? 0 : 1);
}
if (first === undefined || first.startsWith("--")) {
  // deno-lint-ignore no-console -- this program prints a report.
  console.log("Usage: record.ts <outfile> | --compare <before> <after>");
  Deno.exit(2);
}
// A job draws a day: always the same one, and yet no number comes twice.
let drawn = 0;
Math.random = () => 0.5 + drawn++ * 2 ** -30;
await recordChainData();
await recordScores();
await recordDocumented();
await Deno.writeTextFile(first, `${JSON.stringify(recording, null, 1)}\n`);
