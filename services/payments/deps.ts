/** Dependencies of payments. */
import type { PlatformDeps } from "../platform/deps.ts";
import type { TransferNode } from "./c_chain_transfers_client.ts";
import type { paymentStore } from "./payments_store.ts";
import type { planStore } from "./plans_store.ts";
import type { quoteStore } from "./quotes_store.ts";

/** The token and the receiver of payments; addresses are lower-case. */
export interface PaymentTerms {
  /** Contract address of USDC. */
  readonly token: string;
  /** Receiver of payments; null where plans are not for sale. */
  readonly treasury: string | null;
}

/** Collections of payments. */
export interface PaymentsStores {
  readonly payments: ReturnType<typeof paymentStore>;
  readonly plans: ReturnType<typeof planStore>;
  readonly quotes: ReturnType<typeof quoteStore>;
}

/** What payments use. */
export interface PaymentsDeps extends PlatformDeps {
  readonly payment: PaymentTerms;
  /** Returns the slug of a wallet's profile; null where it has none. */
  readonly findSlug: (wallet: string) => Promise<string | null>;
  readonly store: PlatformDeps["store"] & PaymentsStores;
  readonly upstream: {
    /** All nodes that have to agree on a transfer, the one in use first. */
    readonly transfers: readonly TransferNode[];
  };
}
