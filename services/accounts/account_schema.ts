/** The requests and answers of an account: challenges, sessions, keys, usage, audit trail. */
import { z } from "@hono/zod-openapi";
import {
  KeyLimitsAnswer,
  KeyLimitsBody,
  NO_LIMITS,
} from "./key_limits_schema.ts";
import { Address, LowerCaseAddress } from "../platform/address_schema.ts";
import { AUDIT_EVENT_NAMES } from "../platform/kv/audit_events_schema.ts";
import {
  EntitlementsAnswer,
  PaidUntil,
  Plan,
  PlanLabel,
} from "../payments/payments_schema.ts";
import { DAY_MS } from "../platform/days.ts";
import { Day, Instant, jsonObject } from "../platform/wire_schema.ts";
import { type Metered, PLANS } from "../payments/plans_schema.ts";

const units = z.object(
  {
    score: z.int().meta({
      description: "Units spent on single scores: 1 per request",
      example: 812,
    }),
    batch: z.int().meta({
      description: "Units spent on batches: 1 per address",
      example: 150,
    }),
    history: z.int().meta({
      description: "Units spent on histories: 1 per request",
      example: 12,
    }),
    signed: z.int().meta({
      description: "Units spent on signed scores: 1 per request",
      example: 0,
    }),
  } satisfies Record<Metered, z.ZodType>,
);

const UsageDay = z.object({
  date: Day.meta({ description: "UTC day, YYYY-MM-DD" }),
  units: units.meta({ description: "Units spent that day, by endpoint" }),
}).meta({ id: "UsageDay" });

/** What an owner should know now. */
const NOTICES = [
  "QUOTA_USED_UP",
  "QUOTA_80_PERCENT",
  "PLAN_ENDS_SOON",
] as const;

const Notice = z.object({
  code: z.enum(NOTICES).meta({
    description: "Code of the notice; branch on this",
    example: "PLAN_ENDS_SOON",
  }),
  message: z.string().meta({
    description: "The notice in words, for display",
    example:
      "The Builder plan ends on 2026-12-21 (UTC). It does not renew automatically; after that, the Free plan applies.",
  }),
}).meta({ id: "UsageNotice" });
/** What an owner should know now. */
export type Notice = z.infer<typeof Notice>;

/** The answer of `GET /usage`. */
export const UsageAnswer = z.object({
  plan: Plan,
  planLabel: PlanLabel,
  paidUntil: PaidUntil,
  limit: z.int().meta({
    description: "Quota: units in any 30 days",
    example: PLANS.builder.requests,
  }),
  used: z.int().meta({
    description: "Units spent in the last 30 days",
    example: 974,
  }),
  remaining: z.int().meta({
    description: "Units that can be spent now",
    example: PLANS.builder.requests - 974,
  }),
  resetAt: Instant.meta({
    description: "When the oldest counted unit leaves the 30-day window",
  }),
  cap: z.object({
    limit: z.int().meta({
      description: "Maximum number of units of the key in any 30 days",
      example: 1_000,
    }),
    remaining: z.int().meta({
      description: "Units of the cap that can be spent now",
      example: 880,
    }),
    resetAt: Instant.meta({
      description: "When the oldest unit of the key leaves the 30-day window",
    }),
  }).nullable().meta({ description: "The cap of the key; null without one" }),
  notices: z.array(Notice).meta({
    description:
      "What the owner should know: 80 or 100 % of the quota is used, or the paid plan ends within seven days and no other follows. The most urgent comes first",
  }),
  days: z.array(UsageDay).meta({
    description:
      "The last 30 UTC days, today last. used may be more than their sum: its 30 days end now, so they begin during the day before the first listed one",
  }),
}).meta({ id: "Usage" });
/** The answer of `GET /usage`. */
export type UsageAnswer = z.infer<typeof UsageAnswer>;

/** The kinds of a key. A `test` key returns the fixed answers of the test addresses, free of charge. */
const KEY_KINDS = ["live", "test"] as const;
/** The kind of a key. */
export type KeyKind = typeof KEY_KINDS[number];

/** Maximum grace period of a replaced key: seven days. */
export const MAX_GRACE_S = 7 * DAY_MS / 1000;

const KEY_NAME =
  "1 to 40 letters, digits, spaces and . _ - ( ) # : / + @, no space at either end";
