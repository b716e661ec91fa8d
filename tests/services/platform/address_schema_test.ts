/** Addresses as people and wallets write them. */
import { assertEquals, assertMatch } from "@std/assert";
import { getAddress } from "viem";
import {
  ADDRESS,
  hasChecksum,
  readAddress,
} from "../../../services/platform/address_schema.ts";
import { fc } from "../../support/properties.ts";

/** An address in EIP-55's own list. */
const CHECKED = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const LOWER = CHECKED.toLowerCase();

Deno.test("ADDRESS has 40 hexadecimal digits in any case, and nothing around them", () => {
  const digits = "52908400098527886E0F7030069857d2e4169ee7";
  const others = [
    digits,
    `0X${digits}`,
    ` 0x${digits}`,
    `0x${digits}0`,
    `0x${digits.slice(1)}`,
    `0x${digits.slice(1)}g`,
  ];
  assertEquals(
    [`0x${digits}`, ...others].filter((text) => ADDRESS.test(text)),
    [
      `0x${digits}`,
    ],
  );
});

Deno.test("readAddress() accepts one case, a valid checksum, and the C-Chain's own prefixes", () => {
  for (
    const text of [
      CHECKED,
      LOWER,
      `0x${CHECKED.slice(2).toUpperCase()}`,
      `avax:${CHECKED}`,
      `eip155:43114:${CHECKED}`,
      `ethereum:${CHECKED}@43114`,
      `ethereum:${LOWER}`,
    ]
  ) assertEquals(readAddress(text), { address: LOWER }, text);
});

Deno.test("readAddress() refuses broken checksums, other chains and other texts, each with its words", () => {
  const broken = CHECKED.replace("aA", "Aa");
  const cases: [text: string, words: RegExp][] = [
    [broken, /checksum \(EIP-55\).*typing error/],
    [`avax:${broken}`, /checksum/],
    [CHECKED.replace("60", "61"), /checksum/],
    [`eth:${CHECKED}`, /not of another chain/],
    [`eip155:1:${CHECKED}`, /not of another chain/],
    [`eip155:${CHECKED}`, /not of another chain/],
    [`ethereum:${CHECKED}@1`, /not of another chain/],
    [`avax:${CHECKED}@1`, /not of another chain/],
    [`${CHECKED}@1`, /not of another chain/],
    [`avax:${LOWER.slice(0, -1)}`, /40 hexadecimal digits/],
    [`https:${LOWER}/`, /40 hexadecimal digits/],
    [LOWER.slice(2), /40 hexadecimal digits/],
    ["", /40 hexadecimal digits/],
  ];
  for (const [text, words] of cases) {
    const read = readAddress(text);
    assertMatch("expected" in read ? read.expected : "accepted", words, text);
  }
});

Deno.test("hasChecksum() agrees with an independent EIP-55, and finds every changed case", () => {
  const bytes = fc.uint8Array({ minLength: 20, maxLength: 20 });
  fc.assert(fc.property(bytes, fc.nat(39), (bytes, at) => {
    const address = getAddress(`0x${bytes.toHex()}`);
    assertEquals(hasChecksum(address), true);
    const digit = address[at + 2]!;
    const other = digit === digit.toUpperCase()
      ? digit.toLowerCase()
      : digit.toUpperCase();
    const changed = address.slice(0, at + 2) + other + address.slice(at + 3);
    const isMixed = /[a-f]/.test(changed) && /[A-F]/.test(changed.slice(2));
    if (other !== digit && isMixed) assertEquals(hasChecksum(changed), false);
  }));
});
