/** Interface of tracing and gauges, and an implementation that exports nothing. */
import type { KvCounts } from "./process_metrics_schema.ts";

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
