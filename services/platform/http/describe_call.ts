/** Names the operation of a request to an upstream, for logs and traces. */
import type { UpstreamCall } from "../observability/upstream_call.ts";

/** Returns the host and the operation of a request. */
export function callOf(request: Request): UpstreamCall {
  return {
    host: new URL(request.url).host,
    operation: async () =>
      methodOf(await request.clone().text()) ?? operationOf(request),
  };
}

/** A valid part of an operation name. */
const WORD = /^\w{1,60}$/;

/** Returns the method of a JSON-RPC body. */
function methodOf(body: string): string | undefined {
  const named = /"method"\s*:\s*"([^"]*)"/.exec(body)?.[1];
  return named?.split(".").every((part) => WORD.test(part)) ? named : undefined;
}

/** Returns the `action` parameter, otherwise the method and the path without ids. */
function operationOf({ method, url }: Request): string {
  const { pathname, searchParams } = new URL(url);
  const action = searchParams.get("action");
  if (action !== null && WORD.test(action)) return action;
  const path = pathname.split("/").map((part) =>
    /^(|v\d|[a-zA-Z_-]{1,30})$/.test(part) ? part : "*"
  );
  return `${method} ${path.join("/")}`;
}
