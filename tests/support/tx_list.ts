/** An explorer index for tests that lists the transactions of one address. */
import type { Answering } from "./upstreams.ts";

/** The address whose transactions are listed. */
export const OWNER = "0x00000000000000000000000000000000000000aa";

/** So many records of a kind, one after the other. */
export type Run = [kind: "own" | "received", count: number];

/** Makes a list, oldest first, of one run after the other. */
export function records(
  ...runs: readonly Run[]
): Record<string, string>[] {
  let nonce = 0;
  let second = 1_700_000_000;
  return runs.flatMap(([kind, count]) =>
    Array.from(
      { length: count },
      () =>
        kind === "own"
          ? ownTx({ nonce: `${nonce++}`, timeStamp: `${second++}` })
          : { from: "0xbb", timeStamp: `${second++}` },
    )
  );
}

/** A transaction of the owner that paid 21,000 · 25 nAVAX, with fields replaced. */
export function ownTx(fields: Record<string, string> = {}) {
  return {
    // Upstream writes addresses in mixed case.
    from: OWNER.replace("aa", "aA"),
    timeStamp: "1700000000",
    nonce: "0",
    gasUsed: "21000",
    gasPrice: "25000000000",
    ...fields,
  };
}

/** Answers pages of a list as the index does; a list may change between calls. */
export function listing(
  list: () => readonly Record<string, string>[],
): Answering {
  return (request) => {
    const params = new URL(request.url).searchParams;
    const [page, offset] = ["page", "offset"].map((name) =>
      Number(params.get(name))
    ) as [number, number];
    if (page * offset > 10_000 || offset > 5_000) {
      const message = "Result window is too large";
      return Response.json({ status: "0", message, result: null });
    }
    const rows = params.get("sort") === "desc" ? list().toReversed() : list();
    const result = rows.slice((page - 1) * offset, page * offset);
    return result.length > 0
      ? Response.json({ status: "1", message: "OK", result })
      : Response.json({
        status: "0",
        message: "No transactions found",
        result,
      });
  };
}
