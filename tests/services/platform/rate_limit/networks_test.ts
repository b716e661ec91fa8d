/** Network addresses: which count as one client, and which a trusted proxy wrote. */
import { assertEquals } from "@std/assert";
import {
  forwardedFor,
  networkList,
  networkOf,
  networksOf,
} from "../../../../services/platform/rate_limit/networks.ts";
import { fc } from "../../../support/properties.ts";

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

// Lists of networks: which addresses are in them.

Deno.test("networkList finds addresses of either family, mapped ones too, and never an unknown one", () => {
  const isIn = networkList([
    "10.1.2.3/8",
    "2001:db8::5/32",
    "192.0.2.7",
    "::ffff:172.16.0.0/108",
  ]);
  const cases: [string | null, boolean][] = [
    ["10.255.0.1", true],
    ["::ffff:10.255.0.1", true],
    ["::FFFF:0AFF:0001", true],
    ["11.0.0.0", false],
    ["9.255.255.255", false],
    ["192.0.2.7", true],
    ["192.0.2.8", false],
    ["2001:DB8:ffff::1", true],
    ["2001:db9::", false],
    ["172.31.255.255", true],
    ["::ffff:ac1f:ffff", true],
    ["172.32.0.0", false],
    ["::10.255.0.1", false],
    ["", false],
    ["unknown", false],
    [null, false],
  ];
  for (const [hostname, expected] of [...cases, ...cases.toReversed()]) {
    assertEquals(isIn(hostname), expected, `${hostname}`);
  }
});

Deno.test("the network of all addresses of one family holds none of the other", () => {
  for (const address of ["192.0.2.1", "::ffff:192.0.2.1", "::ffff:c000:201"]) {
    assertEquals(networkList(["::/0"])(address), false, address);
  }
  assertEquals(networkList(["0.0.0.0/0"])("2001:db8::1"), false);
});

Deno.test("10,000 addresses are in the networks that share their first bits", () => {
  // Few distinct bytes, so that about half of the addresses are in a network.
  const bytes = (length: number) =>
    fc.array(fc.constantFrom(0, 1, 128, 192, 255), {
      minLength: length,
      maxLength: length,
    });
  const address = fc.oneof(bytes(4), bytes(16));
  const network = address.chain((bytes) =>
    fc.tuple(
      fc.constant(bytes),
      fc.integer({ min: 0, max: 8 * bytes.length }),
    )
  );
  const textOf = (bytes: readonly number[]) =>
    bytes.length === 4
      ? bytes.join(".")
      : Array.from({ length: 8 }, (_, nth) =>
        (bytes[2 * nth]! * 256 + bytes[2 * nth + 1]!).toString(16)).join(":");
  const bitsOf = (bytes: readonly number[]) =>
    bytes.map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const property = fc.property(
    fc.array(network, { minLength: 1, maxLength: 4 }),
    address,
    (networks, bytes) => {
      const expected = networks.some(([base, length]) =>
        base.length === bytes.length &&
        bitsOf(bytes).startsWith(bitsOf(base).slice(0, length))
      );
      const isIn = networkList(
        networks.map(([base, length]) => `${textOf(base)}/${length}`),
      );
      assertEquals(isIn(textOf(bytes)), expected);
      assertEquals(isIn(textOf(bytes)), expected, "from memory");
    },
  );
  fc.assert(property, { numRuns: 10_000 });
});
