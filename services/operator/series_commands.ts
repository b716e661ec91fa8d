/** Operator commands about stored series: forgetting one, and days that can't be true. */
import { type Command, print, readOptions, usageError } from "./command.ts";
import { STORED_METRICS } from "../chain_data/catalogue/metrics_schema.ts";
import {
  isOfIndex,
  type MetricsSeriesId,
  nameSeries,
  type SeriesId,
} from "../chain_data/catalogue/series_id.ts";
import type { ChainDataDeps } from "../chain_data/checks/deps.ts";
import { DOUBTS } from "../chain_data/catalogue/cross_checks_schema.ts";
import { formatDay } from "../platform/days.ts";
import { instant } from "../platform/clock.ts";

/** Deletes a stored series, so that it is fetched again. */
export const forgetSeries: Command<ChainDataDeps> = {
  name: "forget-series",
  usage: "forget-series <chainId> <metric>",
  mayDryRun: true,
  description:
    "deletes a stored series, so that the whole history is fetched again",
  async run({ store }, [chainId, name]) {
    const metric = STORED_METRICS.find((metric) => metric === name);
    if (!/^[1-9]\d{0,14}$/.test(chainId ?? "") || metric === undefined) {
      return usageError(
        `Invalid series "${chainId ?? ""} ${name ?? ""}": expected ` +
          `a chain id and one of ${STORED_METRICS.join(", ")}`,
      );
    }
    const id = { subject: Number(chainId), metric };
    const forgotten = await store.series.remove(id);
    print(forgotten ? "forgotten" : "nothing stored");
    return forgotten ? 0 : 1;
  },
};

/** Prints the series with days that can't be true, and what was decided about them. */
export const listDoubts: Command<ChainDataDeps> = {
  name: "doubts list",
  usage: "doubts list",
  description:
    "prints the series of sources with days that can't be true, one a line",
  async run({ store }) {
    const doubted = await store.series.listDoubted();
    const held = await store.series.listHeld(doubted.map(({ id }) => id));
    for (const [nth, { id }] of doubted.entries()) {
      const { subject, metric } = id;
      for (
        const { from, to, kind, value, against, foundAt } of held[nth]!.doubts
      ) {
        print(
          `${subject} ${metric} ${formatDay(from)} to ${formatDay(to)}: ` +
            `${value} against ${against}, ${DOUBTS[kind]}; found ${
              instant(foundAt)
            }`,
        );
      }
    }
    if (doubted.length === 0) print("no days are doubted");
    return 0;
  },
};

/** Believes the days of a source that can't be true. */
export const acceptDoubts = decisionCommand({
  verb: "accept",
  isAccepted: true,
  description:
    "uses the doubted days of a series as the source has them, and reads them again",
});

/** Refuses the days of a source that can't be true. */
export const refuseDoubts = decisionCommand({
  verb: "refuse",
  isAccepted: false,
  description: "leaves the doubted days of a series out",
});

function decisionCommand(
  { verb, isAccepted, description }: {
    readonly verb: string;
    readonly isAccepted: boolean;
    readonly description: string;
  },
): Command<ChainDataDeps> {
  const usage = `doubts ${verb} <source> <metric> --by <name>`;
  return {
    name: `doubts ${verb}`,
    usage,
    description:
      `${description}; <source> and <metric> as \`doubts list\` prints them`,
    async run({ now, store }, args) {
      const { positional: [subject, metric], by = "" } = readOptions(
        args,
        "by",
      );
      if (by.trim() === "") {
        return usageError(`Missing name: expected ${usage}`);
      }
      const id = {
        subject: /^\d+$/.test(subject ?? "") ? Number(subject) : subject,
        metric,
      } as SeriesId;
      const at = now().getTime();
      const count = await store.series.decide(id, { isAccepted, by, at });
      // The index is read every day.
      if (count > 0 && isAccepted && !isOfIndex(id)) {
        await store.readQueue.add(id as MetricsSeriesId, { at });
      }
      print(
        count === 0
          ? `nothing is doubted of ${subject ?? ""} ${metric ?? ""}`
          : `${isAccepted ? "accepted" : "refused"}: ${nameSeries(id)}`,
      );
      return count === 0 ? 1 : 0;
    },
  };
}
