/** The account on the wire: one-time messages, sessions, keys, and what the owner sees. */
import { AUDIT_EVENT_NAMES } from "../platform/kv/audit_events_schema.ts";
import { z } from "@hono/zod-openapi";
import { UsageAnswer } from "./usage_schema.ts";
import { Address } from "../platform/address_schema.ts";
import { EntitlementsAnswer } from "../payments/payments_schema.ts";
import { Instant, jsonObject } from "../platform/wire_schema.ts";

/** What a key is for: `test` keys answer fixtures and cost nothing. */
export const KEY_KINDS = ["live", "test"] as const;
/** What a key is for. */
export type KeyKind = typeof KEY_KINDS[number];

/** Longest that a replaced key goes on working: seven days. */
export const MOST_GRACE_S = 7 * 86_400;

const KEY_NAME =
  "1 to 40 letters, digits, spaces and . _ - ( ) # : / + @, no space at either end";
const KEY_ID = "the id of a key";

/** The name of a key: it stands in a message to sign, so it can hold nothing that breaks one. */
export const KeyName = z.string(KEY_NAME)
  .regex(/^(?! )[A-Za-z0-9 ._\-()#:/+@]{1,40}(?<! )$/, KEY_NAME)
  .meta({ example: "CI bot" });

/** The id of a key. */
export const KeyId = z.uuid(KEY_ID).meta({
  description: "The id of a key",
  example: "7d444840-9dc0-41a1-b8f2-4d5e6f708192",
});

const GraceSeconds = z.int(`a whole number from 0 to ${MOST_GRACE_S}`)
  .min(0, `a whole number from 0 to ${MOST_GRACE_S}`)
  .max(MOST_GRACE_S, `a whole number from 0 to ${MOST_GRACE_S}`)
  .meta({ description: "How long the replaced key goes on working" });

/** The actions that a one-time message confirms, each with its parameters. */
export const ACTIONS = {
  "session": z.strictObject({}),
  "key.create": z.strictObject({
    keyName: KeyName,
    kind: z.enum(KEY_KINDS).default("live"),
  }),
  "key.revoke": z.strictObject({ keyId: KeyId }),
  "key.rotate": z.strictObject({ keyId: KeyId, graceSeconds: GraceSeconds }),
} as const;

/** An action that a one-time message confirms. */
export type ActionName = keyof typeof ACTIONS;
/** The parameters of an action. */
export type ActionParams<Name extends ActionName> = z.infer<
  typeof ACTIONS[Name]
>;

const challengeOf = <Name extends ActionName>(action: Name) =>
  jsonObject({
    address: Address,
    action: z.literal(action),
    ...ACTIONS[action].shape,
  });

/** The body of `POST /challenges`. */
export const ChallengeBody = z.discriminatedUnion("action", [
  challengeOf("session"),
  challengeOf("key.create"),
  challengeOf("key.revoke"),
  challengeOf("key.rotate"),
], "a JSON object with address, action, and what the action takes").meta({
  id: "ChallengeBody",
});
/** The body of `POST /challenges`. */
export type ChallengeBody = z.infer<typeof ChallengeBody>;

/** The answer of `POST /challenges`. */
export const ChallengeAnswer = z.object({
  nonce: z.string(),
  message: z.string().meta({
    description: "EIP-4361, to be signed as it is (EIP-191 personal_sign)",
  }),
  expiresAt: Instant,
}).meta({ id: "Challenge" });
/** The answer of `POST /challenges`. */
export type ChallengeAnswer = z.infer<typeof ChallengeAnswer>;

const NONCE = "the nonce of a challenge";
const SIGNATURE = "0x and the hexadecimal signature of the message";

/** Bytes that a signature of a smart account may have. */
const MOST_SIGNATURE_BYTES = 4_096;

const proof = {
  nonce: z.string(NONCE).regex(/^[A-Za-z0-9]{8,64}$/, NONCE),
  signature: z.string(SIGNATURE)
    .regex(/^0x([0-9a-fA-F]{2})+$/, SIGNATURE)
    .max(2 + 2 * MOST_SIGNATURE_BYTES, SIGNATURE),
  message: z.string("the message of the challenge").max(4_096).optional().meta({
    description: "Where it is sent, it must be the challenge's to the byte",
  }),
};

/** A signed one-time message. */
export const Proof = jsonObject(proof).meta({ id: "Proof" });
/** A signed one-time message. */
export type Proof = z.infer<typeof Proof>;

/** The body of `POST /keys`: what was bound is said again. */
export const CreateKeyBody = jsonObject({
  ...proof,
  keyName: KeyName,
  kind: z.enum(KEY_KINDS).default("live"),
}).meta({ id: "CreateKeyBody" });

/** The body of `POST /keys/{id}/rotate`. */
export const RotateKeyBody = jsonObject({
  ...proof,
  graceSeconds: GraceSeconds,
}).meta({ id: "RotateKeyBody" });

/** The path of everything about one key. */
export const KeyPath = z.object({
  id: KeyId.openapi({ param: { name: "id", in: "path" } }),
});

/** The answer of `POST /session`. */
export const SessionAnswer = z.object({
  wallet: z.string(),
  expiresAt: Instant,
}).meta({ id: "Session" });
/** The answer of `POST /session`. */
export type SessionAnswer = z.infer<typeof SessionAnswer>;

/** The answer that shows a key, once. */
export const CreatedKeyAnswer = z.object({
  id: KeyId,
  key: z.string().meta({
    description: "The secret: not stored, never shown again",
  }),
  name: z.string(),
  prefix: z.string(),
  kind: z.enum(KEY_KINDS),
  createdAt: Instant,
}).meta({ id: "CreatedKey" });
/** The answer that shows a key, once. */
export type CreatedKeyAnswer = z.infer<typeof CreatedKeyAnswer>;

/** A key as its owner sees it from then on. */
export const KeySummary = z.object({
  id: KeyId,
  name: z.string(),
  prefix: z.string(),
  kind: z.enum(KEY_KINDS),
  createdAt: Instant,
  expiresAt: Instant.nullable().meta({
    description: "When a replaced key stops working; null where it was not",
  }),
}).meta({ id: "KeySummary" });
/** A key as its owner sees it from then on. */
export type KeySummary = z.infer<typeof KeySummary>;

/** An entry of the audit trail; facts of its own kind stand beside these fields. */
export const AuditItem = z.looseObject({
  at: Instant,
  event: z.enum(AUDIT_EVENT_NAMES),
  requestId: z.string().nullable().meta({
    description: "X-Request-Id of the request; null where there was none",
  }),
}).meta({ id: "AuditItem" });
/** An entry of the audit trail. */
export type AuditItem = z.infer<typeof AuditItem>;

/** The answer of `GET /api/account`. */
export const AccountAnswer = z.object({
  wallet: z.string(),
  ...EntitlementsAnswer.shape,
  keys: z.array(KeySummary),
  limits: z.object({
    keys: z.int().meta({ description: "Keys that it may have" }),
    graceSeconds: z.int(),
  }),
  usage: UsageAnswer.omit({ plan: true, planLabel: true, paidUntil: true }),
  audit: z.array(AuditItem).meta({ description: "Newest first" }),
}).meta({ id: "Account" });
/** The answer of `GET /api/account`. */
export type AccountAnswer = z.infer<typeof AccountAnswer>;
