/** What two sources said of the C-Chain's transactions in July 2025, as captured. */
import { dayAt } from "../../services/platform/days.ts";
import type { DailyValue } from "../../services/chain_data/series/series.ts";

/** A source that was captured. */
export type CapturedSource = "metrics-api" | "routescan-aggregations";

interface Captures {
  readonly captures: readonly {
    readonly chains: Readonly<
      Record<
        string,
        { results: readonly { timestamp: number; value: number }[] }
      >
    >;
  }[];
}

/** Reads the daily values of one capture of a source, newest first. */
export async function readCaptured(
  source: CapturedSource,
  capture: number,
): Promise<DailyValue[]> {
  const name = `../fixtures/txCount_daily_${source}_2025-07.json`;
  const { captures }: Captures = JSON.parse(
    await Deno.readTextFile(new URL(name, import.meta.url)),
  );
  return captures[capture]!.chains["43114"]!.results.map((
    { timestamp, value },
  ) => ({ day: dayAt(timestamp * 1000), value }));
}
