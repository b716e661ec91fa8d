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
export type Contended = Exclude<FailedCommit, "tooLarge">;

/** Receives the outcome of a change, with its index in the input. */
type OnOutcome = (outcome: FollowOutcome | Contended, nth: number) => void;

/** Maximum number of changes in one transaction. */
const MAX_CHANGES = 100;

/** A change and its index in the input. */
interface Numbered extends Batchable {
  readonly change: Change;
  readonly nth: number;
}

/**
 * Makes a function that applies changes in batches and reports the outcome of
 * each. Changes of one edge keep their order. When it throws, no batch is running.
 */
export function followBatches(kv: Deno.Kv, read: ReadKey) {
  /** Adapts to the size of the changes: a transaction has a limit in bytes. */
  let batchSize = MAX_CHANGES;

  return async function changeAll(
    changes: readonly Change[],
    onOutcome: OnOutcome,
  ): Promise<void> {
    const failures: unknown[] = [];
    const queue = batchQueue<Numbered>({
      sizeLimit: () => batchSize,
      async commit(batch) {
        try {
          await commitBatch(batch, onOutcome);
        } catch (error) {
          failures.push(error);
          queue.clear();
        }
        return () => {};
      },
    });
    for (const [nth, change] of changes.entries()) {
      queue.add({ change, nth, writes: [change.follower, change.followee] });
    }
    await queue.idle();
    if (failures.length > 0) throw failures[0];
  };

  /** Commits a batch, in parts if one transaction cannot hold it. */
  async function commitBatch(
    batch: readonly Numbered[],
    onOutcome: OnOutcome,
  ): Promise<void> {
    for (let left = batch; left.length > 0;) {
      const part = left.slice(0, batchSize);
      const some = part.map(({ change }) => change);
      const outcomes = await commitChanges(kv, read, some);
      if (outcomes === "tooLarge") {
        batchSize = Math.floor(part.length * 3 / 4);
        continue;
      }
      batchSize = Math.min(batchSize + 1, MAX_CHANGES);
      for (const [index, { nth }] of part.entries()) {
        onOutcome(outcomes === "contended" ? outcomes : outcomes[index]!, nth);
      }
      left = left.slice(part.length);
    }
  }
}
