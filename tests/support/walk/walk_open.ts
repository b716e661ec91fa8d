/** Requests of the open endpoints: chain data, embeds, profiles and the service. */
import { assertEquals } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import {
  listOperations,
  type OpenApi,
} from "../../../routes/docs/openapi_document.ts";
import { C_CHAIN } from "../../../services/chain_data/catalogue/metrics_schema.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { SIGNING } from "../attestations.ts";
import { testDeps } from "../deps.ts";
import { checkDaily, checkedDeps, succeed } from "../jobs.ts";
import { fill as fillDownloads } from "../chain_data/downloads.ts";
import { newHolder } from "./walk_account.ts";
import type { Walk } from "./walk.ts";

const CHAIN_DATA = "/api/chain-data";

/** Requests whose answers are short enough to be examples. */
const CHAIN_DATA_PATHS: Readonly<Record<string, string>> = {
  getChainData: "",
  getChains: "/chains",
  getMetrics:
    `/metrics?metric=txCount&chainId=${C_CHAIN}&from=2026-11-01&to=2026-11-03`,
  getMonthlyTransactions: "/monthly-transactions?from=2026-09-01&to=2026-10-31",
  getTransactionFees: "/transaction-fees?from=2026-09-01&to=2026-10-31",
  getBlockProduction: "/block-production?from=2026-11-15&to=2026-11-17",
  getValidators: "/validators?from=2026-11-15&to=2026-11-17",
  getQuality: "/quality",
  getDisputes: "/disputes",
  getRevisions: "/revisions?metric=txCount",
};

/** Requests that need data of the last hour from an upstream. */
const FROM_UPSTREAM = [
  "getChains",
  "getMetrics",
  "getMonthlyTransactions",
  "getTransactionFees",
  "getBlockProduction",
  "getValidators",
  "getRevisions",
];

const CHARTS: Readonly<Record<string, string>> = {
  getMetricChart: "/chart/txCount.svg",
  getMetricChartTable: "/chart/txCount.csv",
  getMonthlyTransactionsChart: "/chart/monthly-transactions.svg",
  getTransactionFeesChart: "/chart/transaction-fees.svg",
  getBlockProductionChart: "/chart/block-production.svg",
  getValidatorsChart: "/chart/validators.svg",
  getChartEmbed: "/embed/chart/txCount",
};

/** Asks for a version that does not exist. */
const OTHER_VERSION = { headers: { "If-Match": '"other"' } };

/** Adds an unknown parameter. */
const misspell = (path: string) =>
  `${path}${path.includes("?") ? "&" : "?"}chain=43114`;

/** Requests the chain data. */
export async function walkChainData(walk: Walk): Promise<void> {
  using deps = await checkedDeps();
  for (const [operationId, below] of Object.entries(CHAIN_DATA_PATHS)) {
    const path = `${CHAIN_DATA}${below}`;
    const { headers } = await walk.ask(deps, operationId, path);
    const known = { "If-None-Match": headers.get("ETag")! };
    await walk.ask(deps, operationId, path, { headers: known });
    await walk.ask(deps, operationId, path, OTHER_VERSION);
    await walk.ask(deps, operationId, misspell(path));
  }
  await walk.ask(deps, "getMetrics", `${CHAIN_DATA}/metrics?chainId=999`);
  await walk.ask(deps, "getRevisions", `${CHAIN_DATA}/revisions?chainId=999`);
  const instant = deps.now().toISOString();
  const vintage = `asOf=${instant}&updatedAfter=${instant}`;
  await walk.ask(deps, "getMetrics", `${CHAIN_DATA}/metrics?${vintage}`);
  using cut = await testDeps({
    fetch: () => Promise.reject(new TypeError("refused")),
  });
  for (const operationId of FROM_UPSTREAM) {
    const path = `${CHAIN_DATA}${CHAIN_DATA_PATHS[operationId]}`;
    await walk.ask(cut, operationId, path);
  }
}

/** Requests the downloadable files, and what describes them. */
export async function walkDownloads(walk: Walk): Promise<void> {
  using deps = await testDeps();
  await fillDownloads(deps);
  await succeed(deps, "build-downloads");
  const file = "/downloads/txCount-2026.parquet";
  for (
    const [operationId, path] of [
      ["listDownloads", "/downloads/index.json"],
      ["getManifest", "/downloads/manifests/2026-11-21.sha256"],
      ["getDownload", file],
    ] as const
  ) {
    const { headers } = await walk.ask(deps, operationId, path);
    await walk.ask(deps, operationId, misspell(path));
    const known = { "If-None-Match": headers.get("ETag")! };
    const other = { "If-Match": '"other"' };
    for (const headers of [known, other]) {
      await walk.ask(deps, operationId, path, { headers });
    }
  }
  const ask = (headers: Record<string, string>) =>
    walk.ask(deps, "getDownload", file, { headers });
  await ask({ Range: "bytes=0-3" });
  await ask({ Range: "bytes=99999999-" });
  await walk.ask(deps, "getDownload", "/downloads/none.parquet");
  await walk.ask(deps, "getManifest", "/downloads/manifests/2020-01-01.sha256");
  const keys = "/.well-known/firn-manifest-key.json";
  await walk.ask(deps, "getManifestKeys", keys);
  await walk.ask(deps, "getManifestKeys", misspell(keys));
}

