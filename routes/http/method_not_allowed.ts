/** The refusal of a method that a path does not accept. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { HonoRequest } from "hono";
import { Fault } from "../../services/platform/fault.ts";
import {
  decodePercent,
  redactKeys,
} from "../../services/platform/observability/redact.ts";
import { shortened } from "../../services/platform/quoted_text.ts";
import { SCORING } from "./paths.ts";
import { listMethods } from "./route_name.ts";

/** Builds the fault. Its methods become the `Allow` header (RFC 9110, 10.2.1). */
export function methodNotAllowed(
  method: string,
  allowed: readonly string[],
): Fault {
  const expected = `${allowed.length > 1 ? "one of " : ""}${
    allowed.join(", ")
  }`;
  // A client chooses the name of its method.
  const named = shortened(redactKeys(decodePercent(method)));
  return new Fault(`Invalid method "${named}": expected ${expected}`, {
    kind: "methodNotAllowed",
    allowed,
  });
}

/**
 * Paths with a fixed name that a pattern with a parameter also matches, and the
 * methods that they accept. For other methods the parameter rejects the name,
 * and `refuseNamedPath` refuses the request. A route of the fixed name could not do
 * so: two patterns that match one method and path would send every request
 * through the slow router.
 */
const NAMED_PATHS: Readonly<Record<string, readonly string[]>> = {
  [`${SCORING}/score/batch`]: ["POST"],
};

/** Lists the methods that a path accepts; none if no route has the path. */
export function methodsOf(
  app: Pick<OpenAPIHono, "router">,
  path: string,
): readonly string[] {
  return NAMED_PATHS[path] ?? listMethods(app, path);
}

/** Refuses other methods of a path with a fixed name. */
export function refuseNamedPath(
  { method, path }: Pick<HonoRequest, "method" | "path">,
): void {
  const allowed = NAMED_PATHS[path];
  if (allowed?.includes(method) === false) {
    throw methodNotAllowed(method, allowed);
  }
}
