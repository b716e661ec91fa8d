/** A program that was written for a client with the same methods, and changes its import alone. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  createClient,
  Firn as Client,
  FirnError as ClientError,
  type Thresholds,
  type VerifyResult,
} from "../../sdk/mod.ts";
import { exampleOf } from "../../simnet/accounts.ts";
import { BASE_URL, openFirn } from "../support/sdk/service.ts";

const ADDRESS = exampleOf("ordinary");

Deno.test("a program of the earlier client runs with another import", async () => {
  using service = await openFirn();
  const client: Client = createClient({
    apiKey: service.key,
    baseUrl: `${BASE_URL}/api/v1/`,
    fetch: service.fetch,
    timeoutMs: 15_000,
  });

  const score = await client.score(ADDRESS);
  const { score: shown, tier, tierLabel, breakdown, verifiedHuman } = score;
  assertEquals(shown, Math.round(breakdown.total));
  assertEquals([typeof tier, typeof tierLabel], ["string", "string"]);
  assertEquals(verifiedHuman, null);

  const batch = await client.batch([ADDRESS, `0x${"12".repeat(20)}`]);
  const warm = batch.results.filter(({ signals }) => signals === "none");
  assertEquals(warm.map(({ address }) => address), [`0x${"12".repeat(20)}`]);

  const { history } = await client.history(ADDRESS, {
    days: 90,
    includeBreakdown: true,
  });
  assertEquals(history[0]!.breakdown, breakdown);

  const thresholds: Thresholds = { humanity: 50, composite: 101 };
  const result: VerifyResult = await client.verify(ADDRESS, thresholds);
  const { dimension, required, actual } = result.failed.at(-1)!;
  assertEquals([result.passed, dimension, required], [false, "composite", 101]);
  assertEquals(actual, score.s4.composite);
});

Deno.test("errors of the earlier client keep their properties", async () => {
  using service = await openFirn();
  const client = new Client({
    apiKey: "firn_live_wrong",
    baseUrl: BASE_URL,
    fetch: service.fetch,
  });
  const error = await assertRejects(() => client.score(ADDRESS), ClientError);
  const { status, isUnauthorized, isRateLimited, isBadRequest, body } = error;
  assertEquals([status, isUnauthorized, isRateLimited, isBadRequest], [
    401,
    true,
    false,
    false,
  ]);
  assertEquals(body!.error, error.message);
  assertEquals(Object.keys(error.rateLimit!).slice(0, 3), [
    "limit",
    "remaining",
    "resetAt",
  ]);
  const offline = new Client({
    apiKey: service.key,
    baseUrl: BASE_URL,
    fetch: () => Promise.reject(new TypeError("refused")),
  });
  const silent = await assertRejects(
    () => offline.score(ADDRESS, { retries: 0 }),
    ClientError,
  );
  assert(silent.cause instanceof TypeError);
  assertEquals([silent.status, silent.code], [0, "NETWORK"]);
});
