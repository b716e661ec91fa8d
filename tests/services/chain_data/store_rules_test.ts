/** Store rules of chain data: each record that breaks one, and its neighbours that do not. */
import { encodeLog } from "../../../services/chain_data/series/revision_log_codec.ts";
import { RULES } from "../../../services/stores.ts";
import { DAY_MS, startOfYear } from "../../../services/platform/days.ts";
import { assertRules } from "../../support/kv/rule_cases.ts";

const NEW_YEAR = startOfYear(2025);

/** A year with these values by slot. */
function yearOf(
  year: number,
  values: Readonly<Record<number, number>>,
): Float64Array {
  const slots = new Float64Array(startOfYear(year + 1) - startOfYear(year))
    .fill(NaN);
  for (const [slot, value] of Object.entries(values)) {
    slots[Number(slot)] = value;
  }
  return slots;
}

const logOf = (year: number, from: number, to: number) =>
  encodeLog(year, {
    isCut: false,
    entries: [{ at: 1, events: [{ kind: "seen", from, to }] }],
  }).bytes;

const headOf = (first: number, newest: number) => ({ days: { first, newest } });
const head = ["series", 5, "txCount", "head"];
const of2024 = ["series", 5, "txCount", 2024];
const of2025 = ["series", 5, "txCount", 2025];
const log = ["series", 5, "txCount", "log", 2025];
const twoYears = [
  [["series", 5, "txCount", "log", 2024], new Uint8Array()],
  [of2024, yearOf(2024, { 364: 1 })],
  [of2025, yearOf(2025, { 0: 0, 2: 1 })],
] as const;

const sample = {
  day: 9,
  firstBlock: 10,
  nextDayFirstBlock: 20,
  firstBlockTimestamp: 9 * 86_400,
  nextDayFirstBlockTimestamp: 10 * 86_400,
};