const KEY_ID = "the id of a key";

/**
 * The name of a key. It is part of a signed message, which restricts its characters.
 * The pattern has no lookaround, which some engines lack.
 */
export const KeyName = z.string(KEY_NAME)
  .regex(
    /^[A-Za-z0-9._\-()#:/+@]([A-Za-z0-9 ._\-()#:/+@]{0,38}[A-Za-z0-9._\-()#:/+@])?$/,
    KEY_NAME,
  )
  .meta({ description: "Name of the key", example: "CI bot" });

const Kind = z.enum(KEY_KINDS).meta({
  description: "live, or test: fixed answers, free of charge",
  example: "live",
});

/** The id of a key. */
const KeyId = z.uuid(KEY_ID).meta({
  description: "Id of the key",
  example: "7d444840-9dc0-41a1-b8f2-4d5e6f708192",
});

const Prefix = z.string().meta({
  description: "First characters of the key, to recognise it",
  example: "firn_live_J4j7",
});

const GraceSeconds = z.int(`a whole number from 0 to ${MAX_GRACE_S}`)
  .min(0, `a whole number from 0 to ${MAX_GRACE_S}`)
  .max(MAX_GRACE_S, `a whole number from 0 to ${MAX_GRACE_S}`)
  .meta({
    description: "How long the replaced key stays valid, in seconds",
    example: 3600,
  });

/** The limits of a new key. Without them, it has none. */
const NewLimits = KeyLimitsBody.default(NO_LIMITS);

/** The actions that a one-time message can confirm, with their parameters. */
const ACTIONS = {
  "session": z.strictObject({}),
  "key.create": z.strictObject({
    keyName: KeyName,
    kind: Kind.default("live"),
    limits: NewLimits,
  }),
  "key.limit": z.strictObject({ keyId: KeyId, limits: KeyLimitsBody }),
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
    address: Address.openapi({
      description: "Address of the wallet that will sign, in any case",
      example: "0x52908400098527886E0F7030069857D2E4169EE7",
    }),
    action: z.literal(action).meta({
      description: "The action that the message confirms",
    }),
    ...ACTIONS[action].shape,
  });

/** The body of `POST /challenges`. */
export const ChallengeBody = z.discriminatedUnion("action", [
  challengeOf("session"),
  challengeOf("key.create"),
  challengeOf("key.limit"),
  challengeOf("key.revoke"),
  challengeOf("key.rotate"),
], "a JSON object with address, action and the parameters of the action").meta({
  id: "ChallengeBody",
});
/** The body of `POST /challenges`. */
export type ChallengeBody = z.infer<typeof ChallengeBody>;

const NONCE_EXAMPLE = "P6BC26hhqJsSQY6ZwCTZhyST";

const MESSAGE_EXAMPLE =
  `firn.example wants you to sign in with your Ethereum account:
0x52908400098527886E0F7030069857D2E4169EE7

Sign in to Firn. This costs nothing and sends nothing.

URI: https://firn.example
Version: 1
Chain ID: 43114
Nonce: ${NONCE_EXAMPLE}
Issued At: 2026-11-21T08:00:00.000Z
Expiration Time: 2026-11-21T08:10:00.000Z`;

/** The answer of `POST /challenges`. */
export const ChallengeAnswer = z.object({
  nonce: z.string().meta({
    description: "Nonce of the message; send it back with the signature",
    example: NONCE_EXAMPLE,
  }),
  message: z.string().meta({
    description:
      "Message to sign unchanged (EIP-4361, signed with EIP-191 personal_sign)",
    example: MESSAGE_EXAMPLE,
  }),
  expiresAt: Instant.meta({
    description: "When the message expires",
    example: "2026-11-21T08:10:00.000Z",
  }),
}).meta({ id: "Challenge" });
/** The answer of `POST /challenges`. */
export type ChallengeAnswer = z.infer<typeof ChallengeAnswer>;

const NONCE = "the nonce of a challenge";

/** Longer than the longest message: its note and networks are percent-encoded. */
const MAX_MESSAGE = 8_192;
const MESSAGE =
  `the message of the challenge, of at most ${MAX_MESSAGE} characters`;

/** Maximum length of a smart account's signature, in bytes. */
const MAX_SIGNATURE_BYTES = 4_096;
const SIGNATURE =
  `0x and the hexadecimal signature of the message, of at most ${MAX_SIGNATURE_BYTES} bytes`;

