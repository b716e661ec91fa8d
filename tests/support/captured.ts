/** What two sources said of every chain's transactions in July 2025, as captured. */
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
  return valuesOf((await readCaptures(source))[capture]!, "43114");
}

/** Reads the daily values of every chain; the newest capture that has a day counts. */
export async function readCapturedChains(
  source: CapturedSource,
): Promise<Map<number, DailyValue[]>> {
  const captures = (await readCaptures(source)).toReversed();
  const ids = new Set(captures.flatMap(({ chains }) => Object.keys(chains)));
  return new Map(
    Array.from(ids, (id) => [
      Number(id),
      captures.flatMap((capture) => valuesOf(capture, id)),
    ]),
  );
}

type Capture = Captures["captures"][number];

function valuesOf({ chains }: Capture, id: string): DailyValue[] {
  return (chains[id]?.results ?? []).map(({ timestamp, value }) => ({
    day: dayAt(timestamp * 1000),
    value,
  }));
}

async function readCaptures(
  source: CapturedSource,
): Promise<readonly Capture[]> {
  const name = `../fixtures/txCount_daily_${source}_2025-07.json`;
  const { captures }: Captures = JSON.parse(
    await Deno.readTextFile(new URL(name, import.meta.url)),
  );
  return captures;
}
