/** The requests and answers of quotes, claims and payments. */
import { z } from "@hono/zod-openapi";
import {
  MAX_PERIODS,
  PLAN_NAMES,
  PLANS,
  PRODUCT_NAMES,
  USDC,
} from "./plans_schema.ts";
import {
  Instant,
  jsonObject,
  SLUG_LENGTH,
  TxHash,
} from "../platform/wire_schema.ts";
import { LowerCaseAddress } from "../platform/address_schema.ts";

const PERIODS = `a whole number from 1 to ${MAX_PERIODS}`;
const { least, most } = SLUG_LENGTH;
const SLUG = `the profile name to buy: ${least} to ${most} characters`;

const Amount = z.string().meta({
  description: "Amount in base units of USDC (6 decimals)",
  example: "49000000",
});
const AmountDisplay = z.string().meta({
  description: "The same amount in USDC",
  example: "49.00",
});
const Credit = Amount.meta({
  description: "Credit towards the next purchase, in base units of USDC",
  example: "0",
});
const CreditDisplay = AmountDisplay.meta({
  description: "The credit in USDC",
  example: "0.00",
});
/** The plan in force. */
export const Plan = z.enum(PLAN_NAMES).meta({
  description: "Id of the plan in force",
  example: "builder",
});

/** The label of a plan. */
export const PlanLabel = z.string().meta({
  description: "Display label of the plan",
  example: PLANS.builder.label,
});

/** Cold reads that one wallet of a plan may make. */
export const PlanColdReads = z.object({
  plan: z.enum(PLAN_NAMES).meta({
    description: "Id of the plan",
    example: "builder",
  }),
  perMinute: z.int().meta({
    description: "The most cold reads of one wallet of the plan in a minute",
    example: 120,
  }),
  perDay: z.int().meta({
    description: "The most cold reads of one wallet of the plan in a day",
    example: 2_500,
  }),
  left: z.int().nullable().meta({
    description:
      "Cold reads that are left now to a wallet of the plan that has made none; null if unknown",
    example: 2_500,
  }),
}).meta({ id: "PlanColdReads" });

/** When the plan in force ends. */
export const PaidUntil = Instant.nullable().meta({
  description: "When the paid plan ends; null on the free plan",
  example: "2026-12-21T08:00:00.000Z",
});

const ProductId = z.enum(PRODUCT_NAMES).meta({
  description: "Id of the product",
  example: "builder",
});
const QuoteId = z.uuid("the id of a quote").meta({
  description: "Id of the quote",
  example: "4457993a-737f-457b-bffb-09ee6209daa2",
});
const Usdc = LowerCaseAddress.meta({
  description: "The USDC contract",
  example: USDC,
});
const StartsAt = Instant.meta({
  description: "When the purchase takes effect",
  example: "2026-11-21T08:00:00.000Z",
});
const EndsAt = Instant.nullable().meta({
  description: "When the purchase ends; null for a profile name",
  example: "2026-12-21T08:00:00.000Z",
});

/** A transfer of 49 USDC as calldata, for examples. */
const TRANSFER = `0xa9059cbb${"71".repeat(20).padStart(64, "0")}${
  (49_000_000).toString(16).padStart(64, "0")
}`;

/** The body of `POST /quotes`. */
export const QuoteBody = jsonObject({
  product: ProductId,
  periods: z.int(PERIODS).min(1, PERIODS).max(MAX_PERIODS, PERIODS).default(1)
    .meta({
      description: "Number of 30-day periods; 1 for a profile name",
      example: 1,
    }),
  slug: z.string(SLUG).min(least, SLUG).max(most, SLUG).optional().meta({
    description: "Profile name to buy; only for the product slug",
    example: "ada",
  }),
}).meta({ id: "QuoteBody" });
/** The body of `POST /quotes`. */
export type QuoteBody = z.infer<typeof QuoteBody>;

/** The answer of `POST /quotes`. */
export const QuoteAnswer = z.object({
  quoteId: QuoteId,
  product: ProductId,
  periods: z.int().meta({
    description: "Number of 30-day periods; 1 for a profile name",
    example: 1,
  }),
  payTo: LowerCaseAddress.meta({
    description: "The treasury address to pay",
    example: `0x${"71".repeat(20)}`,
  }),
  token: Usdc,
  chainId: z.int().meta({
    description: "EVM chain id to pay on",
    example: 43114,
  }),
  amount: Amount,
  amountDisplay: AmountDisplay,
  credit: Amount.meta({
    description:
      "Deducted from the price: credit and unused days of a lower plan, in base units of USDC",
    example: "0",
  }),
  creditDisplay: AmountDisplay.meta({
    description: "The deduction in USDC",
    example: "0.00",
  }),
  startsAt: StartsAt,
  endsAt: EndsAt,
  expiresAt: Instant.meta({
    description:
      "How long the amount is guaranteed; a later payment is credited at the current price",
    example: "2026-11-21T08:30:00.000Z",
  }),
  uri: z.string().nullable().meta({
    description: "Payment request (EIP-681); null if the amount is 0",
    example: `ethereum:${USDC}@43114/transfer?address=0x${
      "71".repeat(20)
    }&uint256=49000000`,
  }),
  transaction: z.object({
    to: Usdc,
    data: z.string().meta({
      description: "Calldata of the transfer",
      example: TRANSFER,
    }),
    value: z.string().meta({
      description: "AVAX to send, always 0",
      example: "0x0",
    }),
  }).nullable().meta({
    description:
      "The same payment as parameters of eth_sendTransaction; null if the amount is 0",
  }),
}).meta({ id: "Quote" });
/** The answer of `POST /quotes`. */
export type QuoteAnswer = z.infer<typeof QuoteAnswer>;

