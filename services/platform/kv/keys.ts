/** KV keys of the platform. */
import type { Collections } from "./collection.ts";
import { DAY_MS, HOUR_MS } from "../days.ts";

/** The collections of the platform. */
export const COLLECTIONS = {
  audit: { expireMs: 800 * DAY_MS },
  budgets: { expireMs: 2 * DAY_MS, isIndependent: true, isUnchecked: true },
  import: {},
  job_leases: { isIndependent: true },
  job_runs: { isIndependent: true },
  ping: { expireMs: HOUR_MS, isIndependent: true, isUnchecked: true },
} as const satisfies Collections;

/** The calls that an upstream got or a client made lately. */
export const budget = (whose: string) => ["budgets", whose];
/** Who runs a job, and until when. */
export const jobLease = (name: string) => ["job_leases", name];
/** The last run of a job. */
export const jobRun = (name: string) => ["job_runs", name];
/** The last runs of all jobs. */
export const jobRuns = () => ["job_runs"];
/** What was done in the name of a wallet. */
export const auditTrail = (wallet: string) => ["audit", wallet];
/** One thing that was done in the name of a wallet. */
export const auditEntry = (wallet: string, at: number, id: string) => [
  "audit",
  wallet,
  at,
  id,
];
/** A key that says nothing: reading and writing it shows that the database does. */
export const ping = () => ["ping"];
/** Which copy is being put into this database. */
export const importMark = () => ["import"];
