/** The client: one method for each operation of both surfaces. */
import type * as Api from "./api_types.ts";
import { checkAddresses, readBatch } from "./batch.ts";
import { type Answer, withMeta } from "./facts.ts";
import { readParts } from "./metrics_parts.ts";
import { PagedRequest } from "./paged_request.ts";
import { compare, type Thresholds, type VerifyResult } from "./thresholds.ts";
import {
  type CallOptions,
  type FirnOptions,
  type Transport,
  transportOf,
} from "./transport.ts";

const CHAIN_DATA = "/api/chain-data";
const SCORING = "/api/v1";

/** Options of a score. */
export interface ScoreOptions extends CallOptions {
  /**
   * Whether signals of up to seven days, with the reason `STALE_SIGNALS`, stand in
   * while the calls to the sources are used up.
   */
  readonly allowStale?: boolean | undefined;
}

/** Options of a history. */
export interface HistoryOptions extends Api.HistoryQuery {
  /** The same as `include: "breakdown"`. */
  readonly includeBreakdown?: boolean | undefined;
}

/**
 * A client of one Firn service. It keeps no connection and no state, so one
 * client serves a whole program.
 *
 * Every answer has `meta`, with the rate limits among other facts. A failed call
 * throws a {@linkcode FirnError}.
 */
export class Firn {
  readonly #transport: Transport;

  /** Creates a client. Throws a TypeError if `baseUrl` is not an HTTP address. */
  constructor(options: FirnOptions) {
    this.#transport = transportOf(options);
  }

