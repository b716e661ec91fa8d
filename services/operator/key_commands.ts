/** Operator commands for API keys. */
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
import { shortened } from "../platform/quoted_text.ts";

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