/** The body of `POST /claims`. */
export const ClaimBody = jsonObject({
  quoteId: QuoteId,
  txHash: TxHash.optional().meta({
    description:
      "Hash of the transaction that paid; leave it out if the amount is 0",
  }),
}).meta({ id: "ClaimBody" });
/** The body of `POST /claims`. */
export type ClaimBody = z.infer<typeof ClaimBody>;

const PlanPeriod = z.object({
  plan: z.enum(PLAN_NAMES).meta({
    description: "Id of the plan",
    example: "builder",
  }),
  planLabel: PlanLabel,
  paidUntil: Instant.meta({
    description: "When this plan ends",
    example: "2027-01-20T08:00:00.000Z",
  }),
}).meta({ id: "PlanPeriod" });

/** What a wallet is entitled to. */
export const EntitlementsAnswer = z.object({
  plan: Plan,
  planLabel: PlanLabel,
  paidUntil: PaidUntil,
  next: z.array(PlanPeriod).meta({
    description: "Paid plans that follow the current one, in order",
    example: [],
  }),
  credit: Credit,
  creditDisplay: CreditDisplay,
  premiumUntil: Instant.nullable().meta({
    description: "When the premium membership ends; null without one",
  }),
  premiumMonths: z.int().meta({
    description: "Months of premium membership bought so far",
    example: 0,
  }),
  slugs: z.array(z.string()).meta({
    description: "Profile names bought",
    example: ["ada"],
  }),
}).meta({ id: "Entitlements" });
/** What a wallet is entitled to. */
export type EntitlementsAnswer = z.infer<typeof EntitlementsAnswer>;

/** The answer of `POST /claims` for a credited payment. */
export const ClaimAnswer = z.object({
  status: z.enum(["active", "short", "credit"]).meta({
    description:
      "active: the product was bought; short: part of the price is missing; credit: the payment became credit",
    example: "active",
  }),
  bought: z.object({
    product: ProductId,
    periods: z.int().meta({
      description: "Number of 30-day periods bought",
      example: 1,
    }),
    extraSeconds: z.int().meta({
      description:
        "Additional time bought by paying more than the price; below zero if time of a lower plan was used until the payment was credited",
      example: 0,
    }),
    startsAt: StartsAt,
    endsAt: EndsAt,
  }).nullable().meta({
    description: "The purchase; null if nothing was bought yet",
  }),
  missing: Amount.meta({
    description: "Missing part of the price, in base units of USDC",
    example: "0",
  }),
  missingDisplay: AmountDisplay.meta({
    description: "The missing part in USDC",
    example: "0.00",
  }),
  ...EntitlementsAnswer.shape,
}).meta({ id: "Claim" });
/** The answer of `POST /claims` for a credited payment. */
export type ClaimAnswer = z.infer<typeof ClaimAnswer>;

/** The answer for a transaction that is not final yet. */
export const PendingAnswer = z.object({
  status: z.literal("pending").meta({
    description: "pending: the transaction is not final yet",
  }),
  confirmations: z.int().meta({
    description: "Blocks after the transaction's own block",
    example: 0,
  }),
  required: z.int().meta({
    description: "Confirmations that make the transaction final",
    example: 2,
  }),
}).meta({ id: "PendingClaim" });
/** The answer for a transaction that is not final yet. */
export type PendingAnswer = z.infer<typeof PendingAnswer>;

/** The answer of `GET /payments`. */
export const PaymentsAnswer = z.object({
  ...EntitlementsAnswer.shape,
  payments: z.array(z.object({
    at: Instant.meta({ description: "When the payment was credited" }),
    amount: Amount,
    amountDisplay: AmountDisplay,
    product: ProductId.nullable().meta({
      description: "Id of the product bought; null if it became credit",
    }),
    periods: z.int().meta({
      description:
        "Number of 30-day periods bought; 0 if the payment extended the plan",
      example: 1,
    }),
    quoteId: QuoteId.nullable().meta({
      description: "Id of the quote that it was for; null without one",
    }),
    txHash: z.string().nullable().meta({
      description: "Hash of the transaction, lower-case; null if credit paid",
      example:
        "0xbbc4e20edfbc5a1b8431412172663b69b8292373920851b291ae94c3d04709c9",
    }),
    blockNumber: z.int().nullable().meta({
      description: "Block of the transaction; null if credit paid",
      example: 72010001,
    }),
    revokedAt: Instant.nullable().meta({
      description:
        "When the payment was revoked because a reorganisation removed its block; null if it was not",
    }),
  })).meta({ description: "The last 100 payments, newest first" }),
}).meta({ id: "Payments" });
/** The answer of `GET /payments`. */
export type PaymentsAnswer = z.infer<typeof PaymentsAnswer>;