const proof = {
  nonce: z.string(NONCE).regex(/^[A-Za-z0-9]{8,64}$/, NONCE).meta({
    description: "Nonce of the challenge",
    example: NONCE_EXAMPLE,
  }),
  signature: z.string(SIGNATURE)
    .regex(/^0x([0-9a-fA-F]{2})*$/, SIGNATURE)
    .max(2 + 2 * MAX_SIGNATURE_BYTES, SIGNATURE).meta({
      description: "Signature of the message, hexadecimal",
      example: `0x${"6b35198b4ae0db37".repeat(8)}1b`,
    }),
  message: z.string(MESSAGE).max(MAX_MESSAGE, MESSAGE).optional().meta({
    description:
      "The signed message; optional, and must equal the challenge's message exactly",
    example: MESSAGE_EXAMPLE,
  }),
};

/** A signed one-time message. */
export const Proof = jsonObject(proof).meta({ id: "Proof" });
/** A signed one-time message. */
export type Proof = z.infer<typeof Proof>;

/** The body of `POST /keys`. It repeats the parameters of the signed message. */
export const CreateKeyBody = jsonObject({
  ...proof,
  keyName: KeyName,
  kind: Kind.default("live"),
  limits: NewLimits,
}).meta({ id: "CreateKeyBody" });

/** The body of `PUT /keys/{id}/limits`. */
export const LimitKeyBody = jsonObject({ ...proof, limits: KeyLimitsBody })
  .meta({ id: "LimitKeyBody" });

/** The body of `POST /keys/{id}/rotate`. */
export const RotateKeyBody = jsonObject({
  ...proof,
  graceSeconds: GraceSeconds,
}).meta({ id: "RotateKeyBody" });

/** The path parameters of one key. */
export const KeyPath = z.object({
  id: KeyId.openapi({ param: { name: "id", in: "path" } }),
});

const Wallet = LowerCaseAddress.meta({
  description: "Address of the signed-in wallet, lower-case",
});

/** The answer of `POST /session`. */
export const SessionAnswer = z.object({
  wallet: Wallet,
  expiresAt: Instant.meta({ description: "When the session expires" }),
}).meta({ id: "Session" });
/** The answer of `POST /session`. */
export type SessionAnswer = z.infer<typeof SessionAnswer>;

/** The answer that contains a new key. It is shown only once. */
export const CreatedKeyAnswer = z.object({
  id: KeyId,
  key: z.string().meta({
    description: "The key itself; it is not stored and never shown again",
    example: "firn_live_J4j7zmKEiGcxHIlobpskqJFQWIt3887t4by7uy",
  }),
  name: KeyName,
  prefix: Prefix,
  kind: Kind,
  createdAt: Instant.meta({ description: "When the key was created" }),
  limits: KeyLimitsAnswer,
}).meta({ id: "CreatedKey" });
/** The answer that contains a new key. It is shown only once. */
export type CreatedKeyAnswer = z.infer<typeof CreatedKeyAnswer>;

/** A key in the owner's list, without its secret. */
export const KeySummary = z.object({
  id: KeyId,
  name: KeyName,
  prefix: Prefix,
  kind: Kind,
  createdAt: Instant.meta({ description: "When the key was created" }),
  expiresAt: Instant.nullable().meta({
    description:
      "When a replaced key stops working; null if it was not replaced",
  }),
  limits: KeyLimitsAnswer,
  used: z.int().meta({
    description:
      "Units spent in the last 30 days by the key, by the keys that it replaced, and by those that replaced it",
    example: 120,
  }),
  days: z.array(z.object({
    date: Day.meta({ description: "UTC day, YYYY-MM-DD" }),
    units: z.int().meta({ description: "Units of that day", example: 40 }),
  })).meta({
    description: "The same units by UTC day, oldest first, without empty days",
  }),
  lastUsedAt: Instant.nullable().meta({
    description:
      "The last call with the key; null without one in the last 30 days. A call is added within seconds, or within minutes under load",
    example: "2026-11-21T08:00:00.000Z",
  }),
}).meta({ id: "KeySummary" });
/** A key in the owner's list, without its secret. */
export type KeySummary = z.infer<typeof KeySummary>;

