/** A database that counts its reads and commits. */

/** Runs calls at once, in the order of their index. */
export const atOnce = <T>(calls: number, call: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: calls }, (_, index) => call(index)));

/** A database whose commits go through `onCommit`; counts them and the reads. */
export function tapped(
  kv: Deno.Kv,
  onCommit = (
    commit: () => Promise<Deno.KvCommitResult | Deno.KvCommitError>,
  ) => commit(),
) {
  const counts = { reads: 0, commits: 0 };
  const tap = {
    get: kv.get.bind(kv),
    list: kv.list.bind(kv),
    getMany(...args: Parameters<Deno.Kv["getMany"]>) {
      counts.reads++;
      return kv.getMany(...args);
    },
    atomic() {
      const atomic = kv.atomic();
      const commit = () => Deno.AtomicOperation.prototype.commit.call(atomic);
      return Object.assign(atomic, {
        commit() {
          counts.commits++;
          return onCommit(commit);
        },
      });
    },
  };
  return { kv: tap as unknown as Deno.Kv, counts };
}
