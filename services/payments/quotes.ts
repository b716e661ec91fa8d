/** Quotes: what a product costs a wallet now, and where to pay it. */
import type { QuoteAnswer, QuoteBody } from "./payments_schema.ts";
import { PRODUCTS } from "./products_schema.ts";
import type { PaymentsDeps, PaymentTerms } from "./deps.ts";
import {
  amountDue,
  apply,
  type Entitlements,
  NO_ENTITLEMENTS,
} from "./billing.ts";
import { Fault } from "../platform/fault.ts";
import { formatUsdc } from "./money.ts";
import { orderOf, QUOTE_MS } from "./open_quotes.ts";
import { limitWallet } from "../platform/rate_limit/wallet_limits.ts";

type QuoteDeps = Pick<
  PaymentsDeps,
  "chainId" | "findSlug" | "now" | "payment" | "store"
>;

/** Offers a product to a wallet, at an amount that holds for half an hour. */
export async function createQuote(
  deps: QuoteDeps,
  wallet: string,
  { product, periods, slug: name }: QuoteBody,
): Promise<QuoteAnswer> {
  await limitWallet(deps, "quote", wallet);
  const slug = name ?? null;
  const { token } = deps.payment;
  const payTo = requireTreasury(deps.payment);
  checkTerms({ product, periods, slug });
  const held = await deps.store.plans.find(wallet) ?? NO_ENTITLEMENTS;
  if (slug !== null) await checkSlugForSale(deps, wallet, { slug, held });
  const { price } = PRODUCTS[product];
  const createdAt = deps.now().getTime();
  const expiresAt = createdAt + QUOTE_MS;
  const terms = { product, periods, slug, price, expiresAt };
  // The unused days of a lower plan are worth least at the last moment.
  const order = orderOf(terms, { paidAt: expiresAt, now: expiresAt });
  const amount = amountDue(held, order);
  const quoteId = crypto.randomUUID();
  const quote = { id: quoteId, ...terms, amount, createdAt };
  await deps.store.quotes.add(wallet, quote);

  const paid = {
    kind: "payment",
    at: createdAt,
    amount,
    order,
    quoteId,
  } as const;
  const { from, until } = apply(held, paid).bought!;
  const transfer = amount === 0n
    ? { uri: null, transaction: null }
    : await writeTransfer({ token, payTo, amount, chainId: deps.chainId });
  const credit = price * BigInt(periods) - amount;
  return {
    quoteId,
    product,
    periods,
    payTo,
    token,
    chainId: deps.chainId,
    amount: String(amount),
    amountDisplay: formatUsdc(amount),
    credit: String(credit),
    creditDisplay: formatUsdc(credit),
    startsAt: new Date(from).toISOString(),
    endsAt: until === null ? null : new Date(until).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
    ...transfer,
  };
}

/** Writes a transfer as a link (EIP-681) and as a transaction, for a wallet to open or to send. */
async function writeTransfer(
  { token, payTo, amount, chainId }: {
    readonly token: string;
    readonly payTo: string;
    readonly amount: bigint;
    readonly chainId: number;
  },
): Promise<Pick<QuoteAnswer, "uri" | "transaction">> {
  const { encodeFunctionData, erc20Abi } = await import("viem");
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: "transfer",
    args: [payTo as `0x${string}`, amount],
  });
  return {
    uri:
      `ethereum:${token}@${chainId}/transfer?address=${payTo}&uint256=${amount}`,
    transaction: { to: token, data, value: "0x0" },
  };
}

/** Returns who is paid; throws a fault where nothing is sold. */
export function requireTreasury({ treasury }: PaymentTerms): string {
  if (treasury !== null) return treasury;
  throw new Fault(
    "Cannot take payments: this deployment has no treasury",
    { kind: "paymentsDisabled" },
  );
}

/** A name is bought with its name, once; nothing else has one. */
function checkTerms(
  { product, periods, slug }: {
    product: QuoteBody["product"];
    periods: number;
    slug: string | null;
  },
): void {
  const isName = PRODUCTS[product].kind === "slug";
  if (isName !== (slug !== null)) {
    throw new Fault(
      `Cannot offer ${product}: accepted is slug with the product slug, and only there`,
      { kind: "badInput", parameter: "slug" },
    );
  }
  if (isName && periods !== 1) {
    throw new Fault(`Cannot offer ${product}: accepted are periods of 1`, {
      kind: "badInput",
      parameter: "periods",
    });
  }
}

/** A name is sold to the profile that has it, once. */
async function checkSlugForSale(
  { findSlug }: Pick<PaymentsDeps, "findSlug">,
  wallet: string,
  { slug, held }: { slug: string; held: Entitlements },
): Promise<void> {
  if (held.slugs.includes(slug)) {
    throw new Fault(`Cannot offer "${slug}": it is paid for already`, {
      kind: "alreadyOwned",
    });
  }
  if (await findSlug(wallet) === slug) return;
  throw new Fault(
    `Cannot offer "${slug}": accepted is the slug of your own profile`,
    { kind: "badInput", parameter: "slug" },
  );
}
