/** Pending verifications of accounts: each is taken once, and ends at its instant. */
import { assertEquals } from "@std/assert";
import { socialProofStore } from "../../../services/profiles/social_proofs_store.ts";

const WALLET = `0x${"aa".repeat(20)}`;
const DOMAIN = "example.com";
const claimOf = (token: string, expiresAt: number) => ({ token, expiresAt });

Deno.test("putClaim() keeps a pending verification until the instant of its end", async () => {
  using kv = await Deno.openKv(":memory:");
  const { findClaim, putClaim } = socialProofStore(kv);
  assertEquals(await findClaim(WALLET, DOMAIN, 0), null);
  const [first, second] = [claimOf("first", 100), claimOf("second", 300)];
  const steps = [[first, 0, first], [second, 99, first], [second, 100, second]];
  for (
    const [claim, now, expected] of steps as [
      typeof first,
      number,
      typeof first,
    ][]
  ) {
    const put = { domain: DOMAIN, claim, now };
    assertEquals(await putClaim(WALLET, put), expected, String(now));
    assertEquals(await findClaim(WALLET, DOMAIN, now), expected);
  }
  assertEquals(await findClaim(WALLET, DOMAIN, 300), null);
  assertEquals(await findClaim(WALLET, "example.org", 100), null);
});

Deno.test("takeState() gives a sign-in to one of many", async () => {
  using kv = await Deno.openKv(":memory:");
  const { putState, takeState } = socialProofStore(kv);
  const state = {
    wallet: WALLET,
    session: "session",
    browser: "browser",
    codeVerifier: "verifier",
    expiresAt: 1,
  };
  await putState("hash", state);
  const taken = await Promise.all([1, 2, 3].map(() => takeState("hash")));
  assertEquals(taken.filter((each) => each !== null), [state]);
});
