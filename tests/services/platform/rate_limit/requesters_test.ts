/** Who a call is made for. */
import { assertEquals } from "@std/assert";
import {
  changeRequester,
  freeRequester,
  networkParties,
  paidRequester,
  SERVICE,
  usedByOf,
} from "../../../../services/platform/rate_limit/requesters.ts";

Deno.test("requesters have a class, and parties with the weights of their shares", () => {
  const network = networkParties("192.0.2.1");
  assertEquals(network.length > 0, true);
  assertEquals(network.every(({ weight }) => weight === 1), true);
  assertEquals(SERVICE, { of: "service", parties: [] });
  assertEquals(paidRequester("0xa", 250).parties, [{ name: "0xa", weight: 1 }]);
  assertEquals(paidRequester("0xa", 50), {
    of: "paid",
    parties: [{ name: "0xa", weight: 0.2 }],
  });
  assertEquals(freeRequester({}), { of: "free", parties: [] });
  assertEquals(freeRequester({ wallet: "0xa", hostname: "192.0.2.1" }), {
    of: "free",
    parties: [{ name: "0xa", weight: 0.5 }, ...network],
  });
  assertEquals(changeRequester({ wallet: "0xa", hostname: null }), {
    of: "service",
    parties: [{ name: "0xa", weight: 1 }],
  });
  const change = changeRequester({ wallet: "0xa", hostname: "192.0.2.1" });
  assertEquals(change.parties, [{ name: "0xa", weight: 1 }, ...network]);
  const used = [undefined, change.parties[0], network[0]].map(usedByOf);
  assertEquals(used, ["everyone", "wallet", "network"]);
});
