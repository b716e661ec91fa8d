/** The error of a commit whose outcome is unknown. */

/** A change may or may not have been written: the response of its commit was lost, and the stored records do not show the outcome. */
export class CommitOutcomeUnknown extends Error {
  /** Creates the error from the error of the commit. */
  constructor(cause: unknown) {
    super("the answer of a commit was lost", { cause });
    this.name = "CommitOutcomeUnknown";
  }
}
