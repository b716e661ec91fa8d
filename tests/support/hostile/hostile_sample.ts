/** The kinds of hostile requests, and fixed samples of them. */
import {
  type HostileRequest,
  requestsFor,
  withHostileBodies,
} from "./hostile_requests.ts";
import type { HostileService } from "./hostile_service.ts";
import { oddRequestsFor } from "./hostile_targets.ts";
import { fc } from "../properties.ts";

/** Generates requests of a kind for all routes and operations of a service. */
export type RequestsOf = (
  service: Pick<HostileService, "app" | "document">,
) => fc.Arbitrary<HostileRequest>;

/** Every kind of request. */
export const KINDS = {
  parameters: ({ document }) => requestsFor(document),
  bodies: ({ document }) =>
    withHostileBodies(requestsFor(document, (one) => "requestBody" in one)),
  oddities: ({ app }) => oddRequestsFor(app.routes),
} as const satisfies Record<string, RequestsOf>;

const SEED = 20_261_121;

/** Returns requests of every kind, the same in every run. */
export function sampleHostile(
  service: Pick<HostileService, "app" | "document">,
  { ofEach }: { readonly ofEach: number },
): HostileRequest[] {
  const options = { numRuns: ofEach, seed: SEED };
  return Object.values(KINDS)
    .flatMap((kind) => fc.sample(kind(service), options));
}
