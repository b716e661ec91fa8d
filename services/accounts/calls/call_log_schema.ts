/** The log of a wallet's last calls, and the answer of `GET /api/account/calls`. */
import { z } from "@hono/zod-openapi";
import { Instant } from "../../platform/wire_schema.ts";

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