/** Requests badges and charts. */
export async function walkEmbeds(walk: Walk): Promise<void> {
  using deps = await testDeps();
  const badge = `/api/tools/score-badge/${exampleOf("heavy")}`;
  const { headers } = await walk.ask(deps, "getScoreBadge", badge);
  const known = { "If-None-Match": headers.get("ETag")! };
  await walk.ask(deps, "getScoreBadge", badge, { headers: known });
  await walk.ask(deps, "getScoreBadge", badge, OTHER_VERSION);
  await walk.ask(deps, "getScoreBadge", `${badge}?style=round`);
  using cut = await testDeps({
    fetch: () => Promise.reject(new TypeError("refused")),
  });
  for (const [operationId, path] of Object.entries(CHARTS)) {
    const { headers } = await walk.ask(deps, operationId, path);
    const known = { "If-None-Match": headers.get("ETag")! };
    await walk.ask(deps, operationId, path, { headers: known });
    await walk.ask(deps, operationId, path, OTHER_VERSION);
    await walk.ask(deps, operationId, misspell(path));
    await walk.ask(cut, operationId, path);
  }
  await walkPictures(walk);
  for (
    const [id, path] of Object.entries(CHARTS)
      .filter(([, path]) =>
        path.startsWith("/chart/") || path.startsWith("/embed/")
      )
  ) await walk.ask(deps, id, `${path}?range=none`);
  await walk.ask(deps, "getMetricChart", "/chart/txCount.svg?chainId=999");
  await walk.ask(deps, "getMetricChartTable", "/chart/txCount.csv?chainId=999");
  await walk.ask(deps, "getChartEmbed", "/embed/chart/txCount?chainId=999");
}

/** Requests the pictures of charts, chains, scores and profiles. */
async function walkPictures(walk: Walk): Promise<void> {
  using deps = await testDeps();
  const { wallet } = await newHolder(deps);
  await succeed(deps, "refresh-chains");
  for (
    const [operationId, path] of [
      ["getChartPicture", "/chart/validators.png"],
      ["getChainCard", `/card/chain/${C_CHAIN}.png`],
      ["getScoreCard", `/card/score/${wallet}.png`],
      ["getProfileCard", "/card/profile/ada-lovelace.png"],
    ] as const
  ) {
    const { headers } = await walk.ask(deps, operationId, path);
    const known = { "If-None-Match": headers.get("ETag")! };
    await walk.ask(deps, operationId, path, { headers: known });
    await walk.ask(deps, operationId, `${path}?density=3`);
  }
  const unknown = "/chart/txCount.png?chainId=999";
  await walk.ask(deps, "getChartPicture", unknown);
  await walk.ask(deps, "getChainCard", "/card/chain/999.png");
  await walk.ask(deps, "getProfileCard", "/card/profile/nobody.png");
  using cut = await testDeps({
    fetch: () => Promise.reject(new TypeError("refused")),
  });
  await walk.ask(cut, "getChartPicture", "/chart/validators.png");
  await walk.ask(cut, "getChainCard", `/card/chain/${C_CHAIN}.png`);
}

/** Requests the 429 of each operation that has none yet, by exceeding the rate limit. */
export async function walkIpRateLimit(walk: Walk): Promise<void> {
  using deps = await testDeps({ settings: { FAIR_USE_PER_MINUTE: "1" } });
  const described = await createApp(deps).request("/openapi.json");
  const document: OpenApi = await described.json();
  for (
    const { method, operation: { operationId } } of listOperations(document)
  ) {
    const visits = walk.visits.filter((visit) =>
      visit.operationId === operationId
    );
    const [first] = visits;
    if (!first || visits.some(({ status }) => status === 429)) continue;
    const { path } = first.request;
    await walk.askOnceTooOften(deps, operationId, [method, path]);
  }
}

/** Requests public profiles. */
export async function walkProfiles(walk: Walk): Promise<void> {
  using deps = await testDeps();
  const { wallet } = await newHolder(deps);
  const ask = (path: string, init?: RequestInit) =>
    walk.ask(deps, "getProfile", `/api/profiles/${path}`, init);
  const { headers } = await ask("ada-lovelace");
  await ask(wallet, { headers: { "If-None-Match": headers.get("ETag")! } });
  await ask("ada-lovelace?full=1");
  await ask("nobody");
}

/** Requests the description and the status of the service. */
export async function walkService(walk: Walk): Promise<void> {
  using deps = await testDeps({ settings: SIGNING });
  await checkDaily(deps, 1);
  for (
    const [operationId, path] of [
      ["getScoring", "/api/v1"],
      ["getHealth", "/api/v1/health"],
      ["getSigners", "/.well-known/score-attestation.json"],
      ["getStatus", "/status.json"],
      ["getLiveness", "/live"],
    ] as const
  ) {
    const { status } = await walk.ask(deps, operationId, path);
    assertEquals(status, 200, path);
    await walk.ask(deps, operationId, misspell(path));
  }
  deps.kv.get = () => Promise.reject(new Error("gone"));
  await walk.ask(deps, "getHealth", "/api/v1/health");
}
