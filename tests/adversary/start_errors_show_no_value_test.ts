/** A start error names settings and shows no value. */
import { assert, assertStringIncludes, assertThrows } from "@std/assert";
import { readConfig } from "../../services/config.ts";
import { SETTING_NAMES } from "../../services/settings.ts";

const SECRET = "pr0v1der-k3y";

Deno.test("no invalid setting is printed with its value", async (t) => {
  const values = [
    SECRET,
    `ftp://node.test/${SECRET}`,
    `https://user:${SECRET}@node.test`,
    `https://one.test, //${SECRET}`,
    `0x${SECRET}`,
  ];
  let refused = 0;
  for (const name of SETTING_NAMES) {
    await t.step(name, () => {
      for (const value of values) {
        try {
          readConfig({ [name]: value });
          continue;
        } catch {
          refused++;
        }
        const { message, cause } = assertThrows(
          () => readConfig({ [name]: value }),
          Error,
        );
        assert(!message.includes(SECRET) && cause === undefined, message);
        assertStringIncludes(message, "Cannot start: invalid ");
      }
    });
  }
  assert(refused > 50, String(refused));
});
