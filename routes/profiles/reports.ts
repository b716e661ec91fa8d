/** The endpoint with which anybody reports a profile. */
import { createRoute } from "@hono/zod-openapi";
import { ErrorBody, NoQuery } from "../../services/platform/wire_schema.ts";
import { limitFreeAction } from "../../services/platform/rate_limit/free_action_limits.ts";
import type { ProfilesDeps } from "../../services/profiles/deps.ts";
import {
  readPublicProfile,
  unknownProfile,
} from "../../services/profiles/profiles.ts";
import { ProfilePath } from "../../services/profiles/profiles_schema.ts";
import {
  ReportAnswer,
  ReportBody,
} from "../../services/profiles/reports/reports_schema.ts";
import { limitBody, requireJson } from "../middleware/body.ts";
import { clientOf } from "../middleware/client_address.ts";
import { json, jsonBody, newRouter } from "../http/router.ts";

const MAX_BODY_BYTES = 1_024;

const postReport = createRoute({
  operationId: "postReport",
  description:
    "Counts a report for the operator. Nothing is kept about who sent it, except that its network is counted for the rate limit.",
  tags: ["Profiles"],
  method: "post",
  path: "/{addressOrSlug}/reports",
  security: [],
  summary: "Report a profile to the operator",
  middleware: [limitBody(MAX_BODY_BYTES), requireJson] as const,
  request: { params: ProfilePath, query: NoQuery, body: jsonBody(ReportBody) },
  responses: {
    202: json(ReportAnswer, "The report is counted"),
    400: json(ErrorBody, "Invalid request; the message says what is expected"),
    404: json(ErrorBody, "The address or slug is unclaimed"),
    413: json(ErrorBody, "The body is too large"),
    429: json(ErrorBody, "Too many reports; wait as long as Retry-After says"),
  },
});

/** Serves reports of profiles. */
export function profileReports(deps: ProfilesDeps) {
  return newRouter().openapi(postReport, async (c) => {
    await limitFreeAction(deps, "report", clientOf(deps, c));
    const { addressOrSlug } = c.req.valid("param");
    const { reason } = c.req.valid("json");
    const { address } = await readPublicProfile(deps, addressOrSlug);
    const at = deps.now().getTime();
    if (!await deps.store.reports.add(address, reason, at)) {
      throw unknownProfile();
    }
    return c.json({ address, reason }, 202);
  });
}
