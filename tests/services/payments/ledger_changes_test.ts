/** Changes of a ledger: the used time, and what a reorganisation deducts. */
import { assertEquals } from "@std/assert";
import {
  appendEntry,
  type LedgerEntry,
  type PlanRecord,
  replaceEntry,
  replay,
} from "../../../services/payments/billing.ts";
import { UNIT_PERIOD } from "../../../services/payments/paid_time.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import { NOW, orderOf, pay } from "../../support/evm/orders.ts";

const DAY = BigInt(DAY_MS);
const USDC = 1_000_000n;
const BUILDER = 49n * USDC;
const at = (days: number) => NOW + days * DAY_MS;

const entry = (usdc: number, order: Parameters<typeof pay>[1] = null) =>
  ({ ...pay(usdc, order), transaction: null, revokedAt: null }) as LedgerEntry;

const recordOf = (ledger: readonly LedgerEntry[]): PlanRecord => ({
  entitlements: replay(ledger),
  entries: ledger.length,
  used: { value: 0n, until: NOW },
});

const revoke = (entry: LedgerEntry, revokedAt: number) =>
  ({ ...entry, revokedAt }) as LedgerEntry;

Deno.test("appendEntry() numbers the entry, and counts the time that was used before it", () => {
  const ledger = [entry(49, orderOf("builder"))];
  const record = recordOf(ledger);
  const more = { ...entry(1), at: at(10) };
  const { changed, record: next } = appendEntry(record, more);
  assertEquals([...changed], [[1, more]]);
  assertEquals(next.entries, 2);
  assertEquals(next.entitlements, replay([...ledger, more]));
  assertEquals(next.used, { value: 10n * DAY * BUILDER, until: at(10) });
  // Also if the clock was set back.
  for (const early of [NOW, at(-1)]) {
    const { record: next } = appendEntry(record, { ...more, at: early });
    assertEquals(next.used, record.used);
  }
});

Deno.test("replaceEntry() leaves a wallet what it still paid for, less what it used", () => {
  const ledger = [entry(49, orderOf("builder")), entry(49, orderOf("builder"))];
  const record = recordOf(ledger);
  const gone = revoke(ledger[1]!, at(3));
  const { changed, record: next } = replaceEntry(ledger, [1, gone], {
    record,
    at: at(3),
  });
  assertEquals([...changed], [[1, gone]]);
  assertEquals(next.entries, 2);
  assertEquals(next.used, { value: 3n * DAY * BUILDER, until: at(3) });
  assertEquals(next.entitlements.times, [{
    plan: "builder",
    price: BUILDER,
    paidUntil: at(30),
  }]);
});

Deno.test("replaceEntry() deducts the time that was used of a payment that is gone", () => {
  const ledger = [entry(49, orderOf("builder")), entry(20)];
  const record = recordOf(ledger);
  assertEquals(record.entitlements.credit, 20n * USDC);
  const gone = revoke(ledger[0]!, at(6));
  const { changed, record: next } = replaceEntry(ledger, [0, gone], {
    record,
    at: at(6),
  });
  const value = 6n * DAY * BUILDER;
  assertEquals([...changed], [[0, gone], [2, {
    kind: "deduction",
    at: at(6),
    value,
    revokedAt: null,
  }]]);
  assertEquals([next.entries, next.used.value], [3, value]);
  assertEquals(next.entitlements.credit, 20n * USDC - value / UNIT_PERIOD);

  // The payment returns: the deduction is taken back.
  const now = [gone, ledger[1]!, changed.get(2)!];
  const back = revoke(gone, null as never);
  const again = replaceEntry(now, [0, back], { record: next, at: at(6) });
  assertEquals(again.changed.get(2), revoke(now[2]!, at(6)));
  assertEquals(again.changed.size, 2);
  assertEquals(again.record.entitlements.credit, 20n * USDC);
  assertEquals(again.record.entitlements.times[0]!.paidUntil, at(30));
});

Deno.test("replaceEntry() values a membership and names at their prices", () => {
  const ledger = [
    entry(49, orderOf("builder")),
    entry(1_000, orderOf("premium", { periods: 2 })),
    entry(1_000, orderOf("slug", { slug: "one" })),
    entry(1_000, orderOf("slug", { slug: "two" })),
  ];
  const record = recordOf(ledger);
  const { premiumMonths, slugs } = record.entitlements;
  assertEquals([premiumMonths, slugs.length], [2, 2]);
  const gone = revoke(ledger[0]!, at(1));
  const { record: next } = replaceEntry(ledger, [0, gone], {
    record,
    at: at(1),
  });
  const used = (DAY * BUILDER + UNIT_PERIOD - 1n) / UNIT_PERIOD;
  const { credit } = replay(ledger.slice(1));
  assertEquals(next.entitlements.credit, credit - used);
  assertEquals(next.entitlements.premiumMonths, 2);
});
