/** What nobody can tell: whether something was done. */

/** A change may have been written or not: the answer of its commit was lost, and what is stored does not tell. */
export class CommitOutcomeUnknown extends Error {
  /** Creates the error from what the commit threw. */
  constructor(cause: unknown) {
    super("the answer of a commit was lost", { cause });
    this.name = "CommitOutcomeUnknown";
  }
}