/** An entry of the audit trail. Some events add fields. */
export const AuditItem = z.looseObject({
  at: Instant.meta({ description: "When it happened" }),
  event: z.enum(AUDIT_EVENT_NAMES).meta({
    description: "Type of the event; some types add fields",
    example: "key.create",
  }),
  requestId: z.string().nullable().meta({
    description:
      "X-Request-Id of the request that caused the event; null if there was none",
    example: "e17ea44c-ac01-444c-a389-45df76fe0230",
  }),
}).meta({ id: "AuditItem" });
/** An entry of the audit trail. */
export type AuditItem = z.infer<typeof AuditItem>;

/** The answer of `GET /api/account`. */
export const AccountAnswer = z.object({
  wallet: Wallet,
  ...EntitlementsAnswer.shape,
  keys: z.array(KeySummary).meta({ description: "The wallet's API keys" }),
  limits: z.object({
    keys: z.int().meta({
      description: "Maximum number of keys of a wallet",
      example: 10,
    }),
    graceSeconds: z.int().meta({
      description: "Maximum grace period of a replaced key, in seconds",
      example: MAX_GRACE_S,
    }),
  }).meta({ description: "Limits of the account" }),
  usage: UsageAnswer.omit({
    plan: true,
    planLabel: true,
    paidUntil: true,
    cap: true,
  })
    .meta({ description: "Units spent by the wallet" }),
  coldReads: z.object({
    perMinute: z.int().meta({
      description: "The most of the plan in a minute",
      example: 120,
    }),
    perDay: z.int().meta({
      description: "The most of the plan in a day",
      example: 2_500,
    }),
    used: z.int().meta({
      description: "Calls of the wallet in the last 24 hours",
      example: 310,
    }),
    left: z.int().meta({
      description:
        "How many are left now, to this wallet: fewer than of its own part if others have used the calls of the source",
      example: 2_190,
    }),
  }).meta({
    description:
      "Cold reads: scores of addresses that nobody has read for a day",
  }),
  audit: z.array(AuditItem).meta({
    description: "Recent events, newest first",
  }),
}).meta({ id: "Account" });
/** The answer of `GET /api/account`. */
export type AccountAnswer = z.infer<typeof AccountAnswer>;

/** Calls that the log of a wallet keeps. */
export const MAX_CALLS = 100;

/** A call with a key. It holds neither the scored address nor that of the client. */
export interface LoggedCall {
  /** Epoch ms. */
  readonly at: number;
  /** Method and route pattern, such as `GET /api/v1/score/:address`. */
  readonly endpoint: string;
  readonly keyId: string;
  readonly status: number;
  readonly units: number;
  readonly requestId: string;
}

/** The last calls of a wallet, newest first, and when each of its keys was last used. */
export interface CallLog {
  readonly calls: readonly LoggedCall[];
  /** Epoch ms, by the id of the key. */
  readonly lastUsed: Readonly<Record<string, number>>;
}

const CallItem = z.object({
  at: Instant.meta({ description: "When the call was answered" }),
  endpoint: z.string().meta({
    description: "Method and route pattern; never the scored address",
    example: "GET /api/v1/score/:address",
  }),
  keyId: z.string().meta({
    description: "Id of the key; `session` for a call of the dashboard",
    example: "7d444840-9dc0-41a1-b8f2-4d5e6f708192",
  }),
  keyName: z.string().nullable().meta({
    description:
      "Name of the key; null if the key is revoked or expired, or its grace period has ended",
    example: "CI bot",
  }),
  status: z.int().meta({ description: "HTTP status", example: 200 }),
  units: z.int().meta({
    description: "Units that the call cost; 0 for a refused or failed call",
    example: 1,
  }),
  requestId: z.string().meta({
    description: "X-Request-Id of the answer, at most 40 characters of it",
    example: "e17ea44c-ac01-444c-a389-45df76fe0230",
  }),
}).meta({ id: "Call" });

/** The answer of `GET /api/account/calls`. */
export const CallsAnswer = z.object({
  calls: z.array(CallItem).meta({
    description: `The last calls, newest first, at most ${MAX_CALLS}`,
  }),
}).meta({ id: "Calls" });
/** The answer of `GET /api/account/calls`. */
export type CallsAnswer = z.infer<typeof CallsAnswer>;
