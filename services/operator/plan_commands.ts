/** Operator commands for plans. */
import type { PaymentsDeps } from "../payments/deps.ts";
import { PERIOD_DAYS, PLAN_NAMES } from "../payments/plans_schema.ts";
import { DAY_MS } from "../platform/days.ts";
import { instant } from "../platform/instants.ts";
import {
  type Command,
  isAddress,
  print,
  readOptions,
  refuseWallet,
  usageError,
} from "./command.ts";

/** Grants a plan to a wallet. */
export const grantPlan: Command<PaymentsDeps> = {
  name: "plan grant",
  usage: "plan grant <wallet> <plan> [--days 30]",
  mayDryRun: true,
  description: `puts a wallet on a plan: ${PLAN_NAMES.join(", ")}`,
  async run({ now, store }, args) {
    const { positional, days = String(PERIOD_DAYS) } = readOptions(
      args,
      "days",
    );
    const [wallet, name] = positional;
    const plan = PLAN_NAMES.find((plan) => plan === name);
    if (!isAddress(wallet)) return refuseWallet(wallet);
    if (plan === undefined) {
      return usageError(
        `Invalid plan "${name ?? ""}": expected one of ${
          PLAN_NAMES.join(", ")
        }`,
      );
    }
    if (!/^[1-9]\d{0,3}$/.test(days)) {
      return usageError(
        `Invalid days "${days}": expected a whole number from 1 to 9999`,
      );
    }
    const at = now().getTime();
    const paidUntil = at + Number(days) * DAY_MS;
    const grant = { at, plan, paidUntil };
    await store.payments.grant(wallet.toLowerCase(), grant);
    // The free plan does not end.
    const end = plan === "free" ? "" : ` until ${instant(paidUntil)}`;
    print(`${plan}${end}`);
    return 0;
  },
};
