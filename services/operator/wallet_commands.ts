/** Operator commands for one wallet: its API keys, its plan and its score. */
import { KeyName } from "../accounts/account_schema.ts";
import type { AccountsDeps } from "../accounts/deps.ts";
import {
  createApiKey,
  MAX_WALLET_KEYS,
  revokeApiKey,
} from "../accounts/api_keys.ts";
import {
  type Command,
  isAddress,
  print,
  readOptions,
  refuseExtra,
  refuseWallet,
  usageError,
} from "./command.ts";
import { shortened } from "../platform/text.ts";
import type { PaymentsDeps } from "../payments/payments.ts";
import { PERIOD_DAYS, PLAN_NAMES } from "../payments/plans_schema.ts";
import { DAY_MS } from "../platform/days.ts";
import { instant } from "../platform/clock.ts";
import { modelsAt } from "../model/model.ts";
import { findScore, type ScoresDeps } from "../scores/scores.ts";

/** Creates a key for a wallet. */
export const createKey: Command<AccountsDeps> = {
  name: "key create",
  usage: "key create <wallet> [--name N] [--test]",
  description:
    "creates an API key and prints it once, alone on the last line; a test key\n" +
    "      works for the published test addresses only, and costs nothing",
  async run(deps, args) {
    const kind = args.includes("--test") ? "test" : "live";
    const { positional: [wallet, extra], name = "operator" } = readOptions(
      args.filter((arg) => arg !== "--test"),
      "name",
    );
    if (!isAddress(wallet)) return refuseWallet(wallet);
    if (extra !== undefined) return refuseExtra(extra, createKey.usage);
    const { error } = KeyName.safeParse(name);
    if (error) {
      const { message } = error.issues[0]!;
      return usageError(
        `Invalid name "${shortened(name)}": expected ${message}`,
      );
    }
    const owner = wallet.toLowerCase();
    const created = await createApiKey(deps, { wallet: owner, name, kind });
    if (created === null) {
      return usageError(
        `Cannot create a key: ${owner} has ${MAX_WALLET_KEYS} keys, the maximum`,
      );
    }
    print(`id ${created.id}\n${created.key}`);
    return 0;
  },
};

/** Lists the keys of a wallet. */
export const listKeys: Command<AccountsDeps> = {
  name: "key list",
  usage: "key list <wallet>",
  description: "lists the working keys of a wallet, oldest first: id, first\n" +
    "      characters, day of creation, name",
  async run({ now, store }, [wallet, extra]) {
    if (!isAddress(wallet)) return refuseWallet(wallet);
    if (extra !== undefined) return refuseExtra(extra, listKeys.usage);
    const keys = await store.apiKeys.list(
      wallet.toLowerCase(),
      now().getTime(),
    );
    for (
      const { id, prefix, createdAt, name } of keys
        .toSorted((a, b) => a.createdAt - b.createdAt)
    ) {
      const day = new Date(createdAt).toISOString().slice(0, 10);
      print(`${id}  ${prefix}…  ${day}  ${name}`);
    }
    print(keys.length === 1 ? "1 key" : `${keys.length} keys`);
    return 0;
  },
};

/** Revokes a key. */
export const revokeKey: Command<AccountsDeps> = {
  name: "key revoke",
  usage: "key revoke <id>",
  mayDryRun: true,
  description: "revokes an API key; its next request is refused",
  async run(deps, [id, extra]) {
    if (!id) return usageError("Missing argument: expected the id of a key");
    if (extra !== undefined) return refuseExtra(extra, revokeKey.usage);
    const revoked = await revokeApiKey(deps, id);
    print(revoked ? "revoked" : `no key has the id "${id}"`);
    return revoked ? 0 : 1;
  },
};

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

/** Prints the score of an address from its stored signals, by a model. */
export const scoreAddress: Command<ScoresDeps> = {
  name: "score",
  usage: "score <address> [--model <id>]",
  description:
    "prints the score of an address from its stored signals, also by another model",
  readsSnapshot: true,
  async run(deps, args) {
    const { positional: [address], model: id } = readOptions(args, "model");
    if (!isAddress(address)) return refuseWallet(address);
    const model = id === undefined
      ? modelsAt(deps.now().getTime(), deps.modelSchedule).current
      : deps.modelSchedule.find(({ model }) => model.id === id)?.model;
    if (model === undefined) {
      const ids = deps.modelSchedule.map(({ model }) => model.id);
      return usageError(
        `Invalid model "${id}": expected one of ${ids.join(", ")}`,
      );
    }
    const found = await findScore(deps, address.toLowerCase(), model);
    if (found === null) {
      print(
        `no signals of ${address} are stored, and this command reads no source: the service reads them when it scores the address, for example with ${deps.publicUrl}/tools/score/${address}`,
      );
      return 1;
    }
    print(JSON.stringify(found.read, null, 2));
    return 0;
  },
};
