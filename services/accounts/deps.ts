/** Dependencies of accounts: keys, sessions, quota. */
import type { PaymentsDeps, PaymentsStores } from "../payments/payments.ts";
import type { Tracked } from "../platform/kv/reads.ts";
import type { apiKeyStore } from "./api_keys_store.ts";
import type { SignatureNode } from "./c_chain_signatures_client.ts";
import type { challengeStore } from "./challenges_store.ts";
import type { usageStore } from "./quota/usage_store.ts";
import type { CallLogOfProcess, callLogStore } from "./call_log_store.ts";
import type { sessionStore } from "./sessions_store.ts";

/** Collections of accounts. */
export interface AccountsStores {
  readonly apiKeys: ReturnType<typeof apiKeyStore>;
  readonly callLogs: ReturnType<typeof callLogStore>;
  readonly challenges: ReturnType<typeof challengeStore>;
  readonly sessions: ReturnType<typeof sessionStore>;
  readonly usage: ReturnType<typeof usageStore>;
}

/** Dependencies of accounts. */
export interface AccountsDeps extends PaymentsDeps {
  /** The calls of this process that wait to be written. */
  readonly callLog: CallLogOfProcess;
  readonly store:
    & PaymentsDeps["store"]
    & AccountsStores
    & Tracked<Pick<AccountsStores & PaymentsStores, "apiKeys" | "plans">>;
  readonly upstream: PaymentsDeps["upstream"] & {
    /** Nodes that must all accept the signature of a smart account. */
    readonly signatures: readonly SignatureNode[];
  };
}
