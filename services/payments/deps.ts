/** Dependencies of the payments capability. */
import type { PlatformDeps } from "../platform/deps.ts";
import type { TransferNode } from "./c_chain_transfers_client.ts";
import type { paymentStore } from "./payments_store.ts";
import type { planStore } from "./plans_store.ts";
import type { quoteStore } from "./quotes_store.ts";

/** Token and receiver of payments; addresses are lower-case. */
export interface PaymentTerms {
  /** The USDC contract. */
  readonly token: string;
  /** Receiver of payments; null if payments are disabled. */
  readonly treasury: string | null;
}

/** Stores of payments. */
export interface PaymentsStores {
  readonly payments: ReturnType<typeof paymentStore>;
  readonly plans: ReturnType<typeof planStore>;
  readonly quotes: ReturnType<typeof quoteStore>;
}

/** Dependencies of payments. */
export interface PaymentsDeps extends PlatformDeps {
  readonly payment: PaymentTerms;
  /** Returns the slug of a wallet's profile; null if it has none. */
  readonly findSlug: (wallet: string) => Promise<string | null>;
  readonly store: PlatformDeps["store"] & PaymentsStores;
  readonly upstream: {
    /** All nodes that must agree on a transfer, the primary node first. */
    readonly transfers: readonly TransferNode[];
  };
}
