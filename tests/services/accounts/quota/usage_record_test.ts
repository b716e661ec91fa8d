/** The record of a wallet as it is stored: nothing of it is lost, and it is small. */
import { assert, assertEquals } from "@std/assert";
import { serialize } from "node:v8";
import { METERED_NAMES } from "../../../../services/payments/plans_schema.ts";
import {
  NO_USAGE,
  type WalletUsage,
} from "../../../../services/accounts/quota/quota.ts";
import {
  pack,
  sizeOf,
  unpack,
} from "../../../../services/accounts/quota/usage_store.ts";
import { fc } from "../../../support/properties.ts";

/** Marks of three commits, as large as they come. */
const MARKS = [2 ** 30 - 1, 2 ** 30 - 1, 2 ** 30 - 1];

/** Counters as they come about: their units end with the last slot that counted. */
const counter = fc.record({
  since: fc.nat(500_000),
  units: fc.array(fc.nat(1_500_000), { minLength: 1, maxLength: 40 }),
});

/** Times a few days or many years apart, in any order. */
const log = fc.integer({ min: 2 ** 31, max: 2 ** 42 }).chain((latest) => {
  const far = fc.integer({ min: 2 ** 30, max: latest });
  const near = fc.nat(2 ** 29).map((ms) => latest - ms);
  return fc.array(fc.oneof(far, near), { maxLength: 70 });
});

const usages: fc.Arbitrary<WalletUsage> = fc.record({
  period: fc.record({
    hours: counter,
    days: fc.dictionary(fc.constantFrom(...METERED_NAMES), counter),
  }),
  bursts: fc.dictionary(fc.uuid(), fc.record({ single: log, batch: log }), {
    maxKeys: 5,
  }),
  keys: fc.dictionary(fc.uuid(), counter, { maxKeys: 5 }),
});

Deno.test("unpack() returns the usage that pack() was given", () => {
  fc.assert(fc.property(usages, (usage) => {
    const { period, bursts, keys } = unpack(
      structuredClone(pack(usage, MARKS)),
    );
    assertEquals(period.hours, usage.period.hours);
    assertEquals({ ...period.days }, { ...usage.period.days });
    assertEquals({ ...bursts }, { ...usage.bursts });
    assertEquals({ ...keys }, { ...usage.keys });
  }));
});

Deno.test("a wallet that has nothing stored has spent nothing", () => {
  assertEquals(unpack(null), NO_USAGE);
  assertEquals(unpack(pack(NO_USAGE, MARKS)), NO_USAGE);
});

/** Times of requests that come at the rate of the burst limit. */
const logOf = (length: number) =>
  Array.from({ length }, (_, nth) => 2 ** 40 + 1_009 * nth);

Deno.test("sizeOf() is at least what a record takes, and at most 10 bytes more", () => {
  for (const length of [0, 1, 5, 60]) {
    const id = crypto.randomUUID();
    const days = { since: 20_000, units: [1_000] };
    const record = pack({
      period: {
        hours: { since: 490_000, units: [500, 500] },
        days: { score: days },
      },
      bursts: { [id]: { single: logOf(length), batch: [] } },
      keys: { [id]: days },
    }, MARKS);
    // A copy: after property tests, V8 makes the arrays of `pack()` in a form that takes more.
    const stored = serialize(JSON.parse(JSON.stringify(record)));
    const excess = sizeOf(record) - stored.byteLength;
    assert(excess >= 0 && excess <= 10, `${length} requests: ${excess}`);
  }
});

Deno.test("the largest record of ten keys and 61 counters takes 27 kB of the 64 that a value may have", () => {
  const units = Array<number>(721).fill(1_000);
  const days = Object.fromEntries(
    METERED_NAMES.map((
      name,
    ) => [name, { since: 1, units: units.slice(0, 31) }]),
  );
  const burst = { single: logOf(60), batch: logOf(10) };
  const bursts = Object.fromEntries(
    Array.from({ length: 10 }, () => [crypto.randomUUID(), burst]),
  );
  const keys = Object.fromEntries(
    Array.from({ length: 61 }, () => [
      crypto.randomUUID(),
      { since: 1, units: units.slice(0, 31) },
    ]),
  );
  const period = { hours: { since: 1, units }, days };
  const record = pack({ period, bursts, keys }, MARKS);
  const { byteLength } = serialize(record);
  assert(byteLength < 27_000, `${byteLength} bytes`);
});
