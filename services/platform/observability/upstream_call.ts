/** Instrumentation of calls to upstreams. */

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
