/** Exporting a profile, and deleting it. */
import type { DeletedProfile, ProfileExport } from "./profiles_schema.ts";
import type { ProfilesDeps } from "./deps.ts";
import { Fault } from "../platform/fault.ts";
import { formatUsdc } from "../payments/money.ts";
import { instant } from "../platform/instants.ts";
import { reweighFollower } from "./follows/follows.ts";
import { readOwnProfile, unknownProfile } from "./profiles.ts";

/** Pages of follows that the request of a deletion removes; a job removes the others. */
const PAGES_AT_ONCE = 4;

/** Addresses read at a time. */
const PAGE = 500;

/** Reads the profile of a wallet, its follows, and the donations that later ones are compared with. */
export async function exportProfile(
  deps: Pick<ProfilesDeps, "findFirstTxAt" | "now" | "store">,
  wallet: string,
): Promise<ProfileExport> {
  const { follows, donations } = deps.store;
  const [profile, followers, following, { given, received }] = await Promise
    .all([
      readOwnProfile(deps, wallet),
      readAll((page) => follows.listFollowers(wallet, page), (one) => one),
      readAll(
        (page) => follows.listFollowees(wallet, page),
        ({ address }) => address,
      ),
      donations.findFlows(wallet),
    ]);
  return {
    exportedAt: instant(deps.now().getTime()),
    profile,
    following: following.map(({ address, edge }) => ({
      address,
      since: instant(edge.at),
    })),
    followers,
    donations: {
      given: given.map(({ at, to, amount }) => ({
        at: instant(at),
        to,
        usdc: formatUsdc(amount),
      })),
      received: received.map(({ at, amount }) => ({
        at: instant(at),
        usdc: formatUsdc(amount),
      })),
    },
  };
}

/** Reads all pages of a list. */
async function readAll<Item>(
  readPage: (
    page: { readonly after: string | null; readonly limit: number },
  ) => Promise<Item[]>,
  addressOf: (item: Item) => string,
): Promise<Item[]> {
  const all: Item[] = [];
  for (let after: string | null = null;;) {
    const page: Item[] = await readPage({ after, limit: PAGE });
    for (const item of page) all.push(item);
    if (page.length < PAGE) return all;
    after = addressOf(page.at(-1)!);
  }
}

/**
 * Deletes the profile of a wallet in one transaction. Its follows are removed
 * afterwards, page by page; if that is interrupted, a job goes on. Throws a fault
 * if the wallet has no profile.
 */
export async function deleteProfile(
  deps: Pick<ProfilesDeps, "now" | "store">,
  wallet: string,
  { requestId }: { readonly requestId: string },
): Promise<DeletedProfile> {
  const { follows, pendingWeightUpdates, profiles } = deps.store;
  const at = deps.now().getTime();
  if (!await profiles.delete(wallet, { at, requestId })) throw unknownProfile();
  let pending = await pendingWeightUpdates.find(wallet);
  for (let page = 0; pending !== null && page < PAGES_AT_ONCE; page++) {
    const removed = await removePage(deps, pending);
    pending = removed;
  }
  const { following, isLeaving } = await follows.find(wallet);
  return { address: wallet, remainingFollows: isLeaving ? following : 0 };
}

/** Removes a page of follows. Returns what is left, or null if the job has to go on. */
async function removePage(
  deps: Pick<ProfilesDeps, "store">,
  pending: Parameters<typeof reweighFollower>[1],
): Promise<typeof pending | null> {
  try {
    return (await reweighFollower(deps, pending)).left;
  } catch (error) {
    // The profile is deleted whether or not others change its follows meanwhile.
    if (error instanceof Fault && error.failure.kind === "contended") {
      return null;
    }
    throw error;
  }
}
