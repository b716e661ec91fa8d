/** What other chains say about the human behind an address: when it is read, how queued addresses are read, and what counts of it. */
import {
  type HumanProofs,
  PROOF_CHAINS,
  PROOF_SOURCE_NAMES,
  PROOF_SOURCES,
  type ProofSource,
} from "../model/human_proofs_schema.ts";
import type { ProofSignal } from "../model/signals.ts";
import { type Clock, instant, timeoutSignal } from "../platform/clock.ts";
import { DAY_MS, HOUR_MS } from "../platform/days.ts";
import { Fault } from "../platform/fault.ts";
import type { RunContext } from "../platform/jobs/job_run.ts";
import {
  type CallOptions,
  SERVICE,
} from "../platform/rate_limit/call_budget.ts";

/** A proof as a registry shows it; times in epoch ms. */
export interface HumanProof {
  /** From 0 to 1. */
  readonly strength: number;
  /** Null if the registry does not say. */
  readonly verifiedAt: number | null;
  /** Null if it has no end. */
  readonly expiresAt: number | null;
}

/** What one registry said; times in epoch ms. */
export interface ProofRead {
  /** When it last answered; null if it never did. */
  readonly readAt: number | null;
  /** When a later read failed; null if none did. */
  readonly failedAt: number | null;
  readonly proof: HumanProof | null;
}

/** What the registries said about an address. */
export interface ProofRecord {
  readonly reads: Readonly<Partial<Record<ProofSource, ProofRead>>>;
  /** When it was queued to be read, epoch ms; null if it is not. */
  readonly queuedAt: number | null;
}

/** Nothing was read yet. */
export const NOTHING_READ: ProofRecord = { reads: {}, queuedAt: null };

/** Addresses of one read: with the calls that are the same for all they fit in one batch. */
const MAX_ADDRESSES = 35;

/** A registry is asked again after this time, because a proof can be made and revoked. */
const READ_AGAIN_MS = 7 * DAY_MS;
/** The same after a failure. */
const RETRY_MS = HOUR_MS;
/** A proof without an end counts for this time after it was read. */
const ENDLESS_MS = 90 * DAY_MS;
/** A queued address that nobody read for this time is queued again. */
const LOST_MS = DAY_MS;

/** Returns whether a registry is to be asked about an address at `now`, epoch ms. */
function isReadDue(read: ProofRead | undefined, now: number): boolean {
  if (read === undefined) return true;
  const { readAt, failedAt, proof } = read;
  if (failedAt !== null) return now - failedAt >= RETRY_MS;
  if (readAt === null || now - readAt >= READ_AGAIN_MS) return true;
  // An expired proof may have been renewed.
  const end = proof?.expiresAt ?? Infinity;
  return end <= now && readAt < end;
}

/** Returns whether an address is to be queued at `now`, epoch ms, if these sources are on. */
export function isQueueDue(
  { reads, queuedAt }: ProofRecord,
  sources: readonly ProofSource[],
  now: number,
): boolean {
  if (queuedAt !== null && now - queuedAt < LOST_MS) return false;
  return sources.some((source) => isReadDue(reads[source], now));
}

/** Returns when a proof stops to count, epoch ms. */
function endOf(proof: HumanProof, readAt: number): number {
  return proof.expiresAt ?? readAt + ENDLESS_MS;
}

/** Returns the proofs of a record as signals: one for each source. */
export function proofSignalsOf(record: ProofRecord | null): ProofSignal[] {
  if (record === null) return [];
  return PROOF_SOURCE_NAMES.flatMap((source) => {
    const read = record.reads[source];
    if (!read?.proof || read.readAt === null) return [];
    const { strength } = read.proof;
    const until = endOf(read.proof, read.readAt);
    return [{ kind: PROOF_SOURCES[source].kind, strength, until }];
  });
}

/** Returns what was read as answers show it at `now`, epoch ms. */
export function showProofs(
  record: ProofRecord | null,
  now: number,
): HumanProofs {
  return PROOF_SOURCE_NAMES.flatMap((source) => {
    const read = record?.reads[source];
    if (read === undefined) return [];
    const { proof, readAt, failedAt } = read;
    const isCurrent = proof !== null && readAt !== null &&
      endOf(proof, readAt) > now;
    return [{
      source,
      chain: PROOF_CHAINS[PROOF_SOURCES[source].chain].name,
      state: isCurrent
        ? "proven" as const
        : readAt === null
        ? "unread" as const
        : "none" as const,
      verifiedAt: isCurrent ? instant(proof.verifiedAt) : null,
      expiresAt: isCurrent ? instant(proof.expiresAt) : null,
      readAt: instant(readAt),
      failedAt: instant(failedAt),
    }];
  });
}

type Reads = Partial<Record<ProofSource, ProofRead>>;

