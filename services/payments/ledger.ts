/** Entries of a wallet's ledger. */
import type { PlanName, ProductName } from "./plans_schema.ts";

/** The purchase that a payment is for. */
export interface Order {
  readonly product: ProductName;
  /** Number of periods; 0 extends a plan by as much time as was paid for. */
  readonly periods: number;
  /** Price of one period in base units. */
  readonly price: bigint;
  /** When the unused time of a lower plan is valued, epoch ms. */
  readonly valuedAt: number;
  /** The profile name to buy, or null. */
  readonly slug: string | null;
}

/** A received amount and its purchase. Without an order it becomes credit. */
export interface Payment {
  readonly kind: "payment";
  /** Epoch ms. The purchase starts here. */
  readonly at: number;
  /** Base units. */
  readonly amount: bigint;
  readonly order: Order | null;
  /** The quote of the order, or null. */
  readonly quoteId: string | null;
}

/** What a payment buys. */
export type Purpose = Pick<Payment, "order" | "quoteId">;

/** A plan granted by the operator. It replaces the current plan. */
export interface Grant {
  readonly kind: "grant";
  readonly at: number;
  readonly plan: PlanName;
  readonly paidUntil: number;
}

/**
 * Takes back paid time that a wallet used before a reorganisation changed its ledger,
 * if the changed ledger does not contain that time.
 */
export interface Deduction {
  readonly kind: "deduction";
  readonly at: number;
  /** Exact value: base units times the milliseconds of a period. */
  readonly value: bigint;
  /** When the next reorganisation replaced it, epoch ms. */
  readonly revokedAt: number | null;
}

/** An event that changes a wallet's entitlements. */
export type LedgerEvent = Payment | Grant | Deduction;

/** One transaction that paid: all transfers of the wallet in it. */
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
  /** Null if the purchase was paid from credit only. */
  readonly transaction: PaidTransaction | null;
  /** When the payment was revoked because its block left the chain, epoch ms. */
  readonly revokedAt: number | null;
}

/** An entry of a ledger. */
export type LedgerEntry = PaymentEntry | Grant | Deduction;

/** Returns whether an entry counts: a revoked one does not. */
export function isCounted(entry: LedgerEntry): boolean {
  return entry.kind === "grant" || entry.revokedAt === null;
}
