import { assertEquals } from "@std/assert";
import { ADDRESS } from "../../../services/platform/address_schema.ts";

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
