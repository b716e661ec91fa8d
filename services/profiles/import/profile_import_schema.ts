/** One line of a profile import file. */
import { z } from "@hono/zod-openapi";
import { Address } from "../../platform/address_schema.ts";
import { SOCIAL_KINDS } from "../../model/score_terms_schema.ts";
import { jsonObject, TxHash } from "../../platform/wire_schema.ts";

const AT = "an instant as ISO 8601, or in epoch milliseconds";
const USDC = "an amount of USDC with at most 6 decimals";
const ID = "the id of an account: at most 64 letters, digits and . _ -";
const MONTHS = "a whole number of months from 0 to 1200";
const KIND = `one of ${SOCIAL_KINDS.join(", ")}`;
const TEXT = "a text";

/** An instant. The checked value is epoch ms. */
const At = z.union([
  z.iso.datetime({ offset: true }).transform((text) => Date.parse(text)),
  z.int().nonnegative(),
], AT);

/** An amount of USDC. The checked value is in base units. */
const Usdc = z.union([z.string(), z.number()], USDC).transform(String)
  .refine((text) => /^\d{1,12}(\.\d{1,6})?$/.test(text), USDC)
  .transform((text) => {
    const [whole = "", decimals = ""] = text.split(".");
    return BigInt(whole + decimals.padEnd(6, "0"));
  });

const listOf = <Item extends z.ZodType>(item: Item) =>
  z.array(item, "an array of JSON objects");

/** One line. Only the address is required. */
export const ImportLine = jsonObject({
  address: Address,
  displayName: z.string(TEXT).optional(),
  slug: z.string(TEXT).optional(),
  paidSlug: z.boolean("true or false").optional(),
  premiumMonths: z.int(MONTHS).min(0, MONTHS).max(1200, MONTHS).optional(),
  socials: listOf(jsonObject({
    kind: z.enum(SOCIAL_KINDS, KIND),
    handle: z.string(TEXT),
    /** Id of the account, which stays the same when the handle changes. */
    id: z.string(ID).regex(/^[\w.-]{1,64}$/, ID).optional(),
    verifiedAt: At,
  })).optional(),
  follows: listOf(jsonObject({ address: Address, at: At })).optional(),
  donations: listOf(jsonObject({
    to: Address,
    usdc: Usdc,
    at: At,
    txHash: TxHash,
  })).optional(),
  verifiedHuman: z.literal(true, "true, or nothing").optional(),
});
/** One line of a profile import file. */
export type ImportLine = z.infer<typeof ImportLine>;
