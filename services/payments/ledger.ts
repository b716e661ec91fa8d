/** What a wallet's ledger records. */
import type { PlanName } from "./plans_schema.ts";
import type { ProductName } from "./products_schema.ts";

/** What a payment is for. */
export interface Order {
  readonly product: ProductName;
  /** Periods wanted; 0 where a plan is extended by as much as was paid. */
  readonly periods: number;
  /** Base units of one period. */
  readonly price: bigint;
  /** The instant at which the unused time of a lower plan is valued, epoch ms. */
  readonly valuedAt: number;
  /** The profile name, where one is bought. */
  readonly slug: string | null;
}

/** An amount that arrived, and what it is for; null makes it credit. */
export interface Payment {
  readonly kind: "payment";
  /** Epoch ms; what is bought begins here. */
  readonly at: number;
  /** Base units. */
  readonly amount: bigint;
  readonly order: Order | null;
  /** The quote that the order comes from, where one does. */
  readonly quoteId: string | null;
}

/** What money is for. */
export type Purpose = Pick<Payment, "order" | "quoteId">;

/** A plan given by the operator in place of whatever ran. */
export interface Grant {
  readonly kind: "grant";
  readonly at: number;
  readonly plan: PlanName;
  readonly paidUntil: number;
}

/** What changes a wallet's entitlements. */
export type LedgerEvent = Payment | Grant;

/** What a wallet paid in one transaction: all its transfers together. */
export interface PaidTransaction {
  readonly txHash: string;
  readonly logIndexes: readonly number[];
  readonly blockNumber: number;
  readonly blockHash: string;
  /** The time of the block, epoch ms. */
  readonly paidAt: number;
}

/** A payment in a ledger. */
export interface PaymentEntry extends Payment {
  /** Null where credit alone paid. */
  readonly transaction: PaidTransaction | null;
  /** When it was taken back, epoch ms: its block had left the chain. */
  readonly revokedAt: number | null;
}

/** A line of a ledger. */
export type LedgerEntry = PaymentEntry | Grant;