/** A queued address. */
export interface QueuedAddress {
  readonly address: string;
  readonly key: Deno.KvKey;
}

/** What reading proofs needs: the records with their queue, and the registries of each chain. */
interface ProofDeps extends Clock {
  readonly store: {
    readonly humanProofs: {
      readonly find: (address: string) => Promise<ProofRecord | null>;
      readonly queue: (
        address: string,
        sources: readonly ProofSource[],
        now: number,
      ) => Promise<void>;
      readonly listQueued: () => AsyncIterable<QueuedAddress>;
      readonly answer: (queued: QueuedAddress, reads: Reads) => Promise<void>;
    };
  };
  readonly upstream: { readonly proofChains: readonly ProofRegistries[] };
}

/** The registries of one chain. */
interface ProofRegistries {
  readonly sources: readonly ProofSource[];
  readonly read: (
    source: ProofSource,
    addresses: readonly string[],
    options: CallOptions,
  ) => Promise<(HumanProof | null)[]>;
}

/**
 * Groups of addresses in one run. A node may count each call of a batch: a run makes
 * fewer than 240 calls a minute to a node, also if every address has a proof.
 */
const MAX_GROUPS = 8;

/** Longest wait for an answer. */
const WAIT_MS = 30_000;

/** Queues an address if registries are configured and one of them is to be asked. */
export async function queueIfDue(
  { now, store, upstream }: ProofDeps,
  address: string,
  found: ProofRecord | null,
): Promise<void> {
  const sources = upstream.proofChains.flatMap(({ sources }) => sources);
  const at = now().getTime();
  if (!isQueueDue(found ?? NOTHING_READ, sources, at)) return;
  await store.humanProofs.queue(address, sources, at);
}

/**
 * Asks the registries about queued addresses, longest wait first, and returns what was
 * done in words. A registry that fails is not asked again in this run; the others are.
 */
export async function readHumanProofs(
  deps: ProofDeps,
  { proceed }: RunContext,
): Promise<string> {
  const failed = new Set<ProofSource>();
  let count = 0;
  let groups = 0;
  for await (const group of groupsOf(deps.store.humanProofs.listQueued())) {
    if (groups++ === MAX_GROUPS || !await proceed()) break;
    await readGroup(deps, group, failed);
    count += group.length;
  }
  const down = [...failed].map((source) => {
    const { name, chain } = PROOF_SOURCES[source];
    return `${name} on ${PROOF_CHAINS[chain].name}`;
  });
  const problem = down.length === 0 ? "" : `, no answer of ${down.join(", ")}`;
  return `proofs of ${count} addresses read${problem}`;
}

async function readGroup(
  deps: ProofDeps,
  group: readonly QueuedAddress[],
  failed: Set<ProofSource>,
): Promise<void> {
  const { now, store: { humanProofs }, upstream } = deps;
  const records = await Promise.all(
    group.map(({ address }) => humanProofs.find(address)),
  );
  const reads: Reads[] = group.map(() => ({}));
  const startedAt = now().getTime();
  for (const chain of upstream.proofChains) {
    for (const source of chain.sources) {
      const due = group.flatMap(({ address }, nth) =>
        isReadDue(records[nth]?.reads[source], startedAt)
          ? [{ nth, address }]
          : []
      );
      const addresses = due.map(({ address }) => address);
      const found = due.length === 0 || failed.has(source)
        ? null
        : await readOrNull(chain, source, addresses);
      if (found === null && due.length > 0) failed.add(source);
      const at = now().getTime();
      for (const [index, { nth }] of due.entries()) {
        reads[nth]![source] = found === null
          ? failedRead(records[nth] ?? null, source, at)
          : { readAt: at, failedAt: null, proof: found[index]! };
      }
    }
  }
  await Promise.all(
    group.map((queued, nth) => humanProofs.answer(queued, reads[nth]!)),
  );
}

/** Reads proofs; null if the registry does not answer. */
async function readOrNull(
  chain: ProofRegistries,
  source: ProofSource,
  addresses: readonly string[],
) {
  try {
    return await chain.read(source, addresses, {
      priority: "job",
      signal: timeoutSignal(WAIT_MS),
      requester: SERVICE,
    });
  } catch (error) {
    if (error instanceof Fault) return null;
    throw error;
  }
}

/** What was read before stays, and says that the last read failed. */
function failedRead(
  record: ProofRecord | null,
  source: ProofSource,
  at: number,
): ProofRead {
  const before = record?.reads[source];
  return {
    readAt: before?.readAt ?? null,
    proof: before?.proof ?? null,
    failedAt: at,
  };
}

async function* groupsOf(
  queued: AsyncIterable<QueuedAddress>,
): AsyncGenerator<QueuedAddress[]> {
  let group: QueuedAddress[] = [];
  for await (const one of queued) {
    group.push(one);
    if (group.length < MAX_ADDRESSES) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
