/** Figures as other people's services write them. */
import { z } from "zod";

/** A number from 0 on, or a string that holds one. */
export const Numeric = z.union([
  z.number(),
  z.string().regex(/^\d+(\.\d+)?(e[+-]?\d+)?$/i).transform(Number),
]).pipe(z.number().nonnegative());

/** A whole number from 0 on of any size, or a string that holds one. */
export const WholeNumber = z.union([
  z.int().nonnegative(),
  z.string().regex(/^\d+$/),
]).transform(BigInt);
