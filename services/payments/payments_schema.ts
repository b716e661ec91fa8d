/** Payments on the wire: quotes and claims in, what was bought and what there is out. */
import { z } from "@hono/zod-openapi";
import { PLAN_NAMES } from "../accounts/plans_schema.ts";
import { MOST_PERIODS, PRODUCT_NAMES } from "./products_schema.ts";
import { Instant, jsonObject } from "../platform/wire_schema.ts";

const PERIODS = `a whole number from 1 to ${MOST_PERIODS}`;
const SLUG = "the profile name to buy: 1 to 40 characters";
const TX_HASH = "a transaction hash: 0x and 64 hexadecimal digits";

const Amount = z.string().meta({
  description: "Base units of USDC, 1,000,000 are one dollar",
  example: "249000000",
});
const AmountDisplay = z.string().meta({
  description: "The same in USDC",
  example: "249.00",
});
const Hex = z.string().meta({ description: "Lower-case hexadecimal" });

/** The body of `POST /quotes`. */
export const QuoteBody = jsonObject({
  product: z.enum(PRODUCT_NAMES),
  periods: z.int(PERIODS).min(1, PERIODS).max(MOST_PERIODS, PERIODS).default(1)
    .meta({ description: "Periods of 30 days; 1 for a profile name" }),
  slug: z.string(SLUG).min(1, SLUG).max(40, SLUG).optional().meta({
    description: "The profile name, where one is bought, and only then",
  }),
}).meta({ id: "QuoteBody" });
/** The body of `POST /quotes`. */
export type QuoteBody = z.infer<typeof QuoteBody>;

/** The answer of `POST /quotes`. */
export const QuoteAnswer = z.object({
  quoteId: z.uuid(),
  product: z.enum(PRODUCT_NAMES),
  periods: z.int(),
  payTo: Hex.meta({ description: "The treasury" }),
  token: Hex.meta({ description: "The contract of USDC" }),
  chainId: z.int(),
  amount: Amount,
  amountDisplay: AmountDisplay,
  credit: Amount.meta({
    description:
      "What was taken off the price: credit, and unused days of a lower plan",
  }),
  creditDisplay: AmountDisplay,
  startsAt: Instant.meta({ description: "When what is bought begins" }),
  endsAt: Instant.nullable(),
  expiresAt: Instant.meta({
    description:
      "Until then the amount holds; a later payment is not lost, it counts at the price of the day",
  }),
  uri: z.string().nullable().meta({
    description: "EIP-681; null where nothing is left to pay",
  }),
  transaction: z.object({ to: Hex, data: Hex, value: Hex }).nullable().meta({
    description: "The same payment as eth_sendTransaction takes it",
  }),
}).meta({ id: "Quote" });
/** The answer of `POST /quotes`. */
export type QuoteAnswer = z.infer<typeof QuoteAnswer>;

/** The body of `POST /claims`. */
export const ClaimBody = jsonObject({
  quoteId: z.uuid("the id of a quote"),
  txHash: z.string(TX_HASH).regex(/^0x[0-9a-fA-F]{64}$/, TX_HASH)
    .transform((hash) => hash.toLowerCase()).optional().meta({
      description: "The transaction that paid; none where the amount is 0",
    }),
}).meta({ id: "ClaimBody" });
/** The body of `POST /claims`. */
export type ClaimBody = z.infer<typeof ClaimBody>;

/** What a wallet has for what it paid. */
export const HoldingsAnswer = z.object({
  plan: z.enum(PLAN_NAMES),
  planLabel: z.string(),
  paidUntil: Instant.nullable().meta({ description: "Null on the free plan" }),
  next: z.array(z.object({
    plan: z.enum(PLAN_NAMES),
    planLabel: z.string(),
    paidUntil: Instant,
  })).meta({ description: "Plans paid for that run afterwards, in order" }),
  credit: Amount,
  creditDisplay: AmountDisplay,
  premiumUntil: Instant.nullable(),
  premiumMonths: z.int(),
  slugs: z.array(z.string()),
}).meta({ id: "Holdings" });
/** What a wallet has for what it paid. */
export type HoldingsAnswer = z.infer<typeof HoldingsAnswer>;

/** The answer of `POST /claims` about money that was credited. */
export const ClaimAnswer = z.object({
  status: z.enum(["active", "short", "credit"]).meta({
    description:
      "active: bought; short: the order still lacks something; credit: there was no order",
  }),
  bought: z.object({
    product: z.enum(PRODUCT_NAMES),
    periods: z.int(),
    extraSeconds: z.int().meta({
      description:
        "Time beyond the periods, for what was paid beyond the price",
    }),
    startsAt: Instant,
    endsAt: Instant.nullable(),
  }).nullable(),
  missing: Amount,
  missingDisplay: AmountDisplay,
  ...HoldingsAnswer.shape,
}).meta({ id: "Claim" });
/** The answer of `POST /claims` about money that was credited. */
export type ClaimAnswer = z.infer<typeof ClaimAnswer>;

/** The answer of `POST /claims` about a transaction that is not final. */
export const PendingAnswer = z.object({
  status: z.literal("pending"),
  confirmations: z.int().meta({ description: "Blocks on top of its own" }),
  required: z.int(),
}).meta({ id: "PendingClaim" });
/** The answer of `POST /claims` about a transaction that is not final. */
export type PendingAnswer = z.infer<typeof PendingAnswer>;

/** The answer of `GET /payments`. */
export const PaymentsAnswer = z.object({
  ...HoldingsAnswer.shape,
  payments: z.array(z.object({
    at: Instant.meta({ description: "When it was credited" }),
    amount: Amount,
    amountDisplay: AmountDisplay,
    product: z.enum(PRODUCT_NAMES).nullable().meta({
      description: "What it was for; null where it became credit",
    }),
    periods: z.int().meta({ description: "0 where it extended the plan" }),
    txHash: Hex.nullable().meta({ description: "Null where credit paid" }),
    blockNumber: z.int().nullable(),
    revokedAt: Instant.nullable().meta({
      description: "When it was taken back: its block had left the chain",
    }),
  })).meta({ description: "The last hundred, newest first" }),
}).meta({ id: "Payments" });
/** The answer of `GET /payments`. */
export type PaymentsAnswer = z.infer<typeof PaymentsAnswer>;
