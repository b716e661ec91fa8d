/** Splits many changes of the follow graph into batches of one transaction each. */
import type { Change } from "./follow_write_set_store.ts";
import {
  commitChanges,
  type FailedCommit,
  type FollowOutcome,
} from "./follow_commit_store.ts";
import { type Batchable, batchQueue } from "../../platform/kv/batch_queue.ts";
import type { ReadKey } from "../../platform/kv/shared_reads.ts";

/** Too many concurrent writers: nothing was changed. */
type Contended = Exclude<FailedCommit, "tooLarge">;

/** Receives the outcome of a change, with its index in the input. */
type OnOutcome = (outcome: FollowOutcome | Contended, nth: number) => void;

/** Maximum number of changes in one transaction. */
const MAX_CHANGES = 100;

/** A change that waits for its transaction. */
interface Waiting extends Batchable {
  readonly change: Change;
  readonly settle: (outcome: FollowOutcome | Contended) => void;
  /** Has no effect on a change that was settled before. */
  readonly fail: (error: unknown) => void;
}

/** Makes functions that commit changes in batches. Changes of one edge keep their order. */
export function followBatches(kv: Deno.Kv, read: ReadKey) {
  /** Adapts to the size of the changes: a transaction has a limit in bytes. */
  let batchSize = MAX_CHANGES;
  const singles = newQueue();

  function newQueue() {
    return batchQueue<Waiting>({
      sizeLimit: () => batchSize,
      async commit(batch) {
        try {
          await commitBatch(batch);
        } catch (error) {
          for (const { fail } of batch) fail(error);
        }
        return () => {};
      },
    });
  }

  /** Commits a batch, in parts if one transaction cannot hold it. */
  async function commitBatch(batch: readonly Waiting[]): Promise<void> {
    for (let left = batch; left.length > 0;) {
      const part = left.slice(0, batchSize);
      const some = part.map(({ change }) => change);
      const outcomes = await commitChanges(kv, read, some);
      if (outcomes === "tooLarge") {
        batchSize = Math.floor(part.length * 3 / 4);
        continue;
      }
      batchSize = Math.min(batchSize + 1, MAX_CHANGES);
      for (const [index, { settle }] of part.entries()) {
        settle(outcomes === "contended" ? outcomes : outcomes[index]!);
      }
      left = left.slice(part.length);
    }
  }

  return {
    /** Commits a change. Concurrent changes share a transaction. */
    change: (change: Change): Promise<FollowOutcome | Contended> =>
      new Promise((settle, fail) =>
        singles.add({ change, writes: writesOf(change), settle, fail })
      ),

    /**
     * Commits many changes in as few transactions as possible, and reports the
     * outcome of each. When it throws, no batch is running.
     */
    async changeAll(
      changes: readonly Change[],
      onOutcome: OnOutcome,
    ): Promise<void> {
      const failures: unknown[] = [];
      const queue = newQueue();
      for (const [nth, change] of changes.entries()) {
        queue.add({
          change,
          writes: writesOf(change),
          settle: (outcome) => onOutcome(outcome, nth),
          fail(error) {
            failures.push(error);
            queue.clear();
          },
        });
      }
      await queue.idle();
      if (failures.length > 0) throw failures[0];
    },
  };
}

const writesOf = ({ follower, followee }: Change) => [follower, followee];
