/** The statements and parameters of one-time messages. */
import type { ActionName, ActionParams } from "./account_schema.ts";
import { describeLimits, limitParams } from "./key_limits.ts";
import type { KeyLimitsBody } from "./key_limits_schema.ts";

/** The parameters of any action. */
type Params = Readonly<Record<string, string | number | KeyLimitsBody>>;

/** The stored data of a one-time message. */
export interface Challenge {
  /** Lower-case. */
  readonly address: string;
  readonly action: ActionName;
  readonly params: Params;
  /** Epoch ms. */
  readonly issuedAt: number;
  /** Epoch ms. */
  readonly expiresAt: number;
}

type Statements = {
  readonly [Name in ActionName]: (params: ActionParams<Name>) => string;
};

/** EIP-4361 limits a statement to printable ASCII without quotation marks and line breaks. */
const STATEMENTS: Statements = {
  "session": () => "Sign in to Firn. This costs nothing and sends nothing.",
  "key.create": ({ keyName, kind, limits }) =>
    `Create the ${kind} API key '${keyName}' for this wallet. ${
      describeLimits(limits)
    }`.trimEnd(),
  "key.limit": ({ keyId, limits }) =>
    `Change the limits of the API key ${keyId}. ${
      describeLimits(limits) || "No limits."
    }`,
  "key.revoke": ({ keyId }) =>
    `Revoke the API key ${keyId}. It stops working at once.`,
  "key.rotate": ({ keyId, graceSeconds }) =>
    `Replace the API key ${keyId}. It stops working ` +
    `${graceSeconds === 0 ? "at once" : `in ${graceSeconds} seconds`}.`,
};

/** Returns the statement that the wallet's owner reads before signing. */
export function statementOf({ action, params }: Challenge): string {
  const state = STATEMENTS[action] as (params: Params) => string;
  return state(params);
}

/** Serialises an action with its parameters, independent of their order. Limits that do not apply are left out. */
export function bindingOf(action: ActionName, params: Params): string {
  const sorted = Object.entries(params)
    .flatMap(([name, value]) =>
      typeof value === "object" ? limitParams(value) : [[name, String(value)]]
    )
    .toSorted(([a = ""], [b = ""]) => a < b ? -1 : 1);
  return new URLSearchParams([["action", action], ...sorted]).toString();
}
