/** Store of what other chains say about addresses, and the queue of those to be read. */
import { checkAndSet } from "../../platform/kv/commit.ts";
import { type ReadKey, sharedReads } from "../../platform/kv/shared_reads.ts";
import type { ProofSource } from "../../model/human_proofs_schema.ts";
import * as keys from "../keys.ts";
import {
  isQueueDue,
  NOTHING_READ,
  type ProofRead,
  type ProofRecord,
} from "./human_proofs.ts";

/** Store of proofs of a unique human. */
export function humanProofStore(
  kv: Deno.Kv,
  read: ReadKey = sharedReads(kv),
  { hasRegistries } = { hasRegistries: true },
) {
  const { expireMs: expireIn } = keys.COLLECTIONS.human_proofs;

  return {
    /**
     * Finds what was read about an address; null if nothing was asked, or no registry
     * is asked any more. Then a score needs one key less.
     */
    async find(address: string): Promise<ProofRecord | null> {
      if (!hasRegistries) return null;
      return (await read<ProofRecord>(keys.humanProofs(address))).value;
    },

    /** Queues an address at `now`, epoch ms, unless it is queued, or nothing is due. */
    async queue(
      address: string,
      sources: readonly ProofSource[],
      now: number,
    ): Promise<void> {
      const key = keys.humanProofs(address);
      await checkAndSet<ProofRecord, void>(kv, key, ({ value }) => {
        const record = value ?? NOTHING_READ;
        if (!isQueueDue(record, sources, now)) return { value: undefined };
        const { expireMs } = keys.COLLECTIONS.human_proof_queue;
        return {
          value: undefined,
          write: (atomic) =>
            atomic.set(key, { ...record, queuedAt: now }, { expireIn })
              .set(keys.queuedHumanProof(now, address), true, {
                expireIn: expireMs,
              }),
        };
      });
    },

    /** Lists queued addresses, longest wait first. */
    async *listQueued(): AsyncGenerator<
      { readonly address: string; readonly key: Deno.KvKey }
    > {
      for await (const { key } of kv.list({ prefix: keys.humanProofQueue() })) {
        yield { address: key[2] as string, key };
      }
    },

    /** Stores what registries said, and removes the address from the queue. */
    async answer(
      { address, key: queued }: {
        readonly address: string;
        readonly key: Deno.KvKey;
      },
      reads: Readonly<Partial<Record<ProofSource, ProofRead>>>,
    ): Promise<void> {
      const key = keys.humanProofs(address);
      await checkAndSet<ProofRecord, void>(kv, key, ({ value }) => ({
        value: undefined,
        write: (atomic) =>
          atomic.delete(queued).set(key, {
            reads: { ...value?.reads, ...reads },
            queuedAt: null,
          }, { expireIn }),
      }));
    },
  };
}
