/** One-time messages in words: what a wallet agrees to when it signs one. */
import type { ActionName, ActionParams } from "./account_schema.ts";

/** The parameters of any action. */
export type Params = Readonly<Record<string, string | number>>;

/** What is asked of a wallet: from this its message is written. */
export interface Challenge {
  /** Lower-case. */
  readonly address: string;
  readonly action: ActionName;
  readonly params: Params;
  /** Epoch ms. */
  readonly issuedAt: number;
  /** Epoch ms; from then on it is refused. */
  readonly expiresAt: number;
}

type Statements = {
  readonly [Name in ActionName]: (params: ActionParams<Name>) => string;
};

/** EIP-4361 allows a statement printable ASCII without quotation marks and line breaks. */
const STATEMENTS: Statements = {
  "session": () => "Sign in to Firn. This costs nothing and sends nothing.",
  "key.create": ({ keyName, kind }) =>
    `Create the ${kind} API key '${keyName}' for this wallet.`,
  "key.revoke": ({ keyId }) =>
    `Revoke the API key ${keyId}. It stops working at once.`,
  "key.rotate": ({ keyId, graceSeconds }) =>
    `Replace the API key ${keyId}. It stops working ` +
    `${graceSeconds === 0 ? "at once" : `in ${graceSeconds} seconds`}.`,
};

/** Returns what a wallet agrees to, in words for whoever owns it. */
export function statementOf({ action, params }: Challenge): string {
  const state = STATEMENTS[action] as (params: Params) => string;
  return state(params);
}

/** Returns an action with its parameters as one text: the same for the same, in any order. */
export function bindingOf(action: ActionName, params: Params): string {
  const sorted = Object.entries(params)
    .map(([name, value]) => [name, String(value)])
    .toSorted(([a = ""], [b = ""]) => a < b ? -1 : 1);
  return new URLSearchParams([["action", action], ...sorted]).toString();
}
