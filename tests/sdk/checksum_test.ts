/** The SDK accepts the addresses that the service accepts, so that no part of a batch is charged in vain. */
import { assertEquals } from "@std/assert";
import { getAddress } from "viem";
import { isAddress } from "../../sdk/checksum.ts";
import { readAddress } from "../../services/platform/address_schema.ts";
import { fc } from "../support/properties.ts";

const PREFIXES = [
  "",
  "avax:",
  "eip155:43114:",
  "ethereum:",
  "eth:",
  "eip155:1:",
];
const SUFFIXES = ["", "@43114", "@1", "/"];

Deno.test("isAddress() of the SDK agrees with the service", () => {
  const counts = { accepted: 0, refused: 0 };
  const bytes = fc.uint8Array({ minLength: 20, maxLength: 20 });
  fc.assert(
    fc.property(
      bytes,
      fc.constantFrom(...PREFIXES),
      fc.constantFrom(...SUFFIXES),
      fc.constantFrom("checksum", "lower", "upper", "broken"),
      (bytes, prefix, suffix, form) => {
        const checked = getAddress(`0x${bytes.toHex()}`).slice(2);
        const swapped = checked.replace(
          /[a-fA-F]/,
          (digit) =>
            /[a-f]/.test(digit) ? digit.toUpperCase() : digit.toLowerCase(),
        );
        const digits = {
          checksum: checked,
          lower: checked.toLowerCase(),
          upper: checked.toUpperCase(),
          broken: swapped,
        }[form]!;
        const text = `${prefix}0x${digits}${suffix}`;
        const isAccepted = "address" in readAddress(text);
        counts[isAccepted ? "accepted" : "refused"]++;
        assertEquals(isAddress(text), isAccepted, text);
      },
    ),
    { numRuns: 500 },
  );
  assertEquals(Math.min(counts.accepted, counts.refused) > 10, true);
});
