/** Numbers of upstreams: in their responses, and the calls that a batch may have. */
import { z } from "zod";

/**
 * Above every value of the sources, the stake in nAVAX included. The sum of a year
 * of such values is still written without an exponent.
 */
export const MAX_NUMBER = 1e18;

/** A non-negative number, or a string that holds one. */
export const Numeric = numberUpTo(MAX_NUMBER);

/** The same for a value whose unit may be another one, such as fees in wei. */
export const NumericOfAnyUnit = numberUpTo(MAX_NUMBER * 1e18);

function numberUpTo(max: number) {
  return z.union([
    z.number(),
    z.string().regex(/^\d+(\.\d+)?(e[+-]?\d+)?$/i).transform(Number),
  ]).pipe(z.number().nonnegative().max(max));
}

/** Digits of the largest number on an EVM chain, 2^256 - 1. */
const MAX_DIGITS = 78;

/** A non-negative integer, or a string that holds one. The checked value is a bigint. */
export const WholeNumber = z.union([
  z.int().nonnegative(),
  z.string().regex(/^\d+$/).max(MAX_DIGITS),
]).transform(BigInt);

/** A quantity of JSON-RPC: a non-negative integer in hexadecimal. The checked value is a bigint. */
export const HexNumber = z.string().regex(/^0x[0-9a-f]{1,64}$/i)
  .transform(BigInt);

/** Calls in one batch that public nodes accept. */
export const MAX_BATCH = 40;
