/** The current plan, its usage, and the plans that follow. */
import { byId, listFacts, make, showUsdc, timeOf } from "./elements.js";

/** @import { AccountAnswer } from "../../services/accounts/account_schema.ts" */
/** @import { Fact } from "./elements.js" */
/** @import { PaymentsAnswer } from "../../services/payments/payments_schema.ts" */

/**
 * Shows the plan.
 * @param {AccountAnswer} account
 * @param {PaymentsAnswer} payments
 */
export function showPlan(
  { planLabel, paidUntil, usage, coldReads },
  payments,
) {
  byId("plan-name").textContent = planLabel;
  byId("plan-until").replaceChildren(
    ...paidUntil ? ["until ", timeOf(paidUntil)] : ["no end date"],
  );
  const { used, limit, resetAt } = usage;
  const meter = byId("used", HTMLMeterElement);
  meter.max = limit;
  meter.high = limit * 0.9;
  meter.optimum = 0;
  meter.value = used;
  byId("used-text").replaceChildren(
    `${count(used)} of ${count(limit)} units used in any 30 days`,
    ...used > 0 ? ["; the next units become available ", timeOf(resetAt)] : [],
  );
  const { next, creditDisplay, premiumUntil, slugs } = payments;
  /** @type {Fact[]} */
  const facts = next.map(({ planLabel, paidUntil }) => [
    "Next plan",
    make("span", {}, [`${planLabel} until `, timeOf(paidUntil)]),
  ]);
  facts.push(["Credit", showUsdc(creditDisplay)]);
  const { perMinute, perDay, used: made, left } = coldReads;
  const areShort = left < perDay - made;
  facts.push([
    "New addresses in 24 hours",
    make("span", {}, [
      `${count(made)} of ${count(perDay)}, ${count(left)} left`,
      ...areShort ? [" because others read new addresses, too"] : [],
      `, at most ${count(perMinute)} a minute; `,
      make("a", { href: "/status" }, ["all wallets"]),
    ]),
  ]);
  if (premiumUntil) facts.push(["Premium until", timeOf(premiumUntil)]);
  if (slugs.length > 0) facts.push(["Profile names", slugs.join(", ")]);
  byId("plan-facts").replaceChildren(...listFacts(facts));
}

/** @param {number} number */
function count(number) {
  return number.toLocaleString("en");
}
