/** C-Chain addresses as requests give them. */
import { z } from "@hono/zod-openapi";

const ADDRESS = "a C-Chain address: 0x and 40 hexadecimal digits";

/** A C-Chain address in any case; it becomes lower-case from here on. */
export const Address = z.string(ADDRESS).regex(
  /^0x[0-9a-fA-F]{40}$/,
  ADDRESS,
).transform((address) => address.toLowerCase());

/** The path of everything about one address. */
export const AddressPath = z.object({
  address: Address.openapi({
    param: { name: "address", in: "path" },
    example: "0x52908400098527886E0F7030069857D2E4169EE7",
  }),
});
