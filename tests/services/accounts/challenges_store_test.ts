/** One-time messages in the store: each can be used once. */
import { assertEquals } from "@std/assert";
import {
  type Challenge,
  challengeStore,
} from "../../../services/accounts/challenges_store.ts";

const CHALLENGE: Challenge = {
  address: `0x${"aa".repeat(20)}`,
  action: "session",
  params: {},
  issuedAt: 0,
  expiresAt: 600_000,
};

Deno.test("take() gives a challenge to one of many, over two handles on one file", async () => {
  const file = await Deno.makeTempFile({ suffix: ".sqlite3" });
  {
    using here = await Deno.openKv(file);
    using there = await Deno.openKv(file);
    const stores = [challengeStore(here), challengeStore(there)];
    for (let nth = 0; nth < 20; nth++) {
      const nonce = `nonce${nth}`;
      await stores[0]!.put(nonce, CHALLENGE);
      const taken = await Promise.all(
        [...stores, ...stores, ...stores].map((store) => store.take(nonce)),
      );
      assertEquals(taken.filter((challenge) => challenge !== null), [
        CHALLENGE,
      ]);
      assertEquals(await stores[1]!.take(nonce), null);
    }
  }
  await Deno.remove(file);
});
