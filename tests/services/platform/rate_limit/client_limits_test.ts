/** Rate limits of requests without a session, by network. */
import { assertEquals, assertRejects } from "@std/assert";
import { limitClient } from "../../../../services/platform/rate_limit/client_limits.ts";
import { Fault } from "../../../../services/platform/fault.ts";
import { testDeps } from "../../../support/deps.ts";

Deno.test("limitClient() counts the addresses of one network together", async () => {
  using deps = await testDeps();
  for (let nth = 0; nth < 12; nth++) {
    await limitClient(deps, "challenge", `2001:db8:1:2::${nth}`);
  }
  await limitClient(deps, "challenge", "2001:db8:1:3::1");
  await limitClient(deps, "keyCreation", "2001:db8:1:2::1");
  const error = await assertRejects(
    () => limitClient(deps, "challenge", "2001:db8:1:2::abcd"),
    Fault,
  );
  assertEquals(error.failure.kind, "tooManyChanges");
  assertEquals(
    error.message,
    "Rate limit of this network exceeded: expected at most 12 sign-in messages a minute and 120 sign-in messages an hour; try again in 61 seconds",
  );
});

Deno.test("limitClient() bounds the new keys of a /64, a /56 and a /48 together", async () => {
  using deps = await testDeps();
  /** Counts the keys that networks get until one is refused. */
  async function count(addresses: readonly string[]): Promise<number> {
    for (const [nth, address] of addresses.entries()) {
      try {
        await limitClient(deps, "keyCreation", address);
      } catch {
        return nth;
      }
    }
    return addresses.length;
  }
  const from = (address: (nth: number) => string) =>
    Array.from({ length: 60 }, (_, nth) => address(nth));
  const hex = (nth: number) => nth.toString(16).padStart(2, "0");
  assertEquals(await count(from((nth) => `2001:db8:1:100::${nth}`)), 20);
  assertEquals(await count(from((nth) => `2001:db8:2:1${hex(nth)}::1`)), 20);
  assertEquals(await count(from((nth) => `2001:db8:3:${hex(nth)}00::1`)), 40);
  assertEquals(await count(["2001:db8:4::1", "192.0.2.1"]), 2);
});
