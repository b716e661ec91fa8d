/** Store of what other chains say about addresses, and the queue of those to be read. */
import { checkAndSet } from "../platform/kv/commit.ts";
import { type ReadKey, sharedReads } from "../platform/kv/reads.ts";
import type { ProofSource } from "../model/human_proofs_schema.ts";
import {
  ANY,
  type Rule,
  type StoredRecords,
} from "../platform/kv/store_rule.ts";
import { DAY_MS } from "../platform/days.ts";
import { SIGNALS_EXPIRE_MS } from "./follows/follow_edges.ts";
import {
  isQueueDue,
  NOTHING_READ,
  type ProofRead,
  type ProofRecord,
  type QueuedAddress,
} from "./human_proofs.ts";

/** Returns the key of what other chains say about the human behind an address. */
export const humanProofsKey = (address: string) => ["human_proofs", address];

/** Keys. */
const keys = {
  /** An address whose proofs are to be read, by the time it was queued. */
  queuedHumanProof: (at: number, address: string) => [
    ...keys.humanProofQueue(),
    at,
    address,
  ],
  /** Prefix of the queue. */
  humanProofQueue: () => ["human_proof_queue"],
};

/** How long an address stays in the queue. */
const QUEUED_MS = DAY_MS;
const EXPIRY = { expireIn: SIGNALS_EXPIRE_MS };

/** Store of proofs of a unique human. */
export function humanProofStore(
  kv: Deno.Kv,
  read: ReadKey = sharedReads(kv),
  { hasRegistries } = { hasRegistries: true },
) {
  return {
    /**
     * Finds what was read about an address; null if nothing was asked, or no registry
     * is asked any more. Then a score needs one key less.
     */
    async find(address: string): Promise<ProofRecord | null> {
      if (!hasRegistries) return null;
      return (await read<ProofRecord>(humanProofsKey(address))).value;
    },

    /** Queues an address at `now`, epoch ms, unless it is queued, or nothing is due. */
    async queue(
      address: string,
      sources: readonly ProofSource[],
      now: number,
    ): Promise<void> {
      const key = humanProofsKey(address);
      await checkAndSet<ProofRecord, void>(kv, key, ({ value }) => {
        const record = value ?? NOTHING_READ;
        if (!isQueueDue(record, sources, now)) return { value: undefined };
        return {
          value: undefined,
          write: (atomic) =>
            atomic.set(key, { ...record, queuedAt: now }, EXPIRY)
              .set(keys.queuedHumanProof(now, address), true, {
                expireIn: QUEUED_MS,
              }),
        };
      });
    },

    /** Lists queued addresses, longest wait first. */
    async *listQueued(): AsyncGenerator<QueuedAddress> {
      for await (const { key } of kv.list({ prefix: keys.humanProofQueue() })) {
        yield { address: key[2] as string, key };
      }
    },

    /** Stores what registries said, and removes the address from the queue. */
    async answer(
      { address, key: queued }: QueuedAddress,
      reads: Readonly<Partial<Record<ProofSource, ProofRead>>>,
    ): Promise<void> {
      const key = humanProofsKey(address);
      await checkAndSet<ProofRecord, void>(kv, key, ({ value }) => ({
        value: undefined,
        write: (atomic) =>
          atomic.delete(queued).set(key, {
            reads: { ...value?.reads, ...reads },
            queuedAt: null,
          }, EXPIRY),
      }));
    },
  };
}

/** Store of proofs of a unique human. */
export type HumanProofStore = ReturnType<typeof humanProofStore>;

const humanProofs: Rule<ProofRecord> = {
  name: "human-proofs",
  of: humanProofsKey(ANY),
  invariant: "a proof was read at some time, and its strength is from 0 to 1",
  holds: ({ value: { reads } }) =>
    Object.values(reads).every(({ readAt, proof }) =>
      proof === null ||
      readAt !== null && proof.strength >= 0 && proof.strength <= 1
    ),
};

/** The collections and the rules. */
export const HUMAN_PROOF_RECORDS: StoredRecords = {
  collections: {
    human_proof_queue: {
      expireMs: QUEUED_MS,
      isLeftOut: true,
      isUnchecked: true,
    },
    human_proofs: { expireMs: SIGNALS_EXPIRE_MS, isIndependent: true },
  },
  rules: [humanProofs],
};
