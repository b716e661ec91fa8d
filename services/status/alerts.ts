/** The alerts of the status: each reason belongs to one, which has a section in the runbook. */

/** The reasons of each alert, by the anchor of its section. */
const ALERTS = {
  "the-database-is-unreachable": /^the database is unreachable$/,
  "the-database-is-read-only": /^the database is readOnly$/,
  "a-state-is-unknown": /^the state of the \w+ is unknown$/,
  "too-many-requests-fail": /^too many requests fail$/,
  "a-source-was-not-read": /^the source of .* was last read \d+ hours ago$/,
  "few-calls-are-left": /^under a tenth of the day's calls /,
  "a-source-has-days-that-cannot-be-true": / can't be true on /,
  "a-job-failed": /^[a-z-]+: failed$/,
  "a-job-was-lost": /^[a-z-]+: lost$/,
  "a-job-missed-two-due-times": /^[a-z-]+: missed two due times$/,
  "due-items-are-left": /^[a-z-]+: \d+ due items are left for its next run$/,
  "the-last-export-is-old":
    /^the last export of the database was \d+ days ago$/,
  "the-disk-is-nearly-full": /^the disk has room for less than two copies /,
} as const satisfies Record<string, RegExp>;

/** Returns the path of the section of the runbook about a reason; of the whole page if none is. */
export function runbookPath(reason: string): string {
  const alert = Object.entries(ALERTS).find(([, says]) => says.test(reason));
  return alert === undefined ? "/docs/runbook" : `/docs/runbook#${alert[0]}`;
}
