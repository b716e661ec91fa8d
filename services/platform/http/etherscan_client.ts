/** Requests in Etherscan's API format, which the explorer index speaks. */
import { type Answer, getAnswer, type Http } from "./http_client.ts";
import type { CallOptions } from "../rate_limit/call_budget.ts";
import { z } from "zod";
import { Numeric } from "./numeric_schema.ts";
import { refusedInWords } from "./upstream_answer.ts";

/** Name of the explorer index as a source. */
export const EXPLORER = "explorer index";

/** Returns a `fetch` that adds an API key to requests. The clients, their errors and traces never see it. */
export function withApiKey(
  send: typeof fetch,
  apiKey: string | null,
): typeof fetch {
  if (apiKey === null) return send;
  return (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    url.searchParams.set("apikey", apiKey);
    return send(new Request(url, request), init);
  };
}

/** Returns a function that sends one request to the API at a base URL and parses the rows of its answer. */
export function etherscan(http: Http, baseUrl: string) {
  return <T>(
    params: Readonly<Record<string, string>>,
    parse: (rows: readonly unknown[]) => T,
    options: CallOptions,
  ): Promise<Answer<T>> => {
    const url = new URL(baseUrl);
    url.search = new URLSearchParams(params).toString();
    return getAnswer(
      http,
      new Request(url),
      (json) => parse(rowsOf(json)),
      options,
    );
  };
}

/** Status 0 means an error or an empty list. */
const Envelope = z.object({
  status: Numeric,
  message: z.string().nullish(),
  result: z.union([z.string(), z.array(z.unknown())]).nullish(),
});

/** Returns the rows of a response, none for an empty list. Throws if it is an error. */
export function rowsOf(json: unknown): unknown[] {
  const { status, message, result } = Envelope.parse(json);
  const words = typeof result === "string" && result || (message ?? "");
  if (status === 1 && typeof result !== "string") {
    return z.array(z.unknown()).parse(result);
  }
  const isEmpty = !Array.isArray(result) || result.length === 0;
  if (isEmpty && [words, message].some(saysNothingFound)) return [];
  throw refusedInWords(words);
}

function saysNothingFound(words: string | null | undefined): boolean {
  return /^no (data|records|transactions) found/i.test(words ?? "");
}
