/** Log events. */

/** Log levels, most severe first. */
export const LEVELS = ["error", "warn", "info"] as const;
/** A log level. */
export type Level = (typeof LEVELS)[number];

/** All events, each with its level and meaning. */
export const EVENTS = {
  "request.failed": {
    level: "error",
    says: "An unexpected error, answered with 500: a defect",
  },
  "request.unavailable": {
    level: "warn",
    says: "An answer of 500 to 599 because a dependency does not work",
  },
  "request.slow": { level: "warn", says: "A slow answer" },
  "job.failed": { level: "error", says: "A run of a job that failed" },
  "job.ended": { level: "info", says: "A run of a job, with its outcome" },
  "job.skipped": { level: "info", says: "A job that was running already" },
  "payment.revoked": {
    level: "warn",
    says: "A payment that a reorganisation of the chain undid",
  },
  "payment.unlisted": {
    level: "warn",
    says: "Blocks whose payments are not found, as a node does not list them",
  },
  "score.failed": {
    level: "error",
    says: "Reading a score for a waiting page failed: a defect",
  },
  "score.unlisted": {
    level: "error",
    says: "An address that could not be listed for scoring",
  },
  "source.rows_set_aside": {
    level: "warn",
    says: "Rows of a source that can't be read; the others are used",
  },
  "source.days_doubted": {
    level: "warn",
    says:
      "Days of a source that can't be true, and that an operator decides on",
  },
  "service.listening": { level: "info", says: "The service takes requests" },
  "service.unpermitted": {
    level: "warn",
    says:
      "A name server of the machine is not permitted, so no domain can be linked",
  },
  "service.single_node": {
    level: "warn",
    says: "One node alone decides which payments count",
  },
  "service.open_port": {
    level: "warn",
    says:
      "Clients may reach the port beside the proxies and choose their address",
  },
  "service.unready": {
    level: "warn",
    says:
      "An unreachable upstream at the start; requests that need it get a 503",
  },
} as const satisfies Record<string, { level: Level; says: string }>;

/** The name of an event. */
export type EventName = keyof typeof EVENTS;
/** The names in the order of an answer. */
export const EVENT_NAMES = Object.keys(EVENTS) as EventName[];
