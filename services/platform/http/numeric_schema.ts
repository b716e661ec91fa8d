/** Numbers in the responses of upstreams. */
import { z } from "zod";

/** A non-negative number, or a string that holds one. */
export const Numeric = z.union([
  z.number(),
  z.string().regex(/^\d+(\.\d+)?(e[+-]?\d+)?$/i).transform(Number),
]).pipe(z.number().nonnegative());

/** A non-negative integer of any size, or a string that holds one. The checked value is a bigint. */
export const WholeNumber = z.union([
  z.int().nonnegative(),
  z.string().regex(/^\d+$/),
]).transform(BigInt);
