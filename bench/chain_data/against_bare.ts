/** Compares finished answers with a bare handler that returns the same bytes. */
import type { RunningService } from "../../tests/support/processes/service.ts";
import { type BareAnswer, startBareHandler } from "./bare_handler.ts";
import { askOnce, getRequest } from "../measure/connection.ts";
import type { Measurement } from "../measure/measurement.ts";
import {
  compareSides,
  coreUsage,
  planFor,
  type Rounds,
  takeTurns,
} from "../measure/round.ts";

/** A request whose answer is measured. */
interface Variant {
  readonly name: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Options of the comparison. */
interface Comparison {
  readonly short: boolean;
  /** Minimum ratio to the bare handler's requests per second. */
  readonly ratio: number;
}

/** Measures requests per second, latency and CPU time of both sides in alternating rounds. */
export async function compareWithBare(
  service: RunningService,
  variants: readonly Variant[],
  { short, ratio }: Comparison,
): Promise<Measurement[]> {
  const plan = planFor({ short });
  const answers: BareAnswer[] = [];
  for (const { path, headers } of variants) {
    const { head, body } = await askOnce(service.url + path, headers);
    answers.push({ head, body: body.slice() });
  }
  await using bare = await startBareHandler(answers);
  const measurements: Measurement[] = [];
  const all: Rounds[] = [];
  for (const [index, { name, path, headers }] of variants.entries()) {
    const sideOf = ({ url, process }: RunningService, target: string) => ({
      url,
      pids: [process.pid],
      requests: [getRequest(url + target, headers)],
    });
    const sides = [sideOf(service, path), sideOf(bare, `/${index}`)] as const;
    const rounds = await takeTurns(sides, plan);
    measurements.push(...compareSides(name, rounds, {
      perSecond: { of: "ratio", is: ">=", than: ratio },
      p99Ms: { of: "value", is: "<", than: 5 },
    }));
    all.push(rounds);
  }
  const [subject] = variants[0]!.name.split(" ");
  return [...measurements, ...coreUsage(subject!, all)];
}
