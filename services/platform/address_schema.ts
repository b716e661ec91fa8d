/** C-Chain addresses in requests and answers. */
import { z } from "@hono/zod-openapi";

/** An address in any case. */
export const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

const EXPECTED = "a C-Chain address: 0x and 40 hexadecimal digits";

/** A C-Chain address in a request, in any case. The checked value is lower-case. */
export const Address = z.string(EXPECTED).regex(ADDRESS, EXPECTED)
  .toLowerCase().meta({
    description: "A C-Chain address, in any case",
    example: "0x52908400098527886E0F7030069857D2E4169EE7",
  });

/** The path parameters of the endpoints for one address. */
export const AddressPath = z.object({
  address: Address.openapi({
    param: { name: "address", in: "path" },
  }),
});

/** A C-Chain address in an answer. */
export const LowerCaseAddress = z.string().regex(/^0x[0-9a-f]{40}$/).meta({
  description: "A C-Chain address, lower-case",
  example: "0x52908400098527886e0f7030069857d2e4169ee7",
});
