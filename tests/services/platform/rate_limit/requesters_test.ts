/** Who a call is made for. */
import { assertEquals } from "@std/assert";
import {
  changeRequester,
  freeRequester,
  planRequester,
  requesterOfClient,
  SERVICE,
  usedByOf,
  visitorRequester,
} from "../../../../services/platform/rate_limit/call_budget.ts";
import { PLANS } from "../../../../services/payments/plans_schema.ts";

Deno.test("whoever may be a stranger has a cap on what he uses, and so has each of his networks", () => {
  const host = "2001:db8::1";
  const strangers = [
    requesterOfClient(host),
    visitorRequester(host),
    freeRequester("0xa", PLANS.free.turns, host),
    planRequester("0xa", PLANS.scale.turns),
    changeRequester({ wallet: "0xa", hostname: host }),
  ];
  for (const { of, parties } of strangers) {
    assertEquals(parties.length > 0, true, of);
    assertEquals(parties.every(({ cap }) => cap < 1), true, of);
  }
  assertEquals(requesterOfClient(undefined), SERVICE);
  assertEquals(visitorRequester(undefined).parties, []);
  const { parties } = changeRequester({ wallet: "0xa", hostname: null });
  assertEquals(parties.map(({ name }) => name), ["0xa"]);
  const [wallet, network] =
    freeRequester("0xa", PLANS.free.turns, host).parties;
  assertEquals([undefined, wallet, network].map(usedByOf), [
    "everyone",
    "wallet",
    "network",
  ]);
});
