/** Many changes of the follow graph, in groups that each fill a transaction. */
import type { Change } from "./follow_write_set_store.ts";
import {
  commitChanges,
  type FailedCommit,
  type Outcome,
} from "./follow_commit_store.ts";
import type { ReadKey } from "../../platform/kv/shared_reads.ts";

/** Too many others wrote the same sums: nothing was changed. */
export type Contended = Exclude<FailedCommit, "tooLarge">;

/** Hears what became of a change, by its place among those that were given. */
export type OnOutcome = (outcome: Outcome | Contended, nth: number) => void;

/** Changes of one transaction at most. */
const MOST_CHANGES = 100;

/** Groups under way at a time: while the database is at one, the other is made ready. */
const CONCURRENCY = 2;

/** A change, and its place among those that were given. */
interface Numbered {
  readonly change: Change;
  readonly nth: number;
}

/**
 * Makes a function that makes changes, those of one edge in their order, and
 * tells what became of each. Where it throws, nothing more is under way.
 */
export function followBatches(kv: Deno.Kv, read: ReadKey) {
  /** What a transaction holds depends on what the changes need. */
  let most = MOST_CHANGES;

  return async function changeAll(
    changes: readonly Change[],
    settle: OnOutcome,
  ): Promise<void> {
    let left: readonly Numbered[] = changes.map((change, nth) => {
      return { change, nth };
    });
    /** The addresses of groups under way: two that share one would disturb each other. */
    const busy = new Set<string>();

    async function work(): Promise<void> {
      for (;;) {
        const { group, rest } = takeBatch(left, { busy, most });
        if (group.length === 0) return;
        left = rest;
        const addresses = addressesOf(group);
        for (const address of addresses) busy.add(address);
        await commitGroup(group);
        for (const address of addresses) busy.delete(address);
      }
    }

    async function commitGroup(group: readonly Numbered[]): Promise<void> {
      const some = group.map(({ change }) => change);
      const outcomes = await commitChanges(kv, read, some);
      if (outcomes === "tooLarge") {
        most = Math.floor(group.length * 3 / 4);
        left = [...group, ...left];
        return;
      }
      most = Math.min(most + 1, MOST_CHANGES);
      for (const [index, { nth }] of group.entries()) {
        settle(outcomes === "contended" ? outcomes : outcomes[index]!, nth);
      }
    }

    const lanes = await Promise.allSettled(
      Array.from({ length: CONCURRENCY }, () =>
        work().catch((error) => {
          left = [];
          throw error;
        })),
    );
    const failed = lanes.find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") throw failed.reason;
  };
}

/** Takes the first changes that have nothing to do with busy addresses. */
function takeBatch(
  left: readonly Numbered[],
  { busy, most }: { readonly busy: ReadonlySet<string>; readonly most: number },
): { group: Numbered[]; rest: Numbered[] } {
  const group: Numbered[] = [];
  const passed: Numbered[] = [];
  let at = 0;
  for (; at < left.length && group.length < most; at++) {
    const { follower, followee } = left[at]!.change;
    const isFree = !busy.has(follower) && !busy.has(followee);
    (isFree ? group : passed).push(left[at]!);
  }
  return { group, rest: [...passed, ...left.slice(at)] };
}

function addressesOf(group: readonly Numbered[]): string[] {
  return group.flatMap(({ change: { follower, followee } }) => [
    follower,
    followee,
  ]);
}
