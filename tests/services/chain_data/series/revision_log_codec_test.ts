import { assert, assertEquals } from "@std/assert";
import { fc } from "../../../support/properties.ts";
import {
  appendEntries,
  type Cause,
  decodeLog,
  encodeLog,
  hasRevisions,
  type LogEntry,
  type LogEvent,
  type YearLog,
} from "../../../../services/chain_data/series/revision_log_codec.ts";
import { seenDays } from "../../../../services/chain_data/series/revision_log.ts";
import { DAY_MS, startOfYear } from "../../../../services/platform/days.ts";
import { randomFrom } from "../../../support/random.ts";

const YEAR = 2028;
const REVISIONS = ["restated", "withdrawn", "returned", "published"] as const;
const START = startOfYear(YEAR);
const DAYS = 366;

/** Series of the service, by the budget: 200 chains × 13 metrics. */
const SERIES = 2_600;

const day = fc.integer({ min: START, max: START + DAYS - 1 });
const event: fc.Arbitrary<LogEvent> = fc.oneof(
  fc.tuple(fc.constantFrom("seen", "marked", "cleared"), day, day).map(
    ([kind, a, b]) =>
      ({ kind, from: Math.min(a, b), to: Math.max(a, b) }) as LogEvent,
  ),
  fc.record({
    kind: fc.constantFrom<Cause>(...REVISIONS, "growth"),
    day,
    old: fc.oneof(
      fc.constant(NaN),
      fc.nat(),
      fc.maxSafeNat(),
      fc.double({ noNaN: true }).filter((value) => !Object.is(value, -0)),
    ),
  }),
);
const entries = fc.array(
  fc.record({
    at: fc.integer({ min: 1, max: 3e12 }),
    events: fc.array(event, { minLength: 1, maxLength: 5 }),
  }),
  { maxLength: 20 },
).map((entries) => entries.toSorted((a, b) => a.at - b.at));

Deno.test("decodeLog() returns what was encoded, entry by entry or at once", () => {
  fc.assert(
    fc.property(entries, (entries) => {
      const whole = encodeLog(YEAR, { isCut: false, entries });
      assertEquals(decodeLog(whole), { isCut: false, entries });
      let log: YearLog | undefined;
      for (const entry of entries) log = appendEntries(YEAR, log, [entry]);
      assertEquals(log?.bytes ?? whole.bytes, whole.bytes);
      const changed = entries.flatMap(({ events }) => events)
        .some(({ kind }) => REVISIONS.some((cause) => cause === kind));
      assertEquals(hasRevisions(whole), changed);
    }),
    { numRuns: 1_000, seed: 15 },
  );
});

Deno.test("a log above 48 KiB drops its older half, but no day that was seen", () => {
  const random = randomFrom(7);
  const entryOf = (nth: number): LogEntry => {
    const at = nth * 1_000;
    const day = START + (nth < DAYS ? nth : Math.floor(random() * DAYS));
    const event: LogEvent = nth < DAYS
      ? { kind: "seen", from: day, to: day }
      : { kind: "restated", day, old: random() };
    return { at, events: [event] };
  };
  const entries = Array.from({ length: 3_500 }, (_, nth) => entryOf(nth));
  let log = encodeLog(YEAR, { isCut: false, entries });
  for (let nth = 3_500; !decodeLog(log).isCut; nth++) {
    log = appendEntries(YEAR, log, [entryOf(nth)]);
    assert(log.bytes.length <= 48 * 1024);
  }
  assertEquals(seenDays([log]).size, DAYS);
  assert(decodeLog(log).entries.length > 1_000, "the newer half stays");
});

/**
 * Returns the log of a year whose days are read once a day, at varying times, of
 * which some are revised within two weeks.
 */
function yearOfReads(revised: number, old: () => number): YearLog {
  const random = randomFrom(revised);
  const revisions = new Map<number, number[]>();
  for (let nth = 0; nth < DAYS; nth++) {
    if (random() >= revised) continue;
    const seenOn = Math.min(DAYS - 1, nth + 1 + Math.floor(random() * 14));
    revisions.set(seenOn, [...revisions.get(seenOn) ?? [], START + nth]);
  }
  let log: YearLog | undefined;
  for (let nth = 0; nth < DAYS; nth++) {
    const at = (START + nth + 1) * DAY_MS + Math.floor(random() * 4 * 3.6e6);
    const entry: LogEntry = {
      at,
      events: [
        { kind: "seen", from: START + nth, to: START + nth },
        ...(revisions.get(nth) ?? []).map((day) =>
          ({ kind: "restated", day, old: old() }) as const
        ),
      ],
    };
    log = appendEntries(YEAR, log, [entry]);
  }
  return log!;
}

Deno.test("a year stays below 6 kB if every day is revised, and 2,600 series below 15 MB a year", () => {
  const random = randomFrom(3);
  const fraction = () => random() * 1e6;
  const worst = yearOfReads(1, fraction).bytes.length;
  assert(worst < 6_000, `${worst} bytes`);
  assert(worst * SERIES < 15e6, `${worst * SERIES} bytes`);
});

Deno.test("revisions at the rate of real sources take below 1 MB a year for 2,600 series, and the instants of all days 4 MB", () => {
  const random = randomFrom(4);
  const fraction = () => random() * 1e6;
  const seen = yearOfReads(0, fraction).bytes.length;
  for (const rate of [6 / 90, 13 / 225]) {
    const bytes = yearOfReads(rate, fraction).bytes.length - seen;
    assert(bytes * SERIES < 1e6, `${bytes * SERIES} bytes`);
  }
  assert(seen * SERIES < 4e6, `${seen * SERIES} bytes`);
});
