/** A line of the file by which operators bring profiles in. */
import { z } from "@hono/zod-openapi";
import { Address } from "./access.ts";
import { SOCIAL_KINDS } from "./score_terms.ts";

const AT = "an instant as ISO 8601, or in epoch milliseconds";
const USDC = "an amount of USDC with at most 6 decimals";
const TX_HASH = "a transaction hash: 0x and 64 hexadecimal digits";
const ID = "the id of an account: at most 64 letters, digits and . _ -";
const MONTHS = "a whole number of months from 0 to 1200";

/** An instant; epoch ms from here on. */
const At = z.union([
  z.iso.datetime({ offset: true }).transform((text) => Date.parse(text)),
  z.int().nonnegative(),
], AT);

/** An amount; base units from here on. */
const Usdc = z.union([z.string(), z.number()], USDC).transform(String)
  .refine((text) => /^\d{1,12}(\.\d{1,6})?$/.test(text), USDC)
  .transform((text) => {
    const [whole = "", decimals = ""] = text.split(".");
    return BigInt(whole + decimals.padEnd(6, "0"));
  });

/** A line: all but the address may be absent. */
export const ImportLine = z.strictObject({
  address: Address,
  displayName: z.string().optional(),
  slug: z.string().optional(),
  paidSlug: z.boolean().optional(),
  premiumMonths: z.int(MONTHS).min(0, MONTHS).max(1200, MONTHS).optional(),
  socials: z.array(z.strictObject({
    kind: z.enum(SOCIAL_KINDS),
    handle: z.string(),
    /** What stays when the handle changes. */
    id: z.string(ID).regex(/^[\w.-]{1,64}$/, ID).optional(),
    verifiedAt: At,
  })).optional(),
  follows: z.array(z.strictObject({ address: Address, at: At })).optional(),
  donations: z.array(z.strictObject({
    to: Address,
    usdc: Usdc,
    at: At,
    txHash: z.string(TX_HASH).regex(/^0x[0-9a-fA-F]{64}$/, TX_HASH)
      .transform((hash) => hash.toLowerCase()),
  })).optional(),
  verifiedHuman: z.literal(true, "true, or nothing").optional(),
});
/** A line of the file by which operators bring profiles in. */
export type ImportLine = z.infer<typeof ImportLine>;
