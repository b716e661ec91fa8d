/** Requests `GET /api/chain-data/metrics` and reads the answer. */
import { appOf } from "../app.ts";
import type { MetricsAnswer } from "../../../services/chain_data/catalogue/metrics_schema.ts";
import type { TestDeps } from "../deps.ts";

/** Path of the metrics. */
export const PATH = "/api/chain-data/metrics";

/** Requests a metric and reads the answer. */
export async function askMetrics(
  deps: TestDeps,
  query = "",
  init?: RequestInit,
) {
  const response = await appOf(deps).request(`${PATH}?${query}`, init);
  const body = await response.json();
  return { response, status: response.status, body: body as MetricsAnswer };
}

/** Returns the message of an error body. */
export const errorOf = (body: unknown) => (body as { error: string }).error;
