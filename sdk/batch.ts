/** Batches of any size: addresses are checked, split, and their items put together. */
import type { Batch, BatchItem } from "./api_types.ts";
import { isAddress } from "./checksum.ts";
import { badRequest, FirnError } from "./errors.ts";
import { type Answer, withMeta } from "./facts.ts";

/** Addresses that one request may score. */
const MAX_ADDRESSES = 50;

/** Reads the scores of addresses in parts, one after the other, in the order given. */
export async function readBatch(
  addresses: readonly string[],
  send: (part: readonly string[]) => Promise<Answer<Batch>>,
): Promise<Answer<Batch>> {
  checkAddresses(addresses);
  const results: BatchItem[] = [];
  let first: Batch | undefined;
  for (let at = 0;; at += MAX_ADDRESSES) {
    const part = addresses.slice(at, at + MAX_ADDRESSES);
    const answer = await send(part).catch((error) => {
      if (error instanceof FirnError) error.partial = results;
      throw error;
    });
    first ??= answer;
    for (const result of answer.results) results.push(result);
    if (at + MAX_ADDRESSES >= addresses.length) {
      // The first part has the earliest time, and the last one the current
      // limits.
      const whole = { ...first, count: results.length, results };
      return withMeta(whole, answer.meta);
    }
  }
}

/**
 * Throws for addresses that the service would refuse, before the first part of
 * a batch is charged.
 */
export function checkAddresses(addresses: readonly string[]): void {
  const invalid = addresses.filter((address) => !isAddress(address));
  if (invalid.length > 0) {
    throw badRequest(
      `Invalid address "${
        invalid[0]
      }": expected an address of the C-Chain, in one case or with a valid checksum (EIP-55)`,
      { invalid },
    );
  }
  if (addresses.length === 0) {
    throw badRequest("Invalid addresses: expected at least one");
  }
}
