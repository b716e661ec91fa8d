/** The client against the service: both surfaces, in this process. */
import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { Firn, FirnError } from "../../sdk/mod.ts";
import { exampleOf } from "../../simnet/accounts.ts";
import { TIER_IDS } from "../../services/model/score_terms_schema.ts";
import { HOUR_MS } from "../../services/platform/days.ts";
import { sha256Hex } from "../../services/platform/bytes.ts";
import { fill } from "../support/chain_data/downloads.ts";
import { succeed } from "../support/jobs.ts";
import { openFirn } from "../support/sdk/service.ts";

const ADDRESS = exampleOf("ordinary");

/** Addresses that are all different: 0x…0001, 0x…0002 and so on. */
function addresses(count: number): string[] {
  return Array.from(
    { length: count },
    (_, nth) => `0x${(nth + 1).toString(16).padStart(40, "0")}`,
  );
}

Deno.test("an answer is the body of the service, with meta that no copy has", async () => {
  using service = await openFirn();
  const answer = await service.firn.metrics({ range: "30d" });
  const response = await service.request(
    "/api/chain-data/metrics?range=30d",
  );
  assertEquals({ ...answer }, await response.json());
  assertEquals(JSON.parse(JSON.stringify(answer)).meta, undefined);
  assertEquals(answer.meta.etag, response.headers.get("ETag"));
  assertEquals([answer.meta.status, answer.meta.attempts], [200, 1]);
});

Deno.test("a keyed answer carries both limits of the key", async () => {
  using service = await openFirn();
  const { meta } = await service.firn.score(ADDRESS);
  const { limit, remaining, resetAt, windows } = meta.rateLimit;
  assertEquals([limit, remaining], [250_000, 249_999]);
  assert(Date.parse(resetAt!) > service.deps.now().getTime());
  assertEquals(
    windows.map(({ name, remaining }) => [name, remaining]),
    [["period", 249_999], ["burst", 59]],
  );
  assert(meta.requestId);
});

Deno.test("batch splits above 50, keeps the order, and counts one unit an address", async () => {
  using service = await openFirn();
  const asked = [...addresses(120), ADDRESS, ADDRESS];
  const { count, results, meta } = await service.firn.batch(asked);
  assertEquals(results.map(({ address }) => address), asked);
  assertEquals([count, service.requests.length], [122, 3]);
  assertEquals(meta.rateLimit.remaining, 250_000 - 122);
});

Deno.test("batch sends nothing if an address is invalid", async () => {
  using service = await openFirn();
  const invalid = ["0x12", "name.avax", ADDRESS.replace("0x", "0X")];
  const asked = [...addresses(60), ...invalid];
  const error = await assertRejects(() => service.firn.batch(asked), FirnError);
  assert(error.is("BAD_REQUEST"));
  assertEquals(error.body.invalid, invalid);
  assertEquals([error.isBadRequest, service.requests.length], [true, 0]);
  await assertRejects(() => service.firn.batch([]), FirnError, "at least one");
  assertEquals(service.requests.length, 0);
});

Deno.test("batch gives back what was answered before a part failed", async () => {
  using service = await openFirn();
  // Ten batches a minute: the eleventh part is refused.
  const asked = addresses(501);
  const error = await assertRejects(
    () => service.firn.batch(asked, { retries: 0 }),
    FirnError,
  );
  assert(error.is("RATE_LIMITED"));
  assert(error.body.retryAfterMs > 0);
  assertEquals(
    error.partial.map(({ address }) => address),
    asked.slice(0, 500),
  );
});

Deno.test("history takes include=breakdown in both spellings", async () => {
  using service = await openFirn();
  await service.firn.score(ADDRESS);
  const plain = await service.firn.history(ADDRESS, { days: 7 });
  const detailed = await service.firn.history(ADDRESS, {
    include: "breakdown",
  });
  const other = await service.firn.history(ADDRESS, { includeBreakdown: true });
  assertEquals([plain.days, plain.count], [7, 1]);
  assertEquals(plain.history[0]!.breakdown, undefined);
  assert(detailed.history[0]!.breakdown!.total > 0);
  assertEquals(other.history, detailed.history);
});

