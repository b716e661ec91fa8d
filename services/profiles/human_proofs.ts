/** What other chains say about the human behind an address: when it is read, and what counts of it. */
import {
  type HumanProofs,
  PROOF_CHAINS,
  PROOF_SOURCE_NAMES,
  PROOF_SOURCES,
  type ProofSource,
} from "../model/human_proofs_schema.ts";
import type { ProofSignal } from "../model/signals.ts";
import { DAY_MS, HOUR_MS } from "../platform/days.ts";
import { instant } from "../platform/clock.ts";

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
export const MAX_ADDRESSES = 35;

/** A registry is asked again after this time, because a proof can be made and revoked. */
const READ_AGAIN_MS = 7 * DAY_MS;
/** The same after a failure. */
const RETRY_MS = HOUR_MS;
/** A proof without an end counts for this time after it was read. */
const ENDLESS_MS = 90 * DAY_MS;
/** A queued address that nobody read for this time is queued again. */
const LOST_MS = DAY_MS;

/** Returns whether a registry is to be asked about an address at `now`, epoch ms. */
export function isReadDue(read: ProofRead | undefined, now: number): boolean {
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
