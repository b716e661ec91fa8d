/** The filter of `eth_getLogs`: which blocks, addresses and topics. */
import { z } from "zod";

const Hex = z.string().regex(/^0x[0-9a-f]*$/i).toLowerCase();
const OneOrMore = z.union([Hex.transform((hex) => [hex]), z.array(Hex)]);

/** A node refuses a topic that is not 32 bytes long. */
const Topic = z.string().regex(/^0x[0-9a-f]{64}$/i).toLowerCase();
const OneOrMoreTopics = z.union([
  Topic.transform((topic) => [topic]),
  z.array(Topic),
]);

const LogFilter = z.object({
  fromBlock: z.string().default("latest"),
  toBlock: z.string().default("latest"),
  address: OneOrMore.optional(),
  /** Null matches any topic at that position. */
  topics: z.array(OneOrMoreTopics.nullable()).max(4).default([]),
});

/** The filter. Blocks are unresolved: hexadecimal numbers or tags. */
type LogFilter = z.infer<typeof LogFilter>;

/** Parses the parameters of `eth_getLogs`; null if they are invalid. */
export function readLogFilter(params: unknown): LogFilter | null {
  const [filter] = Array.isArray(params) ? params : [];
  const read = LogFilter.safeParse(filter);
  return read.success ? read.data : null;
}

/** Returns whether a log has one of the addresses and the topics of a filter. */
export function matches(
  { address, topics }: Pick<LogFilter, "address" | "topics">,
  log: { readonly address: string; readonly topics: readonly string[] },
): boolean {
  return (address?.includes(log.address) ?? true) &&
    topics.every((accepted, place) =>
      accepted?.includes(log.topics[place] ?? "") ?? true
    );
}
