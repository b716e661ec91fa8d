/** Requests in Etherscan's API format, which the explorer index speaks. */
import { rowsOf } from "./etherscan_envelope.ts";
import { type Answer, getAnswer, type Http } from "./http_client.ts";
import type { CallOptions } from "../rate_limit/call_budget.ts";

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
