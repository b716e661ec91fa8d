/** Counts, times and traces calls to upstreams. */
import { type UpstreamName, UPSTREAMS } from "./process_metrics_schema.ts";
import type { ProcessMetrics } from "./process_metrics.ts";
import type { Attributes, Telemetry } from "./telemetry.ts";

/** What the instrumentation uses. */
interface CallDeps {
  readonly processMetrics: Pick<ProcessMetrics, "calls">;
  readonly telemetry: Telemetry;
}

/** Returns the instrumentation of an upstream, by its name. */
export function instrumentCalls({ processMetrics, telemetry }: CallDeps) {
  return (upstream: UpstreamName): InstrumentCall => {
    async function timed<T>(work: () => Promise<T>): Promise<T> {
      const startedAt = performance.now();
      let failed = true;
      try {
        const result = await work();
        failed = false;
        return result;
      } finally {
        processMetrics.calls.add(upstream, performance.now() - startedAt, {
          failed,
        });
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
          ...serverOf(host),
          "firn.upstream": UPSTREAMS[upstream],
          "firn.operation": asked,
        },
      }, () => timed(work));
    }

    return telemetry.isExported ? traced : (_call, work) => timed(work);
  };
}

/** Returns the name and the port of a host, which the conventions keep apart. */
function serverOf(host: string): Attributes {
  const [, name = host, port] = host.match(/^(.*):(\d+)$/) ?? [];
  return {
    "server.address": name,
    ...(port === undefined ? {} : { "server.port": Number(port) }),
  };
}

/** One call. */
export interface UpstreamCall {
  /** Host that is called. */
  readonly host: string;
  /**
   * Describes the call with low cardinality and without parameters. Called
   * before the work begins.
   */
  readonly operation: () => string | Promise<string>;
}

/** Runs a call and records its outcome. */
export type InstrumentCall = <T>(
  call: UpstreamCall,
  work: () => Promise<T>,
) => Promise<T>;

/** Runs a call and records nothing. */
export const uninstrumented: InstrumentCall = (_call, work) => work();
