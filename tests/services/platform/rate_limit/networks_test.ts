/** Network addresses: which count as one client, and which a trusted proxy wrote. */
import { assertEquals } from "@std/assert";
import {
  forwardedFor,
  networkOf,
  networksOf,
} from "../../../../services/platform/rate_limit/networks.ts";

Deno.test("networkOf() returns an IPv4 address whole, and the first 64 bits of IPv6", async (t) => {
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

Deno.test("networksOf() returns the /64, /56 and /48 of IPv6, also of a /64", () => {
  const networks = [
    "2001:db8:1:1234::/64",
    "2001:db8:1:1200::/56",
    "2001:db8:1::/48",
  ];
  assertEquals(networksOf("2001:db8:1:1234:5::6"), networks);
  assertEquals(networksOf("2001:db8:1:1234::/64"), networks);
  assertEquals(networksOf("203.0.113.7"), ["203.0.113.7"]);
});

Deno.test("forwardedFor() returns the nth address from the right; null if it is invalid", async (t) => {
  const cases: [header: string, hops: number, address: string | null][] = [
    ["203.0.113.7", 1, "203.0.113.7"],
    ["198.51.100.1, 203.0.113.7", 1, "203.0.113.7"],
    ["198.51.100.1,203.0.113.7 , 192.0.2.1", 2, "203.0.113.7"],
    ["203.0.113.7:49152", 1, "203.0.113.7"],
    ["2001:DB8::1", 1, "2001:db8::1"],
    ["[2001:db8::1]", 1, "2001:db8::1"],
    ["[2001:db8::1]:49152", 1, "2001:db8::1"],
    ["203.0.113.7", 2, null],
    ["", 1, null],
    ["203.0.113.7,", 1, null],
    ["unknown", 1, null],
    ["_hidden", 1, null],
    ["203.0.113.256", 1, null],
    ["203.0.113", 1, null],
    ["0x7f.0.0.1", 1, null],
    ["010.0.0.1", 1, null],
    ["203.0.113.7 evil", 1, null],
    ["[2001:db8::1", 1, null],
    ["2001:db8::1::2", 1, null],
    ["[203.0.113.7]", 1, null],
    ["example.com:80", 1, null],
  ];
  for (const [header, hops, address] of cases) {
    await t.step(`${hops} of "${header}"`, () => {
      assertEquals(forwardedFor(header, hops), address);
    });
  }
});
