/**
 * Cohorts: wallets that one address funded, or that swept to one address. A
 * wallet counts less if others of its cohort did the same things earlier.
 */
import { ledShare } from "../../model/behavior.ts";
import { DAY_MS } from "../../platform/days.ts";
import { maxOf, minOf } from "../../platform/extremes.ts";

/** A scored wallet of a cohort. */
export interface Member {
  readonly address: string;
  /** When it was funded, epoch ms. */
  readonly fundedAt: number;
  /** What it did; see `behaviorOf`. */
  readonly behavior: Uint32Array<ArrayBuffer>;
}

/** A stored cohort: the members that were scored last. */
export interface Cohort {
  readonly members: readonly Member[];
}

/** Members that are kept. A cohort stays below 20 KiB. */
export const MAX_MEMBERS = 48;

/**
 * Only wallets that were funded within this time of each other count: nobody
 * can add such wallets afterwards.
 */
const WINDOW_MS = 30 * DAY_MS;

/** Below `from` another wallet does not count, from `from` + `width` on it counts fully. */
const ALIKE = { from: 0.2, width: 0.15 };

/**
 * A full cohort that was funded over a longer time than this, with hardly any members
 * alike, belongs to an exchange or a bridge.
 */
const HUB = { spanMs: 180 * DAY_MS, alikeShare: 0.1 };

/**
 * Hubs that a public analysis of sybil clusters named and left out
 * (flipsidecrypto.xyz/Mrfti/layerzero-bounty-hunter-4hcPY6, 2024). Others are found
 * by `isHub`.
 */
const KNOWN_HUBS: ReadonlySet<string> = new Set([
  "0x9f8c163cba728e99993abe7495f06c0a3c8ac8b9", // Binance
  "0x2fc617e933a52713247ce25730f6695920b3befe", // Layerswap
  "0x4c968f6beecf1906710b08e8b472b8ba6e75f957", // Gas.zip
  "0xcdd37ada79f589c15bd4f8fd2083dc88e34a2af2", // SideShift
]);

/** Returns how many wallets of a cohort a wallet resembles; each counts from 0 to 1. */
export function alikeIn(own: Member, { members }: Cohort): number {
  let alike = 0;
  for (const other of members) {
    if (other.address === own.address) continue;
    if (Math.abs(other.fundedAt - own.fundedAt) > WINDOW_MS) continue;
    const led = ledShare(own.behavior, other.behavior) ?? 0;
    alike += Math.min(1, Math.max(0, (led - ALIKE.from) / ALIKE.width));
  }
  return alike;
}

/** Returns the cohort with a member, or with its newer behaviour. */
export function withMember({ members }: Cohort, member: Member): Cohort {
  const others = members.filter(({ address }) => address !== member.address);
  return { members: [...others, member].slice(-MAX_MEMBERS) };
}

/** Returns whether a funder is a hub, whose wallets have nothing to do with each other. */
export function isHub(funder: string, cohort: Cohort | null): boolean {
  if (KNOWN_HUBS.has(funder)) return true;
  if (cohort === null || cohort.members.length < MAX_MEMBERS) return false;
  const times = cohort.members.map(({ fundedAt }) => fundedAt);
  const span = maxOf(times) - minOf(times);
  if (span < HUB.spanMs) return false;
  const alike = cohort.members.filter((each) => alikeIn(each, cohort) >= 1);
  return alike.length < HUB.alikeShare * cohort.members.length;
}
