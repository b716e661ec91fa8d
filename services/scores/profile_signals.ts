/** What the service itself knows of addresses, without a question to anybody. */
import type { KeyedStores } from "./deps.ts";
import type { Profile, ProfilePurchases } from "../profiles/profile.ts";
import type { GraphSignals } from "./model/signals.ts";

/** The profile of an address, what it paid for, and its followers. */
export interface ProfileSignals {
  readonly profile: Profile | null;
  readonly purchases: ProfilePurchases | null;
  readonly graph: GraphSignals;
}

/** Reads what is stored of an address: as many keys with one follower as with many. */
export async function findProfileSignals(
  { store }: {
    readonly store: Pick<KeyedStores, "follows" | "plans" | "profiles">;
  },
  address: string,
): Promise<ProfileSignals> {
  const [profile, purchases, graph] = await Promise.all([
    store.profiles.find(address),
    store.plans.find(address),
    store.follows.findGraph(address),
  ]);
  return { profile, purchases, graph };
}
