/** Rate limits of claims. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { newPayer, paidDeps } from "../../support/evm/payers.ts";

const MINUTE_MS = 60_000;

Deno.test("POST /claims reads at most 20 transactions a minute per wallet; used ones do not count", async () => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  const { quoteId } = await payer.quote("growth");
  const used = payer.pay(249_000_000n);
  assertEquals((await payer.claim(quoteId, used)).status, 200);
  const unknown = `0x${"12".repeat(32)}`;
  for (let nth = 0; nth < 19; nth++) {
    assertEquals((await payer.claim(quoteId, unknown)).status, 422);
    assertEquals((await payer.claim(quoteId, used)).status, 409);
  }
  const { status, body, headers } = await payer.claim(quoteId, unknown);
  assertEquals(status, 429);
  assertMatch(body.error, /: the share of this wallet of the 40 checks /);
  assert(Number(headers.get("Retry-After")) > 0);
});

Deno.test("POST /claims for unknown transactions takes at most half of a node's calls", async () => {
  let calls = 0;
  using deps = await paidDeps({
    nodes: (chain) => [(request) => (calls++, chain.node()(request))],
  });
  const statuses = new Set<number>();
  for (let nth = 1; nth <= 8; nth++) {
    const payer = await newPayer(deps, nth);
    const { quoteId } = await payer.quote("growth");
    for (let claim = 0; claim < 20; claim++) {
      const hash = `0x${"12".repeat(32)}`;
      const { status, headers } = await payer.claim(quoteId, hash);
      statuses.add(status);
      assertEquals(headers.has("Retry-After"), status === 429);
    }
  }
  assertEquals([...statuses], [422, 429]);
  assert(calls <= 120, `${calls} of 240 a minute`);
  deps.advance(MINUTE_MS + 2_000);
  const payer = await newPayer(deps, 9);
  const { body } = await payer.buy("growth");
  assertEquals(body.status, "active", "a minute later all is well");
});
