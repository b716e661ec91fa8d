/** The error of a commit whose outcome is unknown. */

/** What shows later whether a commit was made: its mark in a record, and the marks before it. */
export interface CommitTrace {
  readonly mark: number;
  readonly before: readonly number[];
}

/** A change may or may not have been written: the response of its commit was lost, and the stored records do not show the outcome. */
export class CommitOutcomeUnknown extends Error {
  /** Creates the error from the error of the commit; `trace` is null if the change has none. */
  constructor(cause: unknown, readonly trace: CommitTrace | null = null) {
    super("the answer of a commit was lost", { cause });
    this.name = "CommitOutcomeUnknown";
  }
}
