/**
 * The client of a Firn service: daily chain data of Avalanche, and wallet
 * reputation. It has no dependencies, and runs in Deno, Node, browsers, Cloudflare
 * Workers and React Native.
 *
 * @example Chain data needs no key
 * ```ts ignore
 * import { Firn } from "@firn/sdk";
 *
 * const firn = new Firn({ baseUrl: "https://firn.example" });
 * const { series, source } = await firn.metrics({ metric: "avgTps" });
 * for await (const { day, value } of firn.metrics({ range: "all" })) {
 *   console.log(day, value);
 * }
 * ```
 *
 * @example Scores need an API key, which stays on a server
 * ```ts ignore
 * import { Firn } from "@firn/sdk";
 *
 * const firn = new Firn({ baseUrl: "https://firn.example", apiKey: "firn_live_…" });
 * const { passed } = await firn.verify("0x…", { tier: "established" });
 * ```
 *
 * @module
 */
export { createClient, Firn } from "./client.ts";
export {
  type FailureBody,
  type FailureCode,
  type FailureFields,
  type FailureParts,
  FirnError,
} from "./errors.ts";
export type { Answer, AnswerMeta, RateLimit, RateWindow } from "./facts.ts";
export type { PagedRequest, Pages } from "./paged_request.ts";
export type { CallOptions, FirnOptions } from "./transport.ts";
export type { Thresholds, UnmetThreshold, VerifyResult } from "./thresholds.ts";
export type { HistoryOptions, ScoreOptions } from "./client.ts";
export type * from "./api_types.ts";
