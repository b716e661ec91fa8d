/** Transactions of a hosted database are as few as fit into small requests. */
import { assert, assertEquals } from "@std/assert";
import { chargeOf } from "../../services/accounts/quota/quota.ts";
import { usageStore } from "../../services/accounts/quota/usage_store.ts";
import { sharedReads } from "../../services/platform/kv/reads.ts";
import { startKvConnect, takeAsked } from "../support/kv_connect/kv_connect.ts";
import { payerOf } from "../support/payers.ts";

const NOW = Date.parse("2026-11-21T08:17:03.120Z");
const SINGLE = chargeOf("growth", "score");

/** Deno's client sends a request of this size in two parts, of which the second waits. */
const TWO_PARTS = 1_024;

Deno.test("calls of one turn are counted three wallets a transaction, each sent in one part", async () => {
  using server = await startKvConnect();
  const url = server.newDatabase();
  using kv = await Deno.openKv(url);
  const usage = usageStore(kv, sharedReads(kv), { isHosted: true });
  const payers = Array.from(
    { length: 12 },
    (_, nth) =>
      payerOf(`0x${String(nth).padStart(40, "0")}`, crypto.randomUUID()),
  );
  for (let nth = 0; nth < 5; nth++) {
    await takeAsked(url);
    const now = NOW + 400 * nth;
    await Promise.all(payers.map((payer) => usage.spend(payer, SINGLE, now)));
  }
  const { bytesIn, writes } = await takeAsked(url);
  assertEquals(writes, 4);
  assert(bytesIn / writes < TWO_PARTS, `${bytesIn / writes} bytes`);
  for (const payer of payers) {
    assertEquals((await usage.read(payer)).burst.single.length, 5);
  }
});