Deno.test("rules of chain data hold for sound records, and for no others", () =>
  assertRules(RULES, [
    {
      rule: "chain-list",
      key: ["chains", "head"],
      cases: [
        ["stored", true, { chainIds: [5] }, [[["chains", 5], { chainId: 5 }]]],
        ["not stored", false, { chainIds: [5, 6] }, [
          [["chains", 5], { chainId: 5 }],
        ]],
        ["under another id", false, { chainIds: [5] }, [
          [["chains", 5], { chainId: 6 }],
        ]],
      ],
    },
    {
      rule: "chain",
      key: ["chains", 5],
      cases: [
        ["listed", true, {}, [[["chains", "head"], { chainIds: [4, 5] }]]],
        ["not listed", false, {}, [[["chains", "head"], { chainIds: [4] }]]],
        ["without a list", false, {}],
      ],
    },
    {
      rule: "chain",
      key: ["chains", "head"],
      cases: [["the list itself", true, { chainIds: [] }]],
    },
    {
      rule: "series",
      key: head,
      cases: [
        ["whole", true, headOf(NEW_YEAR - 2, NEW_YEAR + 2), twoYears],
        ["without days", true, { days: null }],
        ["without days, with a year", false, { days: null }, twoYears],
        ["a year missing", false, headOf(NEW_YEAR - 2, NEW_YEAR + 2), [
          twoYears[2],
        ]],
        ["a later first day", false, headOf(NEW_YEAR - 1, NEW_YEAR + 2), [
          ...twoYears,
        ]],
        ["another newest day", false, headOf(NEW_YEAR - 2, NEW_YEAR + 1), [
          ...twoYears,
        ]],
      ],
    },
    {
      rule: "series-year",
      key: of2025,
      cases: [
        ["with a log", true, yearOf(2025, { 3: 1 }), [[head, {}], [log, {}]]],
        ["empty, without a log", true, yearOf(2025, {}), [[head, {}]]],
        ["without a log", false, yearOf(2025, { 3: 1 }), [[head, {}]]],
        ["without a head", false, yearOf(2025, { 3: 1 }), [[log, {}]]],
        ["a day too long", false, yearOf(2024, {}), [[head, {}], [log, {}]]],
      ],
    },
    {
      rule: "series-year",
      key: of2024,
      cases: [
        ["a leap year", true, yearOf(2024, {}), [[head, {}]]],
        ["a day too short", false, yearOf(2025, {}), [[head, {}]]],
      ],
    },
    { rule: "series-year", key: head, cases: [["the head", true, {}]] },
    {
      rule: "publication",
      key: ["publications", "newest"],
      cases: [
        ["all at once", true, {
          previousAt: 1,
          unpublishedAt: 1,
          publishedAt: 1,
          confirmedAt: 1,
        }],
        ["the first", true, {
          previousAt: null,
          unpublishedAt: null,
          publishedAt: 1,
          confirmedAt: 2,
        }],
        ["without a read before", true, {
          previousAt: 5,
          unpublishedAt: null,
          publishedAt: 1,
          confirmedAt: 2,
        }],
        ["before the previous", false, {
          previousAt: 3,
          unpublishedAt: 2,
          publishedAt: 4,
          confirmedAt: 5,
        }],
        ["before it was absent", false, {
          previousAt: 1,
          unpublishedAt: 3,
          publishedAt: 2,
          confirmedAt: 5,
        }],
        ["confirmed before", false, {
          previousAt: 1,
          unpublishedAt: 2,
          publishedAt: 4,
          confirmedAt: 3,
        }],
      ],
    },
    {
      rule: "sweep",
      key: ["publications", "sweep"],
      cases: [
        ["at once", true, { publishedAt: 1, finishedAt: 1 }],
        ["before", false, { publishedAt: 2, finishedAt: 1 }],
      ],
    },
    {
      rule: "sweep-progress",
      key: ["publications", "progress"],
      cases: [
        ["settled or late", true, { settled: [5], late: [6] }],
        ["both", false, { settled: [5, 6], late: [6] }],
      ],
    },
    {
      rule: "hourly-rest",
      key: ["publications", "rest"],
      cases: [
        ["an hour", true, { from: 1, until: 1 + DAY_MS / 24 }],
        ["longer", false, { from: 1, until: 2 + DAY_MS / 24 }],
      ],
    },
    {
      rule: "validator-day",
      key: ["validator_days", 9],
      cases: [
        ["on its day", true, { day: 9, takenAt: 9 * DAY_MS }],
        ["the day after", false, { day: 9, takenAt: 10 * DAY_MS }],
        ["of another day", false, { day: 10, takenAt: 10 * DAY_MS }],
      ],
    },
    {
      rule: "block-sample",
      key: ["block_samples", 9],
      cases: [
        ["of its day", true, sample],
        ["without blocks", true, { ...sample, firstBlock: 20 }],
        ["backwards", false, { ...sample, firstBlock: 21 }],
        ["of another day", false, { ...sample, day: 8 }],
        ["starts the day before", false, {
          ...sample,
          firstBlockTimestamp: 9 * 86_400 - 1,
        }],
        ["ends on its day", false, {
          ...sample,
          nextDayFirstBlockTimestamp: 10 * 86_400 - 1,
        }],
        ["the next starts there", true, sample, [
          [["block_samples", 10], { firstBlock: 20 }],
        ]],
        ["the next starts later", false, sample, [
          [["block_samples", 10], { firstBlock: 21 }],
        ]],
      ],
    },
    {
      rule: "recheck",
      key: ["rechecks", "txCount"],
      cases: [["a day", true, 5], ["a fraction", false, 5.5]],
    },
    {
      rule: "dispute",
      key: ["disputes", "check", 9],
      cases: [
        ["on its day", true, 9 * DAY_MS],
        ["before its day", false, 9 * DAY_MS - 1],
      ],
    },
    {
      rule: "series-log",
      key: log,
      cases: [
        ["each value was seen", true, logOf(2025, NEW_YEAR, NEW_YEAR + 2), [
          [head, {}],
          [of2025, yearOf(2025, { 0: 1, 2: 1 })],
        ]],
        ["seen without a value", true, logOf(2025, NEW_YEAR, NEW_YEAR + 2), [
          [head, {}],
        ]],
        ["a value not seen", false, logOf(2025, NEW_YEAR, NEW_YEAR + 2), [
          [head, {}],
          [of2025, yearOf(2025, { 3: 1 })],
        ]],
        ["without a head", false, logOf(2025, NEW_YEAR, NEW_YEAR + 2)],
        ["of the year after", false, logOf(2025, NEW_YEAR, NEW_YEAR + 365), [
          [head, {}],
        ]],
      ],
    },
  ]));
