/** Calls to other people's services, as they are watched. */

/** One call. */
export interface UpstreamCall {
  /** Who is asked. */
  readonly host: string;
  /** Says what is asked, in words that are few and hold nothing of the question; before the work begins. */
  readonly operation: () => string | Promise<string>;
}

/** Does the work of a call and notes how it went. */
export type InstrumentCall = <T>(
  call: UpstreamCall,
  work: () => Promise<T>,
) => Promise<T>;

/** Does the work and notes nothing. */
export const uninstrumented: InstrumentCall = (_call, work) => work();
