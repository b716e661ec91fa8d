/** The SDK follows the OpenAPI document: its operations, its parameters, its errors. */
import { assertEquals } from "@std/assert";
import { listSdkOperations, readDocument } from "../../packaging/sdk_types.ts";
import type { ERROR_STATUSES } from "../../routes/http/error_statuses.ts";
import type { FailureFields } from "../../sdk/mod.ts";
import type { Failure } from "../../services/platform/fault.ts";
import { openFirn } from "../support/sdk/service.ts";

const ADDRESS = `0x${"ab".repeat(20)}`;
const INSTANT = "2026-11-01T00:00:00.000Z";
const DAYS = {
  range: "90d",
  from: "2026-01-01",
  to: "2026-02-01",
  asOf: INSTANT,
} as const;

/** A call of every operation with every parameter, by its `operationId`. */
const CALLS: Readonly<
  Record<
    string,
    (firn: Awaited<ReturnType<typeof openFirn>>["firn"]) => PromiseLike<unknown>
  >
> = {
  getChainData: (firn) => firn.chainData(),
  getChains: (firn) => firn.chains(),
  getMetrics: (firn) =>
    firn.metrics({
      ...DAYS,
      metric: "avgTps",
      interval: "week",
      chainId: 43114,
      updatedAfter: INSTANT,
    }),
  getMonthlyTransactions: (firn) =>
    firn.monthlyTransactions({ ...DAYS, interval: "day" }),
  getTransactionFees: (firn) =>
    firn.transactionFees({ ...DAYS, interval: "day" }),
  getBlockProduction: (firn) => firn.blockProduction({ ...DAYS, window: "7" }),
  getValidators: (firn) => firn.validators(DAYS),
  getRevisions: (firn) =>
    firn.revisions({
      chainId: 43114,
      chainIds: "43114,4337",
      metric: "txCount",
      from: "2026-01-01",
      to: "2026-02-01",
      since: INSTANT,
      limit: 5,
      cursor: "1795248423120.20769.3.43114",
    }),
  getQuality: (firn) => firn.quality(),
  getDisputes: (firn) => firn.disputes(),
  listDownloads: (firn) => firn.downloads(),
  getDownload: (firn) => firn.download("{file}"),
  getManifest: (firn) => firn.manifest("{date}"),
  getManifestKeys: (firn) => firn.manifestKeys(),
  getScoring: (firn) => firn.scoring(),
  getHealth: (firn) => firn.health(),
  getSigners: (firn) => firn.signers(),
  getScore: (firn) => firn.score(ADDRESS, { allowStale: true }),
  postBatch: (firn) => firn.batch([ADDRESS]),
  getHistory: (firn) =>
    firn.history(ADDRESS, { days: 7, include: "breakdown" }),
  getSigned: (firn) => firn.signed(ADDRESS, { ttl: 300 }),
  getUsage: (firn) => firn.usage(),
};

Deno.test("the client has every operation of both surfaces, and sends every parameter", async () => {
  using service = await openFirn();
  const listed = listSdkOperations(await readDocument());
  assertEquals(
    Object.keys(CALLS).toSorted(),
    listed.map(({ operation }) => operation.operationId).toSorted(),
  );
  for (const { method, path, operation } of listed) {
    service.requests.length = 0;
    // Refused parameters are sent too: the request is what counts here.
    await Promise.resolve(CALLS[operation.operationId]!(service.firn)).catch(
      () => {},
    );
    const { method: sent, url } = service.requests[0]!;
    const { pathname, searchParams } = new URL(url);
    const { parameters = [] } = operation;
    const named = (place: string) =>
      parameters.filter((it) => it.in === place && it.name !== "format")
        .map(({ name }) => name).toSorted();
    assertEquals([
      sent,
      decodeURIComponent(pathname).replace(ADDRESS, "{address}"),
    ], [
      method,
      path,
    ]);
    assertEquals([...searchParams.keys()].toSorted(), named("query"), path);
  }
});

Deno.test("no answer has a field named meta, which the client adds", async () => {
  const { components } = await readDocument();
  const named = Object.entries(components.schemas)
    .filter(([, { properties = {} }]) => "meta" in properties);
  assertEquals(named, []);
});

/** The failures that are sent with a code. */
type FailuresOf<Code> = Extract<
  Failure,
  {
    kind: {
      [Kind in Failure["kind"]]: typeof ERROR_STATUSES[Kind]["code"] extends
        Code ? Kind
        : never;
    }[Failure["kind"]];
  }
>;

/** Codes whose failures lack fields that the SDK promises. A type error below names them. */
type Unkept = {
  [Code in keyof FailureFields]: FailuresOf<Code> extends FailureFields[Code]
    ? never
    : Code;
}[keyof FailureFields];

/** Fails to compile while `Unkept` has a member; `deno task check` compiles it. */
export const UNKEPT: [Unkept] extends [never] ? true : Unkept = true;
