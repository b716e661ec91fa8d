/** Simulated C-Chain nodes, defined by their methods or by their block times. */
import type { Answering } from "../upstreams.ts";

/** Answers a method's parameters with its result, or with a whole response. */
export type Method = (...params: string[]) => unknown;

/** Makes a node with the given methods and `eth_chainId`, which they may replace. */
export function nodeWith(methods: Readonly<Record<string, Method>>): Answering {
  const all: Record<string, Method> = {
    eth_chainId: () => "0xa86a",
    ...methods,
  };
  return async (request) => {
    const body = await request.json();
    const resultOf = (
      { method, params = [] }: { method: string; params?: string[] },
    ) => all[method]!(...params);
    if (Array.isArray(body)) {
      return Response.json(
        body.map((call) => ({
          jsonrpc: "2.0",
          id: call.id,
          result: resultOf(call),
        })),
      );
    }
    const result = resultOf(body);
    return result instanceof Response
      ? result
      : Response.json({ jsonrpc: "2.0", id: 1, result });
  };
}

/** Makes a node of a chain up to a head. Every other block has a timestamp in milliseconds, too. */
function nodeOf(
  head: number,
  timestampOf: (height: number) => number,
): Answering {
  return nodeWith({
    eth_getBlockByNumber(tag) {
      const height = tag === "latest" ? head : Number(tag);
      if (height > head) return UNFINALIZED.clone();
      const timestamp = timestampOf(height);
      const milliseconds = { timestampMilliseconds: hex(timestamp * 1000) };
      return {
        number: hex(height),
        timestamp: hex(timestamp),
        ...(height % 2 === 0 && milliseconds),
      };
    },
  });
}

/** Makes a node of a chain of a few blocks, block 0 first. */
export function nodeOfTimes(...times: number[]): Answering {
  return nodeOf(times.length - 1, (height) => times[height]!);
}

/** The answer for a block above the head. */
const UNFINALIZED = Response.json({
  jsonrpc: "2.0",
  id: 1,
  error: { code: -32000, message: "cannot query unfinalized data" },
});

function hex(value: number): string {
  return `0x${value.toString(16)}`;
}
