/**
 * The ledger of a wallet and the entitlements that follow from it, in base units of
 * USDC and milliseconds, and paid time on plans: consecutive spans and their value.
 * Bought time is rounded down to the millisecond, and the value of unused time to the
 * base unit. Nothing else is rounded, so a wallet never has more than it paid for.
 */
import {
  comparePlans,
  MAX_PERIODS,
  PERIOD_DAYS,
  type PlanName,
  type ProductName,
  type ProductRule,
  PRODUCTS,
} from "./plans_schema.ts";
import { DAY_MS } from "../platform/days.ts";

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
interface Deduction {
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
  /** The address that was paid, lower-case; absent in records of before it was kept. */
  readonly treasury?: string;
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

/** Everything a wallet has paid for. */
export interface Entitlements {
  /** Consecutive times, the highest plan first. */
  readonly times: readonly PaidTime[];
  /** Credit towards the next purchase, in base units. */
  readonly credit: bigint;
  /** Epoch ms; 0 if the wallet was never a member. */
  readonly premiumUntil: number;
  /** Months of membership paid for so far. */
  readonly premiumMonths: number;
  /** Profile names paid for. */
  readonly slugs: readonly string[];
  /** Ids of the quotes bought last. */
  readonly usedQuotes: readonly string[];
  /** When the entitlements last changed, epoch ms. */
  readonly changedAt: number;
}

/** Used quote ids kept per wallet: twice as many as quotes can be open. */
const MAX_USED_QUOTES = 40;

/** Entitlements of a wallet that never paid. */
export const NO_ENTITLEMENTS: Entitlements = {
  times: [],
  credit: 0n,
  premiumUntil: 0,
  premiumMonths: 0,
  slugs: [],
  usedQuotes: [],
  changedAt: 0,
};

/** The record of a wallet. */
export interface PlanRecord {
  readonly entitlements: Entitlements;
  /** Number of entries in the wallet's ledger. */
  readonly entries: number;
  readonly used: UsedTime;
}

/** The paid time that a wallet has used, whatever its ledger contained then. */
interface UsedTime {
  /** Exact value: base units times the milliseconds of a period. */
  readonly value: bigint;
  /** Epoch ms. */
  readonly until: number;
}

/** The record of a wallet that never paid. */
export const NO_PLAN: PlanRecord = {
  entitlements: NO_ENTITLEMENTS,
  entries: 0,
  used: { value: 0n, until: 0 },
};

/** A purchase. `from` and `until` are epoch ms; `until` is null if it does not end. */
interface Purchase {
  readonly product: ProductName;
  readonly periods: number;
  /**
   * Additional time, bought by paying more than the price of the periods. Negative
   * if time of a lower plan was used between the payment and its crediting.
   */
  readonly extraMs: number;
  readonly from: number;
  readonly until: number | null;
}

/** The result of applying a ledger event. */
export interface AppliedEvent {
  readonly entitlements: Entitlements;
  readonly bought: Purchase | null;
  /** Base units still missing from the price of the order. */
  readonly missing: bigint;
}

/** Returns what an order still costs in base units: its price minus credit and replaced time. */
export function amountDue(entitlements: Entitlements, order: Order): bigint {
  const due = priceOf(order) - entitlements.credit -
    valueOf(timeReplaced(entitlements, order));
  return due > 0n ? due : 0n;
}

/** Computes entitlements from all ledger events, oldest first. */
export function replay(events: readonly LedgerEvent[]): Entitlements {
  return events.reduce(
    (entitlements, event) => apply(entitlements, event).entitlements,
    NO_ENTITLEMENTS,
  );
}

/** Applies a ledger event to entitlements. */
export function apply(
  entitlements: Entitlements,
  event: LedgerEvent,
): AppliedEvent {
  // If the clock was set back, the same time must not count twice.
  const at = Math.max(event.at, entitlements.changedAt);
  if (event.kind !== "payment") {
    const changed = event.kind === "grant"
      ? applyGrant(entitlements, event, at)
      : applyDeduction(entitlements, event, at);
    return { entitlements: changed, bought: null, missing: 0n };
  }
  const { amount, order, quoteId } = event;
  const credit = entitlements.credit + amount;
  const held: Entitlements = { ...entitlements, credit, changedAt: at };
  // The ledger is replayed without a revoked payment, or with a restored one, so
  // another payment may have bought the same thing before this one.
  const isBought = order !== null &&
    (entitlements.slugs.includes(order.slug ?? "") ||
      entitlements.usedQuotes.includes(quoteId ?? ""));
  if (order === null || isBought) {
    return { entitlements: held, bought: null, missing: 0n };
  }
  const due = amountDue(entitlements, order);
  if (due > amount) {
    return { entitlements: held, bought: null, missing: due - amount };
  }
  const usedQuotes = quoteId === null
    ? held.usedQuotes
    : [...held.usedQuotes, quoteId].slice(-MAX_USED_QUOTES);
  const buy = PURCHASES[PRODUCTS[order.product].kind];
  const bought = buy({ ...held, usedQuotes }, order, entitlements);
  return bought === null
    ? { entitlements: held, bought: null, missing: priceOf(order) - credit }
    : { ...bought, missing: 0n };
}

/** Buys the product of an order with the wallet's credit; null if time used since the quote leaves too little. */
type Buy = (
  held: Entitlements,
  order: Order,
  /** The entitlements without the payment. */
  before: Entitlements,
) => Pick<AppliedEvent, "entitlements" | "bought"> | null;

const PURCHASES: Record<ProductRule["kind"], Buy> = {
  plan(held, order, before) {
    const plan = order.product as PlanName;
    const { price, periods, product } = order;
    const { changedAt } = held;
    const running = spansFrom(held.times, changedAt);
    // The quote values unused time no later than at its expiry. Time that was used
    // since then has to be paid for, so it shortens the purchase.
    const valued = timeReplaced(before, order);
    const replaced = running.filter((span) =>
      valued.length > 0 && isReplaced(span, plan)
    );
    const { credit, extra } = splitSurplus({
      surplus: exactValueOf(replaced) +
        (held.credit - priceOf(order)) * UNIT_PERIOD,
      credit: before.credit + valueOf(valued) - priceOf(order),
      most: price * BigInt(MAX_PERIODS),
    });
    const extraMs = timeFor(extra, price);
    const added = { plan, price, ms: periods * PERIOD_MS + extraMs };
    if (added.ms <= 0) return null;

    const kept = running.filter((span) => !replaced.includes(span));
    const isAhead = (span: Span) => comparePlans(span.plan, plan) >= 0;
    const ahead = kept.filter(isAhead);
    const behind = kept.filter((span) => !isAhead(span));
    const times = placeSpans([...ahead, added, ...behind], changedAt);
    const from = ahead.reduce((at, { ms }) => at + ms, changedAt);
    const until = from + added.ms;
    return {
      entitlements: { ...held, credit, times },
      bought: { product, periods, extraMs, from, until },
    };
  },

  premium(held, order) {
    const { product, periods } = order;
    const from = Math.max(held.premiumUntil, held.changedAt);
    const until = from + periods * PERIOD_MS;
    const credit = held.credit - priceOf(order);
    const premiumMonths = held.premiumMonths + periods;
    return {
      entitlements: { ...held, credit, premiumMonths, premiumUntil: until },
      bought: { product, periods, extraMs: 0, from, until },
    };
  },

  slug(held, order) {
    const { product, periods, slug } = order;
    const slugs = slug === null ? held.slugs : [...held.slugs, slug];
    const from = held.changedAt;
    return {
      entitlements: { ...held, credit: held.credit - priceOf(order), slugs },
      bought: { product, periods, extraMs: 0, from, until: null },
    };
  },
};

/**
 * Splits what is left after the price of a plan into extra time, as an exact
 * value, and credit in base units. Credit that the wallet had stays credit. Extra
 * time below zero is first taken from credit. Less than one base unit is dropped.
 */
function splitSurplus(
  { surplus, credit: before, most }: {
    /** Everything that is left, as an exact value. */
    readonly surplus: bigint;
    /** Credit without the payment, after the price; negative if it does not suffice. */
    readonly credit: bigint;
    /** Maximum value of extra time in base units. */
    readonly most: bigint;
  },
): { readonly credit: bigint; readonly extra: bigint } {
  const kept = before > 0n ? before : 0n;
  const extra = surplus - kept * UNIT_PERIOD;
  if (extra > most * UNIT_PERIOD) {
    const credit = surplus / UNIT_PERIOD - most;
    return { credit, extra: most * UNIT_PERIOD };
  }
  if (extra >= 0n) {
    return { credit: kept, extra: extra < UNIT_PERIOD ? 0n : extra };
  }
  const lacking = (-extra + UNIT_PERIOD - 1n) / UNIT_PERIOD;
  const taken = lacking < kept ? lacking : kept;
  return { credit: kept - taken, extra: extra + taken * UNIT_PERIOD };
}

/** Puts a wallet on a plan. Paid time that the grant replaces becomes credit. */
function applyGrant(
  held: Entitlements,
  { plan, paidUntil }: Grant,
  changedAt: number,
): Entitlements {
  return {
    ...held,
    changedAt,
    credit: held.credit + valueOf(spansFrom(held.times, changedAt)),
    times: plan === "free" ? [] : [{ plan, paidUntil, price: 0n }],
  };
}

/** Takes a value from credit, then from the latest paid time. Rounds against the wallet. */
function applyDeduction(
  held: Entitlements,
  { value }: Deduction,
  changedAt: number,
): Entitlements {
  const units = (value + UNIT_PERIOD - 1n) / UNIT_PERIOD;
  const taken = units < held.credit ? units : held.credit;
  const time = value - taken * UNIT_PERIOD;
  const spans = shortenSpans(spansFrom(held.times, changedAt), time);
  return {
    ...held,
    changedAt,
    credit: held.credit - taken,
    times: placeSpans(spans, changedAt),
  };
}

/**
 * Returns the time that becomes credit when an order is bought. A higher plan
 * than the current one replaces all lower ones. Any other plan is placed before
 * or after them.
 */
function timeReplaced(entitlements: Entitlements, order: Order): Span[] {
  const { product, periods, valuedAt } = order;
  if (PRODUCTS[product].kind !== "plan" || periods === 0) return [];
  const plan = product as PlanName;
  // `times` is valid only since the last change.
  const spans = spansFrom(
    entitlements.times,
    Math.max(valuedAt, entitlements.changedAt),
  );
  const [running] = spans;
  const isUpgrade = running !== undefined &&
    comparePlans(running.plan, plan) < 0;
  return isUpgrade ? spans.filter((span) => isReplaced(span, plan)) : [];
}

/** Granted time has no price, so it is kept and continues afterwards. */
function isReplaced(span: Span, plan: PlanName): boolean {
  return span.price > 0n && comparePlans(span.plan, plan) < 0;
}

function priceOf({ price, periods }: Order): bigint {
  return price * BigInt(periods);
}

/** A change of a ledger, with the record that follows from the whole ledger. */
export interface LedgerChange {
  /** The entries that are new or changed, by number. */
  readonly changed: ReadonlyMap<number, LedgerEntry>;
  readonly record: PlanRecord;
}

/** Appends an entry to the ledger of a record. */
export function appendEntry(
  record: PlanRecord,
  entry: LedgerEntry,
): LedgerChange & Pick<AppliedEvent, "bought" | "missing"> {
  const { entries } = record;
  const { entitlements, bought, missing } = apply(record.entitlements, entry);
  const used = usedUntil(record, entitlements.changedAt);
  return {
    bought,
    missing,
    changed: new Map([[entries, entry]]),
    record: { entitlements, entries: entries + 1, used },
  };
}

/**
 * Replaces an entry of a ledger at an instant, and computes the entitlements again.
 * Paid time that was used since then may be missing in the changed ledger: the same
 * payments can buy other times in another order. Its value is deducted, so that a
 * payment that leaves the chain and returns never gives time twice.
 */
export function replaceEntry(
  ledger: readonly LedgerEntry[],
  [number, entry]: readonly [number: number, entry: LedgerEntry],
  { record, at }: { readonly record: PlanRecord; readonly at: number },
): LedgerChange {
  const changed = new Map([[number, entry]]);
  for (const [nth, other] of ledger.entries()) {
    if (other.kind !== "deduction" || !isCounted(other)) continue;
    changed.set(nth, { ...other, revokedAt: at });
  }
  const counted = ledger.map((other, nth) => changed.get(nth) ?? other)
    .filter(isCounted);
  const used = usedUntil(record, at);
  const paid = counted.reduce(
    (sum, each) => sum + (each.kind === "payment" ? each.amount : 0n),
    0n,
  );
  const replayed = replay(counted);
  const excess = worthAt(replayed, at) - (paid * UNIT_PERIOD - used.value);
  if (excess <= 0n) {
    const { entries } = record;
    return { changed, record: { entitlements: replayed, entries, used } };
  }
  const deduction = {
    kind: "deduction",
    at,
    value: excess,
    revokedAt: null,
  } as const;
  changed.set(ledger.length, deduction);
  const { entitlements } = apply(replayed, deduction);
  const entries = ledger.length + 1;
  return { changed, record: { entitlements, entries, used } };
}

/** Returns the exact value of all that a wallet has at an instant: paid time, credit, membership and names. */
function worthAt(
  { times, credit, premiumMonths, slugs }: Entitlements,
  at: number,
): bigint {
  const lasting = credit + BigInt(premiumMonths) * PRODUCTS.premium.price +
    BigInt(slugs.length) * PRODUCTS.slug.price;
  return exactValueOf(spansFrom(times, at)) + lasting * UNIT_PERIOD;
}

/** Returns the paid time that a wallet has used up to an instant. */
function usedUntil(
  { entitlements: { times }, used }: PlanRecord,
  at: number,
): UsedTime {
  if (at <= used.until) return used;
  const passed = exactValueOf(spansFrom(times, used.until)) -
    exactValueOf(spansFrom(times, at));
  return { value: used.value + passed, until: at };
}

/** Length of one paid period in milliseconds. */
const PERIOD_MS = PERIOD_DAYS * DAY_MS;

/** Time on a plan, up to an instant. */
export interface PaidTime {
  readonly plan: PlanName;
  /** Epoch ms. */
  readonly paidUntil: number;
  /** Price of 30 days in base units; 0 for granted time. */
  readonly price: bigint;
}

/** An amount of time on a plan, not yet placed on the calendar. */
export interface Span {
  readonly plan: PlanName;
  readonly price: bigint;
  readonly ms: number;
}

/** Returns the time in force at an instant; null on the free plan. */
export function timeAt(
  times: readonly PaidTime[],
  now: number,
): PaidTime | null {
  return times.find(({ paidUntil }) => paidUntil > now) ?? null;
}

/** Returns the spans that remain at an instant. */
export function spansFrom(times: readonly PaidTime[], at: number): Span[] {
  let from = at;
  return times.filter(({ paidUntil }) => paidUntil > at)
    .map(({ plan, price, paidUntil }) => {
      const ms = paidUntil - from;
      from = paidUntil;
      return { plan, price, ms };
    });
}

/** Places spans one after the other from an instant. Equal neighbours are merged. */
export function placeSpans(spans: readonly Span[], at: number): PaidTime[] {
  const times: PaidTime[] = [];
  let paidUntil = at;
  for (const { plan, price, ms } of spans) {
    paidUntil += ms;
    const last = times.at(-1);
    if (last?.plan === plan && last.price === price) times.pop();
    times.push({ plan, price, paidUntil });
  }
  return times;
}

/** Returns spans without time of an exact value, taken from the last ones, rounded up. */
export function shortenSpans(spans: readonly Span[], value: bigint): Span[] {
  let left = value;
  return spans.toReversed().map((span) => {
    if (left <= 0n || span.price === 0n) return span;
    const lacking = (left + span.price - 1n) / span.price;
    const ms = Math.min(span.ms, Number(lacking));
    left -= BigInt(ms) * span.price;
    return { ...span, ms: span.ms - ms };
  }).filter(({ ms }) => ms > 0).toReversed();
}

/** One base unit for one period: the unit of exact values. */
export const UNIT_PERIOD = BigInt(PERIOD_MS);

/** Returns the total value of spans in base units times the milliseconds of a period, which is exact. */
export function exactValueOf(spans: readonly Span[]): bigint {
  return spans.reduce((sum, { ms, price }) => sum + BigInt(ms) * price, 0n);
}

/** Returns the total value of spans in base units, rounded down. */
function valueOf(spans: readonly Span[]): bigint {
  return exactValueOf(spans) / UNIT_PERIOD;
}

/** Returns the time in ms that an exact value buys at a price per period, rounded down, also below zero. */
export function timeFor(value: bigint, price: bigint): number {
  const ms = value / price;
  return Number(ms * price > value ? ms - 1n : ms);
}
