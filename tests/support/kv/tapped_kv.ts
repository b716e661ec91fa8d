/** Records the calls of a database. */

/** The calls of a database, oldest first. */
interface KvCalls {
  /** The keys of each read call. */
  readonly reads: Deno.KvKey[][];
  /** The number of transactions, single writes among them. */
  commits: number;
}

type Commit = Deno.AtomicOperation["commit"];

/** Records the calls of a database from now on; `onCommit` can replace commits. */
export function tapKv(
  kv: Deno.Kv,
  onCommit: (commit: Commit) => ReturnType<Commit> = (commit) => commit(),
): KvCalls {
  const calls: KvCalls = { reads: [], commits: 0 };
  const { get, getMany, set, atomic } = kv;
  kv.get = (key: Deno.KvKey, ...rest) => {
    calls.reads.push([key]);
    return get.call(kv, key, ...rest) as never;
  };
  kv.getMany = (keys: readonly unknown[], ...rest: unknown[]) => {
    calls.reads.push([...keys as Deno.KvKey[]]);
    return getMany.call(kv, keys as [], ...rest as []) as never;
  };
  kv.set = (...args) => {
    calls.commits++;
    return set.apply(kv, args);
  };
  kv.atomic = () => {
    const operation = atomic.call(kv);
    const commit = operation.commit.bind(operation);
    operation.commit = () => {
      calls.commits++;
      return onCommit(commit);
    };
    return operation;
  };
  return calls;
}
