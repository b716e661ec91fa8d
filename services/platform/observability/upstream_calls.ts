/** Calls to upstreams: counted and timed always, traced where traces go anywhere. */
import { type UpstreamName, UPSTREAMS } from "./process_metrics_schema.ts";
import type { UpstreamCall, Watch } from "./upstream_call.ts";
import type { Figures } from "./process_metrics.ts";
import type { Telemetry } from "./telemetry.ts";

/** What watching takes. */
export interface CallDeps {
  readonly figures: Pick<Figures, "calls">;
  readonly telemetry: Telemetry;
}

/** Returns what watches the calls to an upstream. */
export function watchCalls({ figures, telemetry }: CallDeps) {
  return (upstream: UpstreamName): Watch => {
    async function timed<T>(work: () => Promise<T>): Promise<T> {
      const startedAt = performance.now();
      let failed = true;
      try {
        const result = await work();
        failed = false;
        return result;
      } finally {
        figures.calls.add(upstream, performance.now() - startedAt, { failed });
      }
    }

    async function traced<T>(
      { host, operation }: UpstreamCall,
      work: () => Promise<T>,
    ): Promise<T> {
      const asked = await operation();
      return telemetry.trace({
        name: `${upstream} ${asked}`,
        kind: "client",
        attributes: {
          "server.address": host,
          "firn.upstream": UPSTREAMS[upstream],
          "firn.operation": asked,
        },
      }, () => timed(work));
    }

    return telemetry.isExported ? traced : (_call, work) => timed(work);
  };
}
