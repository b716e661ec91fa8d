/** Traces of what the process does, for a collector; where there is none, nothing. */
import type { KvCounts } from "./process_metrics_schema.ts";

/** What is said of a span, by name. */
export type Attributes = Readonly<Record<string, string | number>>;

/** A stretch of work as it begins. */
export interface SpanStart {
  /** Few names for many spans: a route, an operation, a job. */
  readonly name: string;
  readonly kind: "server" | "client" | "internal";
  readonly attributes: Attributes;
}

/** A stretch of work under way. */
export interface Span {
  /** Says more of it. */
  readonly set: (attributes: Attributes) => void;
  /** Records why it failed. */
  readonly fail: (error: unknown) => void;
}

/** Where traces go. */
export interface Telemetry {
  /** Whether anything is traced at all. */
  readonly isExported: boolean;
  /** Does work as a span, below the one that is under way; what it throws is recorded. */
  readonly trace: <T>(
    start: SpanStart,
    work: (span: Span) => Promise<T>,
  ) => Promise<T>;
  /** Records in the span under way why it failed. */
  readonly fail: (error: unknown) => void;
  /** Adds to what the request or run under way asks of the database. */
  readonly countKv: (asked: KvCounts) => void;
  /** Returns the id of the trace under way; undefined where there is none. */
  readonly traceId: () => string | undefined;
}

const NO_SPAN: Span = { set() {}, fail() {} };

/** Traces nothing. */
export const SILENT: Telemetry = {
  isExported: false,
  trace: (_start, work) => work(NO_SPAN),
  fail() {},
  countKv() {},
  traceId: () => undefined,
};
