/** KV keys of the platform. */
import type { Collections } from "./collection.ts";
import { DAY_MS, HOUR_MS } from "../days.ts";
import { HISTORY_DAYS } from "../observability/traffic_schema.ts";

/** The days that the status shows, and two more. */
const HISTORY_EXPIRE_MS = (HISTORY_DAYS + 2) * DAY_MS;

/** The collections of the platform. */
export const COLLECTIONS = {
  audit: { expireMs: 800 * DAY_MS },
  budgets: {
    expireMs: 2 * DAY_MS,
    isLeftOut: true,
    isUnchecked: true,
  },
  format: { isLeftOut: true, isUnchecked: true },
  import: { isLeftOut: true },
  job_incidents: { expireMs: HISTORY_EXPIRE_MS, isIndependent: true },
  job_leases: { isLeftOut: true },
  job_runs: { isIndependent: true },
  ping: {
    expireMs: HOUR_MS,
    isLeftOut: true,
    isUnchecked: true,
  },
  set_aside: {
    expireMs: 2 * DAY_MS,
    isLeftOut: true,
    isUnchecked: true,
  },
  // Not copied: the copy is another store.
  store_id: { isLeftOut: true, isUnchecked: true },
  traffic_days: { expireMs: HISTORY_EXPIRE_MS, isIndependent: true },
  traffic_receipts: {
    expireMs: HOUR_MS,
    isLeftOut: true,
    isUnchecked: true,
  },
} as const satisfies Collections;

/** The recent calls to an upstream, or the recent changes of a client or wallet. */
export const budget = (name: string) => ["budgets", name];
/** The lease of a running job. */
export const jobLease = (name: string) => ["job_leases", name];
/** The leases of all running jobs. */
export const jobLeases = () => ["job_leases"];
/** The last run of a job. */
export const jobRun = (name: string) => ["job_runs", name];
/** The last runs of all jobs. */
export const jobRuns = () => ["job_runs"];
/** The incidents of a job. */
export const jobIncidents = (name: string) => ["job_incidents", name];
/** The incidents of all jobs. */
export const allIncidents = () => ["job_incidents"];
/** The audit trail of a wallet. */
export const auditTrail = (wallet: string) => ["audit", wallet];
/** An entry of an audit trail. */
export const auditEntry = (wallet: string, at: number, id: string) => [
  "audit",
  wallet,
  at,
  id,
];
/** A probe: reading and writing it shows that the database works. */
export const ping = () => ["ping"];
/** The rows of a list that could not be read. */
export const setAside = (of: string) => ["set_aside", of];
/** The rows of all lists that could not be read. */
export const allSetAside = () => ["set_aside"];
/** The requests of a UTC day, counted from 1970. */
export const trafficDay = (day: number) => ["traffic_days", day];
/** Shows that requests were added to a day. */
export const trafficReceipt = (id: string) => ["traffic_receipts", id];
/** The number of the store's format. */
export const format = () => ["format"];
/** The id of the store. */
export const storeId = () => ["store_id"];
/** The backup that is being imported. */
export const importMark = () => ["import"];
