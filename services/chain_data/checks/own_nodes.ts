/** Asks a chain's own node whether the chain is active, if every other source shows it idle. */
import { C_CHAIN } from "../catalogue/metrics_schema.ts";
import { nodeSeriesId } from "../catalogue/series_id.ts";
import { dayAt } from "../../platform/days.ts";
import { ofUpstream } from "../../platform/http/source_names.ts";
import type { CallOptions } from "../../platform/rate_limit/call_budget.ts";
import {
  CUT_DAYS,
  inferableThrough,
  lastActiveDay,
  QUIET_DAYS,
} from "../series/inferred_days.ts";
import { findPublication, findTxCount } from "../series/series_reader.ts";
import { mergeRead } from "../series/stored_series.ts";
import type { SecondSourceDeps } from "./deps.ts";

type NodeDeps = Pick<SecondSourceDeps, "now" | "store" | "upstream">;

/** A chain whose newest days are zeroes, and the days of which a block would show that they are not. */
interface IdleChain {
  readonly chainId: number;
  readonly from: number;
  readonly through: number;
}

/**
 * Lists the chains whose node is to be asked today: those that no source has shown active
 * since a day before the newest inferred one. A chain that was never active is asked for
 * the newest week.
 */
export async function listIdleChains(deps: NodeDeps): Promise<IdleChain[]> {
  const { now, store, upstream: { chainNodes } } = deps;
  const publication = await findPublication(deps);
  if (publication === null) return [];
  const through = inferableThrough(publication.newestDay);
  const idle: IdleChain[] = [];
  for (const [chainId, node] of chainNodes) {
    const [asked] = await store.series.listStates(
      [nodeSeriesId(chainId)],
      () => node.baseUrl,
    );
    const isAsked = asked && dayAt(asked.fetchedAt) >= dayAt(now().getTime());
    const txCount = await findTxCount(deps, chainId);
    if (isAsked || txCount === null || chainId === C_CHAIN) continue;
    const last = lastActiveDay(txCount) ?? through - QUIET_DAYS - CUT_DAYS;
    const from = last + CUT_DAYS + 1;
    const isIdle = txCount.activeElsewhere === undefined && from <= through;
    if (isIdle) idle.push({ chainId, from, through });
  }
  return idle;
}

/**
 * Asks a chain's node for the first block of days that are zeroes elsewhere, and stores
 * its day if it has transactions: then nothing is inferred. Returns whether it has.
 */
export async function askOwnNode(
  { now, store, upstream }: NodeDeps,
  { chainId, from, through }: IdleChain,
  options: CallOptions,
): Promise<boolean> {
  const node = upstream.chainNodes.get(chainId)!;
  const id = nodeSeriesId(chainId);
  const { body: first, source } = await node.readFirstActivity(from, options);
  const isActive = first !== null && first.day <= through && first.value > 0;
  const fetchedAt = now().getTime();
  await store.series.update(id, (stored) => {
    const merged = mergeRead(id, ofUpstream(node, stored), {
      body: isActive ? [first] : [],
      days: isActive
        ? { start: first.day, end: first.day }
        : { start: Infinity, end: -Infinity },
      fetchedAt,
      wholeAt: fetchedAt,
      origin: node.baseUrl,
      source,
    });
    return { ...merged, changedAt: merged.changedAt ?? fetchedAt };
  }, { at: fetchedAt });
  return isActive;
}