  #get<Body extends object>(
    path: string,
    query?: object,
    options?: CallOptions,
  ): Promise<Answer<Body>> {
    return this.#transport.json<Body>(
      { path: CHAIN_DATA + path, query },
      options,
    );
  }

  /** Describes the chain data: its metrics, endpoints, sources and rules. */
  chainData(options?: CallOptions): Promise<Answer<Api.ChainData>> {
    return this.#get("", undefined, options);
  }

  /** Lists the tracked chains. */
  chains(options?: CallOptions): Promise<Answer<Api.Chains>> {
    return this.#get("/chains", undefined, options);
  }

  /**
   * Reads a metric of a chain, by day, week or month.
   *
   * @example
   * ```ts ignore
   * const { series } = await firn.metrics({ metric: "feesPaid", range: "90d" });
   * for await (const { day, value } of firn.metrics({ range: "all" })) {
   *   console.log(day, value); // a year is read at a time
   * }
   * ```
   */
  metrics(
    query: Api.MetricsQuery = {},
    options?: CallOptions,
  ): PagedRequest<Api.Metrics, Api.Point> {
    const read = (query: Api.MetricsQuery) =>
      this.#get<Api.Metrics>("/metrics", query, options);
    return new PagedRequest({
      first: () => read(query),
      all: () => readParts(query, read),
      itemsOf: ({ series }) => series,
    });
  }

  /** Reads C-Chain transactions, checked against a second source. */
  monthlyTransactions(
    query?: Api.MonthlyTransactionsQuery,
    options?: CallOptions,
  ): Promise<Answer<Api.MonthlyTransactions>> {
    return this.#get("/monthly-transactions", query, options);
  }

  /** Reads C-Chain fees in AVAX, checked against a second source. */
  transactionFees(
    query?: Api.TransactionFeesQuery,
    options?: CallOptions,
  ): Promise<Answer<Api.TransactionFees>> {
    return this.#get("/transaction-fees", query, options);
  }

  /** Reads C-Chain blocks a day and the mean block time, checked by RPC. */
  blockProduction(
    query?: Api.BlockProductionQuery,
    options?: CallOptions,
  ): Promise<Answer<Api.BlockProduction>> {
    return this.#get("/block-production", query, options);
  }

  /** Reads validators, delegators and stake of the Primary Network. */
  validators(
    query?: Api.ValidatorsQuery,
    options?: CallOptions,
  ): Promise<Answer<Api.Validators>> {
    return this.#get("/validators", query, options);
  }

  /** Shows how current the sources are, and how far they agree. */
  quality(options?: CallOptions): Promise<Answer<Api.Quality>> {
    return this.#get("/quality", undefined, options);
  }

  /** Lists every day on which two sources disagree, newest first. */
  disputes(options?: CallOptions): Promise<Answer<Api.Disputes>> {
    return this.#get("/disputes", undefined, options);
  }

  /**
   * Lists the values that sources changed afterwards, the last seen first. Await it
   * for one page, iterate over it for all revisions.
   */
  revisions(
    query: Api.RevisionsQuery = {},
    options?: CallOptions,
  ): PagedRequest<Api.Revisions, Api.Revision> {
    const read = (query: Api.RevisionsQuery) =>
      this.#get<Api.Revisions>("/revisions", query, options);
    return new PagedRequest({
      first: () => read(query),
      all: async function* () {
        for (let { cursor } = query;;) {
          const page = await read({ ...query, cursor });
          yield page;
          cursor = page.nextCursor ?? undefined;
          if (cursor === undefined) return;
        }
      },
      itemsOf: ({ revisions }) => revisions,
    });
  }

  /** Lists the bulk files of the newest release, with their sizes and hashes. */
  downloads(options?: CallOptions): Promise<Answer<Api.Downloads>> {
    return this.#transport.json({ path: "/downloads/index.json" }, options);
  }

  /**
   * Opens a bulk file, and returns the response with its body unread. `timeoutMs`
   * ends with the headers; `signal` aborts the body too.
   *
   * @example
   * ```ts ignore
   * const { body } = await firn.download("txCount-2026.csv.gz");
   * const text = body!.pipeThrough(new DecompressionStream("gzip"));
   * ```
   */
  download(name: string, options?: CallOptions): Promise<Response> {
    const path = `/downloads/${encodeURIComponent(name)}`;
    return this.#transport.open({ path }, options);
  }

  /** Opens the manifest of a day's release: the SHA-256 of every file, as `sha256sum -c` reads it. */
  manifest(date: string, options?: CallOptions): Promise<Response> {
    const path = `/downloads/manifests/${encodeURIComponent(date)}.sha256`;
    return this.#transport.open({ path }, options);
  }

  /** Lists the keys that sign manifests. */
  manifestKeys(options?: CallOptions): Promise<Answer<Api.ManifestKeys>> {
    const path = "/.well-known/firn-manifest-key.json";
    return this.#transport.json({ path }, options);
  }

  /** Describes the scoring API: plans, limits, tiers and codes. It needs no key. */
  scoring(options?: CallOptions): Promise<Answer<Api.Scoring>> {
    return this.#transport.json({ path: SCORING }, options);
  }

  /** Reads the health of the service; it needs no key. A degraded service is an answer, not an error. */
  health(options?: CallOptions): Promise<Answer<Api.Health>> {
    const call = { path: `${SCORING}/health`, alsoAnswers: 503 };
    return this.#transport.json(call, options);
  }

  /** Lists the signers of attestations, for `verifyAttestation`. It needs no key. */
  signers(options?: CallOptions): Promise<Answer<Api.AttestationInfo>> {
    const path = "/.well-known/score-attestation.json";
    return this.#transport.json({ path }, options);
  }

  /** Reads the live score of an address. It costs one unit. */
  score(
    address: string,
    { allowStale, ...options }: ScoreOptions = {},
  ): Promise<Answer<Api.ScoreRead>> {
    const query = allowStale === undefined ? undefined : { allowStale };
    return this.#keyed(address, "", query, options);
  }

  /**
   * Reads the scores of any number of addresses from stored signals, in the order
   * given. It costs one unit per address. More than 50 are split into requests that
   * are sent one after the other; if one fails, `partial` of the error has the
   * items before it.
   */
  async batch(
    addresses: readonly string[],
    options?: CallOptions,
  ): Promise<Answer<Api.Batch>> {
    return await readBatch(
      addresses,
      (part) => this.#batchOf(part, options),
    );
  }

  #batchOf(
    addresses: readonly string[],
    options?: CallOptions,
  ): Promise<Answer<Api.Batch>> {
    const body = { addresses };
    const call = { path: `${SCORING}/score/batch`, body, isKeyed: true };
    return this.#transport.json(call, options);
  }

  /** Reads the last score of each day. It costs one unit. */
  history(
    address: string,
    { includeBreakdown, ...query }: HistoryOptions = {},
    options?: CallOptions,
  ): Promise<Answer<Api.ScoreHistory>> {
    const asked = includeBreakdown ? { ...query, include: "breakdown" } : query;
    return this.#keyed(address, "/history", asked, options);
  }

  /** Reads the live score of an address as an EIP-712 attestation. It costs one unit. */
  signed(
    address: string,
    query?: Api.SignedQuery,
    options?: CallOptions,
  ): Promise<Answer<Api.SignedAttestation>> {
    return this.#keyed(address, "/signed", query, options);
  }

  /** Reads the usage of the key's wallet. It costs nothing. */
  usage(options?: CallOptions): Promise<Answer<Api.Usage>> {
    const call = { path: `${SCORING}/usage`, isKeyed: true };
    return this.#transport.json(call, options);
  }

  /**
   * Reads the live score of an address, and compares it with thresholds. It costs
   * one unit.
   *
   * @example
   * ```ts ignore
   * const { passed, failed } = await firn.verify(address, {
   *   tier: "established",
   *   costToFakeUsd: 1,
   * });
   * ```
   */
  async verify(
    address: string,
    thresholds: Thresholds,
    options?: CallOptions,
  ): Promise<Answer<VerifyResult>> {
    const score = await this.score(address, options);
    return withMeta(compare(score, thresholds), score.meta);
  }

  // An async function: an invalid address rejects instead of throwing at once.
  async #keyed<Body extends object>(
    address: string,
    suffix: string,
    query?: object,
    options?: CallOptions,
  ): Promise<Answer<Body>> {
    checkAddresses([address]);
    const path = `${SCORING}/score/${address}${suffix}`;
    return await this.#transport.json<Body>(
      { path, query, isKeyed: true },
      options,
    );
  }
}

/** Creates a client; the same as `new Firn(options)`. */
export function createClient(options: FirnOptions): Firn {
  return new Firn(options);
}
