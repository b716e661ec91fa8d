/** Events of the audit trail of a wallet. */

/** What the audit trail records, each with what it means. */
export const AUDIT_EVENTS = {
  "session.start": "The wallet signed in",
  "session.end": "The wallet signed out",
  "key.create": "A key was created",
  "key.rotate": "A key was replaced by another",
  "key.revoke": "A key was revoked",
  "pay": "A payment was credited",
  "plan.grant": "A plan was granted by the operator",
  "plan.revoke": "A plan or a credit was taken back",
  "profile.update": "The profile was changed",
  "profile.import": "The operator brought in a profile",
  "social.link": "An account elsewhere was linked",
  "social.unlink": "An account elsewhere was unlinked",
  "donation": "A donation was recorded",
  "human.grant": "A Verified Human number was given",
} as const satisfies Record<string, string>;

/** What the audit trail records. */
export type AuditEvent = keyof typeof AUDIT_EVENTS;
/** The events in the order of the table. */
export const AUDIT_EVENT_NAMES = Object.keys(AUDIT_EVENTS) as AuditEvent[];
