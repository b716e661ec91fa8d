/** Limits by client: who counts as one, and what is kept of them. */
import { assertEquals, assertRejects } from "@std/assert";
import { limitClient, networkOf } from "../../services/client_limits.ts";
import { Fault } from "../../services/domain/fault.ts";
import { testDeps } from "../support/deps.ts";

Deno.test("networkOf() takes an IPv4 address whole and of IPv6 the first 64 bits", async (t) => {
  const cases: [hostname: string, network: string][] = [
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "::ffff:203.0.113.7"],
    ["::1", "0:0:0:0::/64"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2::9", "2001:db8:1:2::/64"],
    ["2001:db8::", "2001:db8:0:0::/64"],
    ["2001:db8:0:0:1::", "2001:db8:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["unknown", "unknown"],
  ];
  for (const [hostname, network] of cases) {
    await t.step(hostname, () => assertEquals(networkOf(hostname), network));
  }
});

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
  assertEquals((error as Fault).failure.kind, "tooManyChanges");
});
