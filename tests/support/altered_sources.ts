/** Sources whose rows a test changes. */
import { assertEquals } from "@std/assert";
import { createApp } from "../../routes/app.ts";
import { asFetch, simulateUpstreams } from "../../simnet/upstreams.ts";
import { type TestDeps, testDeps } from "./deps.ts";

/** The rows of an answer. */
export type Rows = Record<string, unknown>[];

/** Opens dependencies whose sources' rows pass through `alter.rows`, with the URL and the body of the request. */
export async function altered(options: { chains?: number } = {}) {
  const alter: { rows: ((rows: Rows, asked: string) => unknown[]) | null } = {
    rows: null,
  };
  let deps: TestDeps | null = null;
  const upstreams = simulateUpstreams({
    now: () => deps?.now() ?? new Date("2026-11-21T08:00:00Z"),
    ...options,
  });
  const send = asFetch(upstreams);
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const asked = `${request.url} ${await request.clone().text()}`;
    const response = await send(request);
    const json = await response.clone().json().catch(() => null);
    const rows = json?.result?.validators ?? json?.results ?? json?.chains ??
      json?.result;
    if (alter.rows === null || !Array.isArray(rows)) return response;
    const next = alter.rows(rows, asked);
    const body = json.result?.validators
      ? { ...json, result: { validators: next } }
      : {
        ...json,
        [["results", "chains", "result"].find((name) => name in json)!]: next,
      };
    return Response.json(body, { headers: response.headers });
  };
  deps = await testDeps({ fetch });
  return { deps, alter };
}

/** Reads `GET /quality`. */
export async function qualityOf(deps: TestDeps) {
  const response = await createApp(deps).request("/api/chain-data/quality");
  assertEquals(response.status, 200);
  return await response.json();
}
