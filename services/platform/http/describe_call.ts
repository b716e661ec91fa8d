/** What a request to an upstream asks, in words that are few. */
import type { UpstreamCall } from "../observability/upstream_call.ts";

/** Returns the call that a request makes. */
export function callOf(request: Request): UpstreamCall {
  return {
    host: new URL(request.url).host,
    operation: async () =>
      methodOf(await request.clone().text()) ?? operationOf(request),
  };
}

/** What may stand in the name of an operation. */
const WORD = /^\w{1,60}$/;

/** Returns the method that a JSON-RPC body names. */
function methodOf(body: string): string | undefined {
  const named = /"method"\s*:\s*"([^"]*)"/.exec(body)?.[1];
  return named?.split(".").every((part) => WORD.test(part)) ? named : undefined;
}

/** Returns the `action` of the index, else method and path without what tells one thing from another. */
function operationOf({ method, url }: Request): string {
  const { pathname, searchParams } = new URL(url);
  const action = searchParams.get("action");
  if (action !== null && WORD.test(action)) return action;
  const path = pathname.split("/").map((part) =>
    /^(|v\d|[a-zA-Z_-]{1,30})$/.test(part) ? part : "*"
  );
  return `${method} ${path.join("/")}`;
}
