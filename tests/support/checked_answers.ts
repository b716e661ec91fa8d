/** The checked series as they answer, each held against its own schema. */
import { assertEquals } from "@std/assert";
import type { z } from "@hono/zod-openapi";
import { appOf } from "./app.ts";
import {
  BlocksAnswer,
  FeesAnswer,
  TransactionsAnswer,
  ValidatorsAnswer,
} from "../../services/chain_data/checks/checked_series_schema.ts";
import type { Deps } from "../../services/deps.ts";

/** Where the open surface is mounted. */
export const BASE = "/api/chain-data";

const SCHEMAS = {
  "/monthly-transactions": TransactionsAnswer,
  "/transaction-fees": FeesAnswer,
  "/block-production": BlocksAnswer,
  "/validators": ValidatorsAnswer,
} as const;

/** Where a checked series is, below the open surface. */
export type CheckedPath = keyof typeof SCHEMAS;
/** Where the checked series are, below the open surface. */
export const CHECKED_PATHS = Object.keys(SCHEMAS) as CheckedPath[];

/** Asks for a checked series; it has to answer what its schema says, and nothing else. */
export async function askChecked<Path extends CheckedPath>(
  deps: Deps,
  path: Path,
  query = "",
): Promise<z.infer<(typeof SCHEMAS)[Path]>> {
  const response = await appOf(deps).request(`${BASE}${path}?${query}`);
  const body = await response.json();
  assertEquals(response.status, 200, JSON.stringify(body).slice(0, 200));
  assertEquals(SCHEMAS[path].parse(body) as unknown, body);
  return body;
}
