/** Orders and payments for tests of the ledger. */
import {
  type ProductName,
  PRODUCTS,
} from "../../../services/payments/plans_schema.ts";
import type { Order, Payment } from "../../../services/payments/billing.ts";
import { START } from "../deps.ts";

/** The default instant of orders. */
export const NOW = Date.parse(START);

/** An order at the current price. */
export function orderOf(
  product: ProductName,
  { periods = 1, at = NOW, slug = product === "slug" ? "firn" : null }: {
    periods?: number;
    at?: number;
    slug?: string | null;
  } = {},
): Order {
  return {
    product,
    periods,
    slug,
    price: PRODUCTS[product].price,
    valuedAt: at,
  };
}

/** A payment of whole USDC for an order. */
export function pay(
  usdc: number,
  order: Order | null,
  at = order?.valuedAt ?? NOW,
): Payment {
  const amount = BigInt(Math.round(usdc * 1e6));
  return { kind: "payment", at, amount, order, quoteId: null };
}
