/** Reads the signals of labelled addresses within the budget of jobs, and keeps them in a file. */
import { SERVICE } from "../../services/platform/rate_limit/requesters.ts";
import { readConfig } from "../../services/config.ts";
import { openDeps } from "../../services/deps.ts";
import { Fault } from "../../services/platform/fault.ts";
import { readEnvironment } from "../../services/runtime.ts";
import { readSignals } from "../../services/scores/signals/address_signals.ts";
import {
  type ChainSignals,
  NO_GRAPH,
  NO_PROFILE,
} from "../../services/model/signals.ts";
import { openLive } from "../../services/operator/command.ts";
import type { Label, Labelled } from "./labelled.ts";

/** A line of the file. */
interface Line {
  readonly address: string;
  readonly chain: ChainSignals;
}

/**
 * Reads addresses that the file does not have, and appends them; a run that was
 * stopped goes on where it was. An address whose sources are down is left out, and
 * read by the next run.
 */
export async function readLabelled(
  labels: readonly Label[],
  file: string,
): Promise<Labelled[]> {
  const config = readConfig(readEnvironment());
  await using opened = await openLive(config);
  const deps = openDeps(config, opened.runtime);
  const known = await readFile(file);
  for (const { address } of labels) {
    if (known.has(address)) continue;
    try {
      const { signals } = await readSignals(deps, address, {
        priority: "job",
        requester: SERVICE,
      });
      const line: Line = { address, chain: signals };
      await Deno.writeTextFile(file, `${JSON.stringify(line)}\n`, {
        append: true,
      });
      known.set(address, line);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
    }
  }
  return labels.flatMap((label) => {
    const line = known.get(label.address);
    return line ? [{ ...label, signals: signalsOf(line) }] : [];
  });
}

async function readFile(file: string): Promise<Map<string, Line>> {
  const text = await Deno.readTextFile(file).catch((error) => {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  });
  const lines = text.split("\n").filter((line) => line !== "")
    .map((line): Line => JSON.parse(line));
  return new Map(lines.map((line) => [line.address, line]));
}

function signalsOf({ chain }: Line): Labelled["signals"] {
  return {
    chain,
    profile: NO_PROFILE,
    graph: NO_GRAPH,
    freshness: "fresh",
  };
}
