/** Validation of registered domains. */
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { checkDomain } from "../../../../services/profiles/socials/social_names.ts";
import { Fault } from "../../../../services/platform/fault.ts";

Deno.test("checkDomain() returns the normalized registered domain", async (t) => {
  const cases: [text: string, domain: string][] = [
    ["firn.network", "firn.network"],
    ["Firn.NETWORK.", "firn.network"],
    [" firn.co.uk ", "firn.co.uk"],
    ["münchen.de", "xn--mnchen-3ya.de"],
    ["MÜNCHEN.de", "xn--mnchen-3ya.de"],
    ["xn--mnchen-3ya.de", "xn--mnchen-3ya.de"],
    ["firn。network", "firn.network"],
  ];
  for (const [text, domain] of cases) {
    await t.step(text, async () => {
      assertEquals(await checkDomain(text), domain);
    });
  }
});

const REFUSED =
  /expected a registered domain without a subdomain, such as example.com$/;
const PRIVATE =
  /, and none under the private suffix (github\.io|duckdns\.org)$/;

Deno.test("checkDomain() rejects names that are not registered domains, and suggests the domain", async (t) => {
  const cases: [text: string, hint: RegExp][] = [
    ["www.firn.network", /: firn\.network$/],
    ["a.b.firn.co.uk", /: firn\.co\.uk$/],
    ["_firn.firn.network", /: firn\.network$/],
    ["com", REFUSED],
    ["co.uk", REFUSED],
    ["github.io", PRIVATE],
    ["ada.github.io", PRIVATE],
    ["ada.duckdns.org", PRIVATE],
    ["_firn.duckdns.org", PRIVATE],
    ["localhost", REFUSED],
    ["firn.local", REFUSED],
    ["firn.internal", REFUSED],
    ["firn.test", REFUSED],
    ["127.0.0.1", REFUSED],
    ["127.1", REFUSED],
    ["0x7f.1", REFUSED],
    ["2130706433", REFUSED],
    ["[::1]", REFUSED],
    ["169.254.169.254", REFUSED],
    ["", REFUSED],
    [".", REFUSED],
    ["firn..network", REFUSED],
    ["-firn.network", REFUSED],
    ["firn.network/x", REFUSED],
    ["firn.network:53", REFUSED],
    ["user@firn.network", REFUSED],
    ["https://firn.network", REFUSED],
    ["firn.network?x", REFUSED],
    ["firn.network#x", REFUSED],
    ["firn%2enetwork", REFUSED],
    ["firn .network", REFUSED],
    ["firn.network\u0000", REFUSED],
    [`${"a".repeat(64)}.com`, REFUSED],
    [`${"a.".repeat(200)}com`, REFUSED],
  ];
  for (const [text, hint] of cases) {
    await t.step(JSON.stringify(text), async () => {
      const fault = await assertRejects(() => checkDomain(text), Fault);
      assertMatch(fault.message, hint);
      assertEquals(fault.failure, { kind: "badInput", parameter: "domain" });
    });
  }
});

Deno.test("checkDomain() quotes the first 60 characters of what it rejects", async (t) => {
  const long = "a".repeat(61);
  const rule = "expected a registered domain without a subdomain";
  for (const text of [`${long}.github.io`, `${long}.test`]) {
    await t.step(text.slice(61), async () => {
      const { message } = await assertRejects(() => checkDomain(text), Fault);
      const start = `Invalid domain "${"a".repeat(60)}…": ${rule}`;
      assertEquals(message.slice(0, start.length), start);
    });
  }
});
