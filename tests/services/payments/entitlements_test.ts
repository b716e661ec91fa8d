/** What an owner sees of plans, credit and Premium at an instant. */
import { assertEquals } from "@std/assert";
import {
  type Entitlements,
  NO_ENTITLEMENTS,
} from "../../../services/payments/billing.ts";
import {
  describeEntitlements,
  readEntitlements,
  readPayments,
} from "../../../services/payments/entitlements.ts";
import type { EntitlementsAnswer } from "../../../services/payments/payments_schema.ts";
import { testDeps } from "../../support/deps.ts";

const isoOf = (ms: number) => new Date(ms).toISOString();

const FREE: EntitlementsAnswer = {
  plan: "free",
  planLabel: "Free",
  paidUntil: null,
  next: [],
  credit: "0",
  creditDisplay: "0.00",
  premiumUntil: null,
  premiumMonths: 0,
  slugs: [],
};

Deno.test("a wallet that never paid is on the free plan", async () => {
  using deps = await testDeps();
  assertEquals(await readEntitlements(deps, "0xa"), FREE);
  assertEquals(await readPayments(deps, "0xa"), { ...FREE, payments: [] });
});

Deno.test("describeEntitlements() says which plan runs until when, what follows it, and what has ended", async (t) => {
  const now = Date.parse("2026-11-21T08:00:00Z");
  const times: Entitlements["times"] = [
    { plan: "scale", price: 1n, paidUntil: now },
    { plan: "growth", price: 1n, paidUntil: now + 10 },
    { plan: "builder", price: 1n, paidUntil: now + 20 },
  ];
  const held: Entitlements = {
    ...NO_ENTITLEMENTS,
    credit: 1_500_000n,
    premiumUntil: now + 10,
    premiumMonths: 2,
    slugs: ["ada"],
    times,
  };
  const growth = { plan: "growth", planLabel: "Growth" } as const;
  const builder = { plan: "builder", planLabel: "Builder" } as const;
  const next = [{ ...builder, paidUntil: isoOf(now + 20) }];
  const rest = {
    credit: "1500000",
    creditDisplay: "1.50",
    premiumMonths: 2,
    slugs: ["ada"],
  };
  const premium = { premiumUntil: isoOf(now + 10) };
  const ended = { premiumUntil: null };
  const cases = [
    ["now", 0, { ...growth, paidUntil: isoOf(now + 10), next, ...premium }],
    ["just before the change", 9, {
      ...growth,
      paidUntil: isoOf(now + 10),
      next,
      ...premium,
    }],
    ["at the change", 10, {
      ...builder,
      paidUntil: isoOf(now + 20),
      next: [],
      ...ended,
    }],
    ["at the end", 20, {
      plan: "free",
      planLabel: "Free",
      paidUntil: null,
      next: [],
      ...ended,
    }],
  ] as const;
  for (const [name, afterMs, expected] of cases) {
    await t.step(name, () => {
      assertEquals(describeEntitlements(held, now + afterMs), {
        ...rest,
        ...expected,
        next: [...expected.next],
      });
    });
  }
});
