/** Domains that somebody can own. */
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { checkDomain } from "../../../../services/profiles/socials/domain_names.ts";
import { Fault } from "../../../../services/platform/fault.ts";

Deno.test("checkDomain() gives a registered domain in its one form", async (t) => {
  const cases: [text: string, domain: string][] = [
    ["firn.network", "firn.network"],
    ["Firn.NETWORK.", "firn.network"],
    [" firn.co.uk ", "firn.co.uk"],
    ["münchen.de", "xn--mnchen-3ya.de"],
    ["MÜNCHEN.de", "xn--mnchen-3ya.de"],
    ["xn--mnchen-3ya.de", "xn--mnchen-3ya.de"],
    ["firn。network", "firn.network"],
    ["ada.github.io", "ada.github.io"],
  ];
  for (const [text, domain] of cases) {
    await t.step(text, async () => {
      assertEquals(await checkDomain(text), domain);
    });
  }
});

Deno.test("checkDomain() refuses what nobody registers, and names the domain where it can", async (t) => {
  const cases: [text: string, hint: RegExp][] = [
    ["www.firn.network", /: firn\.network$/],
    ["a.b.firn.co.uk", /: firn\.co\.uk$/],
    ["_firn.firn.network", /: firn\.network$/],
    ["com", /accepted is/],
    ["co.uk", /accepted is/],
    ["github.io", /accepted is/],
    ["localhost", /accepted is/],
    ["firn.local", /accepted is/],
    ["firn.internal", /accepted is/],
    ["firn.test", /accepted is/],
    ["127.0.0.1", /accepted is/],
    ["127.1", /accepted is/],
    ["0x7f.1", /accepted is/],
    ["2130706433", /accepted is/],
    ["[::1]", /accepted is/],
    ["169.254.169.254", /accepted is/],
    ["", /accepted is/],
    [".", /accepted is/],
    ["firn..network", /accepted is/],
    ["-firn.network", /accepted is/],
    ["firn.network/x", /accepted is/],
    ["firn.network:53", /accepted is/],
    ["user@firn.network", /accepted is/],
    ["https://firn.network", /accepted is/],
    ["firn.network?x", /accepted is/],
    ["firn.network#x", /accepted is/],
    ["firn%2enetwork", /accepted is/],
    ["firn .network", /accepted is/],
    ["firn.network\u0000", /accepted is/],
    [`${"a".repeat(64)}.com`, /accepted is/],
    [`${"a.".repeat(200)}com`, /accepted is/],
  ];
  for (const [text, hint] of cases) {
    await t.step(JSON.stringify(text), async () => {
      const fault = await assertRejects(() => checkDomain(text), Fault);
      assertMatch(fault.message, hint);
      assertEquals(fault.failure, { kind: "badInput", parameter: "domain" });
    });
  }
});