Deno.test("downloads lists files, and download opens one, whose hash the manifest has", async () => {
  using service = await openFirn();
  const { firn, deps } = service;
  assertEquals((await firn.downloads()).release, null);
  await fill(deps);
  await succeed(deps, "build-downloads");
  deps.advance(HOUR_MS);
  const { release, files } = await firn.downloads();
  const sums = await (await firn.manifest(release!.date)).text();
  const { name, sha256, bytes } = files.find(({ name }) =>
    name === "txCount-2026.csv.gz"
  )!;
  assertStringIncludes(sums, `${sha256}  ${name}\n`);
  const response = await firn.download(name);
  const body = await response.bytes();
  assertEquals([body.byteLength, sha256Hex(body)], [bytes, sha256]);
  const error = await assertRejects(
    () => firn.download("../api/v1/usage"),
    FirnError,
  );
  assertEquals(error.code, "NOT_FOUND");
  assertEquals((await firn.manifestKeys()).enabled, false);
});

Deno.test("verify compares the score with every threshold", async () => {
  using service = await openFirn();
  const { s4, headline, costToFake, address, verifiedHuman } = await service
    .firn.score(ADDRESS);
  const passing = await service.firn.verify(ADDRESS, {
    humanity: s4.humanity,
    confidence: undefined,
  });
  assertEquals({ ...passing }, {
    address,
    passed: true,
    headline,
    s4,
    costToFake,
    verifiedHuman,
    failed: [],
  });
  const required = s4.economic + 0.01;
  const failing = await service.firn.verify(ADDRESS, {
    economic: required,
    activity: 0,
  });
  assertEquals([failing.passed, failing.failed], [false, [
    { dimension: "economic", required, actual: s4.economic },
  ]]);
});

Deno.test("verify compares the tier and the cost of a copy", async () => {
  using service = await openFirn();
  const { headline, costToFake } = await service.firn.score(ADDRESS);
  const at = TIER_IDS.indexOf(headline.tier);
  for (const [nth, tier] of TIER_IDS.entries()) {
    const { passed, failed } = await service.firn.verify(ADDRESS, { tier });
    assertEquals(passed, nth <= at, tier);
    const unmet = {
      dimension: "tier",
      required: tier,
      actual: headline.tier,
    } as const;
    assertEquals(failed, nth <= at ? [] : [unmet]);
  }
  const { usd } = costToFake;
  const cost = (costToFakeUsd: number) =>
    service.firn.verify(ADDRESS, { tier: headline.tier, costToFakeUsd });
  assertEquals((await cost(usd)).passed, true);
  const { passed, failed } = await cost(usd + 0.01);
  assertEquals([passed, failed], [false, [
    { dimension: "costToFakeUsd", required: usd + 0.01, actual: usd },
  ]]);
});

Deno.test("verify never passes a dimension or a tier that does not exist", async () => {
  using service = await openFirn();
  for (const misspelt of [{ humanty: 0 }, { tier: "establishd" }] as object[]) {
    assertEquals((await service.firn.verify(ADDRESS, misspelt)).passed, false);
  }
});

Deno.test("usage says what the calls have cost", async () => {
  using service = await openFirn();
  await service.firn.verify(ADDRESS, { humanity: 50 });
  await service.firn.batch(addresses(51));
  assertEquals((await service.firn.usage()).used, 52);
});

Deno.test("an error has the code and the fields of the service", async () => {
  using service = await openFirn();
  const error = await assertRejects(
    async () => await service.firn.metrics({ range: "2y" as "1y" }),
    FirnError,
  );
  assert(error.is("BAD_REQUEST"));
  assertEquals(error.body.parameter, "range");
  assertEquals(error.body.accepted, ["30d", "90d", "1y", "all"]);
  assertEquals(error.message, error.body.message);
});

Deno.test("the health of a degraded service is an answer", async () => {
  const health = { status: "degraded", version: "1.0.0", db: "unreachable" };
  const firn = new Firn({
    baseUrl: "http://localhost",
    fetch: () => Promise.resolve(Response.json(health, { status: 503 })),
  });
  const answer = await firn.health();
  assertEquals([answer.status, answer.meta.status], ["degraded", 503]);
});
