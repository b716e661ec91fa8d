/** Events of the audit trail of a wallet. */

/** The events of the audit trail, each with its label. */
export const AUDIT_EVENTS = {
  "session.start": "The wallet signed in",
  "session.end": "The wallet signed out",
  "key.create": "A key was created",
  "key.rotate": "A key was replaced by another",
  "key.limit": "The limits of a key were changed",
  "key.revoke": "A key was revoked",
  "key.release":
    "Keys of a restored backup work again; revoke those you do not use",
  "pay": "A payment was credited",
  "plan.grant": "A plan was granted by the operator",
  "plan.revoke": "A plan or a credit was revoked",
  "profile.update": "The profile was changed",
  "profile.delete": "The profile was deleted",
  "profile.hide": "The operator hid the profile after a report",
  "profile.show": "The operator shows the profile again",
  "profile.import": "The operator imported a profile",
  "social.link": "A social account was linked",
  "social.unlink": "A social account was unlinked",
  "donation": "A donation was recorded",
  "human.grant": "A Verified Human number was assigned",
} as const satisfies Record<string, string>;

/** The name of an audit event. */
export type AuditEvent = keyof typeof AUDIT_EVENTS;
/** The events in the order of the table. */
export const AUDIT_EVENT_NAMES = Object.keys(AUDIT_EVENTS) as AuditEvent[];
