/** Dependencies of the payments capability. */
import type { PlatformDeps } from "../platform/deps.ts";
import type { TransferNode } from "./c_chain_transfers_client.ts";
import type { PlanName } from "./plans_schema.ts";
import type { paymentStore, planStore } from "./payments_store.ts";
import type { quoteStore } from "./quotes_store.ts";

/** Cold reads that are possible in a minute and a day. */
interface ColdReadRates {
  readonly perMinute: number;
  readonly perDay: number;
}

/** Cold reads that are possible, of all plans together and of one wallet. */
export interface Capacity extends ColdReadRates {
  readonly plans: (ColdReadRates & { readonly plan: PlanName })[];
}

/** Token and receiver of payments; addresses are lower-case. */
export interface PaymentTerms {
  /** The USDC contract. */
  readonly token: string;
  /** Receiver of payments; null if payments are disabled. */
  readonly treasury: string | null;
  /** The part of sold quotas that is taken to be cold reads: 0 to 1. */
  readonly coldReadShare: number;
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
  /** Returns the cold reads that the sources of histories allow. */
  readonly describeCapacity: () => Capacity;
  /** Reads the cold reads of a wallet in the day that ends now. */
  readonly readColdReads: (
    of: { readonly wallet: string; readonly plan: PlanName },
  ) => Promise<
    ColdReadRates & { readonly used: number; readonly left: number }
  >;
  /** Returns the slug of a wallet's profile; null if it has none. */
  readonly findSlug: (wallet: string) => Promise<string | null>;
  readonly store: PlatformDeps["store"] & PaymentsStores;
  readonly upstream: {
    /** All nodes that must agree on a transfer, the primary node first. */
    readonly transfers: readonly TransferNode[];
  };
}
