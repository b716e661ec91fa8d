/** The bound of the days that count, where the summary lacks transactions. */
import { assertAlmostEquals, assertEquals } from "@std/assert";
import { DAY_MS, dayAt } from "../../../services/platform/days.ts";
import { TABLES } from "../../../services/model/s4_2026_2_tables.ts";
import { NO_CHAIN } from "../../../services/model/signals.ts";
import { useOverTime } from "../../../services/model/use_over_time.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const TODAY = dayAt(NOW);
const ago = (days: number) => NOW - days * DAY_MS;

Deno.test("useOverTime() counts at most two days and two more per slot, known days first", () => {
  const ages = [3, 40, 100];
  const useWith = (slots: number) =>
    useOverTime(
      {
        ...NO_CHAIN,
        firstTxAt: ago(700),
        recentTxAt: ages.map(ago),
        nonce: 63,
        use: {
          ...NO_CHAIN.use,
          count: 3,
          days: ages.map((age) => ({
            day: TODAY - age,
            gasAvax: 0,
            varied: 1,
          })),
          slots,
        },
      },
      NOW,
      TABLES,
    );
  const known = ages.map((age) => 2 ** (-age / 180));
  // 60 transactions on 60 days between 700 and 100 days ago.
  const unseen = (2 ** (-100 / 180) - 2 ** (-700 / 180)) /
    (Math.LN2 * 600 / 180);
  const cases: [slots: number, knownDays: number, unseenDays: number][] = [
    [0, 2, 0],
    [1, 3, 1],
    [3, 3, 5],
    [30, 3, 59],
    [31, 3, 60],
  ];
  for (const [slots, knownDays, unseenDays] of cases) {
    const { dayWeight, variedWeight, activeDays } = useWith(slots);
    const expected = known.slice(0, knownDays).reduce((a, b) => a + b) +
      unseenDays * unseen;
    assertAlmostEquals(dayWeight, expected, 1e-9, `${slots} slots`);
    assertAlmostEquals(variedWeight, expected, 1e-9, `${slots} slots`);
    assertEquals(activeDays, 63);
  }
});
