/** Interface of tracing and gauges, and an implementation that exports nothing. */
import {
  type KvCounts,
  type UpstreamName,
  UPSTREAMS,
} from "./process_metrics_schema.ts";
import type { ProcessMetrics } from "./process_metrics.ts";

/** Attributes of a span. */
export type Attributes = Readonly<Record<string, string | number>>;

/** The start of a span. */
export interface SpanStart {
  /** A name of low cardinality: a route, an operation, a job. */
  readonly name: string;
  readonly kind: "server" | "client" | "internal";
  readonly attributes: Attributes;
}

/** A span in progress. */
export interface Span {
  /** Adds attributes. */
  readonly set: (attributes: Attributes) => void;
  /** Records an error. */
  readonly fail: (error: unknown) => void;
}

/** A measured value, with what it is of. */
export interface Gauge {
  readonly name: string;
  readonly unit: string;
  readonly description: string;
  /** Reads the values of now. What can't be read is not exported. */
  readonly read: () => Promise<
    readonly { readonly value: number; readonly attributes?: Attributes }[]
  >;
}

/** Tracing and gauges. */
export interface Telemetry {
  /** Whether spans are exported. */
  readonly isExported: boolean;
  /** Runs work inside a child span. Errors are recorded and rethrown. */
  readonly trace: <T>(
    start: SpanStart,
    work: (span: Span) => Promise<T>,
  ) => Promise<T>;
  /** Records an error in the current span. */
  readonly fail: (error: unknown) => void;
  /** Marks the current span as failed by an answer without an error. */
  readonly failBy: (status: number) => void;
  /** Adds database operations to the current request or job run. */
  readonly countKv: (asked: KvCounts) => void;
  /** Returns the current trace id; undefined outside a trace. */
  readonly traceId: () => string | undefined;
  /** Reads gauges whenever metrics are exported. */
  readonly observe: (gauges: readonly Gauge[]) => void;
}

const NO_SPAN: Span = { set() {}, fail() {} };

/** Traces nothing. */
export const SILENT: Telemetry = {
  isExported: false,
  trace: (_start, work) => work(NO_SPAN),
  fail() {},
  failBy() {},
  countKv() {},
  traceId: () => undefined,
  observe() {},
};

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
