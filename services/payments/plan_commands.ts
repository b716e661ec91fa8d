/** Operator commands for plans. */
import type { PaymentsDeps } from "./deps.ts";
import { PERIOD_DAYS, PLAN_NAMES } from "./plans_schema.ts";
import { DAY_MS } from "../platform/days.ts";
import {
  type Command,
  isAddress,
  print,
  readOptions,
  refuseWallet,
  usageError,
} from "../platform/operator/command.ts";

/** Grants a plan to a wallet. */
export const grantPlan: Command<PaymentsDeps> = {
  name: "plan grant",
  usage: "plan grant <wallet> <plan> [--days 30]",
  description: `puts a wallet on a plan: ${PLAN_NAMES.join(", ")}`,
  async run({ now, store }, args) {
    const { positional, days = String(PERIOD_DAYS) } = readOptions(
      args,
      "days",
    );
    const [wallet, name] = positional;
    const plan = PLAN_NAMES.find((plan) => plan === name);
    if (!isAddress(wallet)) return refuseWallet(wallet);
    if (plan === undefined || !/^[1-9]\d{0,3}$/.test(days)) {
      return usageError(
        `Invalid plan "${name ?? ""}" or days "${days}": ` +
          `expected one of ${PLAN_NAMES.join(", ")}, and 1 to 9999 days`,
      );
    }
    const at = now().getTime();
    const paidUntil = at + Number(days) * DAY_MS;
    const grant = { at, plan, paidUntil };
    await store.payments.grant(wallet.toLowerCase(), grant);
    print(`${plan} until ${new Date(paidUntil).toISOString()}`);
    return 0;
  },
};
