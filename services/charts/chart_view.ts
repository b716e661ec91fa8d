/** Decides how a chart is drawn, from its query and its lines. */
import {
  type Metric,
  METRICS,
} from "../chain_data/catalogue/metrics_schema.ts";
import { Fault } from "../platform/fault.ts";
import type { Interval } from "../platform/days.ts";
import {
  type ChartName,
  type ChartView,
  FIRST_ACTIVE,
  type GivenView,
  isChecked,
  type Values,
} from "./charts_schema.ts";

/** What a view depends on. */
interface Viewed {
  readonly name: ChartName;
  readonly chainCount: number;
  readonly interval: Interval;
}

/** Returns why the values of several chains do not add up; null if they do. */
export function notAdditive(name: ChartName): string | null {
  return isChecked(name) ? null : METRICS[name].notAdditive;
}

/** The metrics that have shares and totals across chains. */
const ADDITIVE = (Object.keys(METRICS) as Metric[])
  .filter((metric) => METRICS[metric].notAdditive === null);

/** Returns the ways to draw a chart, the default first. */
export function valuesOf({ name, chainCount }: Omit<Viewed, "interval">) {
  if (isChecked(name)) return ["absolute"] as const;
  if (chainCount < 2) return ["absolute", "index"] as const;
  return METRICS[name].notAdditive === null
    ? ["index", "absolute", "share", "total"] as const
    : ["index", "absolute"] as const;
}

/**
 * Returns whether a chart can have a moving average: of daily values that are not a
 * running total.
 */
export function hasAverages({ name, interval }: Omit<Viewed, "chainCount">) {
  return !isChecked(name) && interval === "day" &&
    METRICS[name].kind === "per day";
}

/** Whether options that the chart does not have are refused, or become the default. */
type Refused = "all" | "none";

/** Resolves the view of a chart. Throws a fault for an option that is refused. */
export function resolveView(
  given: GivenView,
  viewed: Viewed,
  refused: Refused,
): ChartView {
  const has = (option: keyof GivenView, isThere: boolean, expected: string) => {
    const value = given[option];
    if (isThere || value === undefined) return isThere;
    if (refused === "all") throw notOffered(option, value, expected);
    return false;
  };
  const values = valuesFor(given.values, viewed, refused);
  const hasBase = has(
    "base",
    values === "index",
    "values=index together with it",
  );
  const isAveraged = has(
    "average",
    hasAverages(viewed),
    "interval=day and a metric per day",
  );
  const hasLayout = has(
    "layout",
    viewed.chainCount > 1 && values !== "total",
    "several chains and no total",
  );
  return {
    values,
    base: hasBase ? given.base ?? FIRST_ACTIVE : null,
    average: isAveraged ? given.average ?? null : null,
    scale: given.scale ?? "linear",
    layout: hasLayout ? given.layout ?? "together" : "together",
  };
}

function valuesFor(
  given: Values | undefined,
  viewed: Viewed,
  refused: Refused,
): Values {
  const offered: readonly Values[] = valuesOf(viewed);
  const [usual] = offered;
  if (given === undefined || offered.includes(given)) return given ?? usual!;
  const { name, chainCount } = viewed;
  if (refused === "none") return usual!;
  const reason = notAdditive(name);
  const expected = `expected one of ${offered.join(", ")}`;
  const isSum = given === "share" || given === "total";
  if (isSum && reason !== null && chainCount > 1) {
    throw new Fault(
      `Invalid values "${given}": ${name} of several chains does not add up, because ${reason}; ${expected}, or metric ${
        ADDITIVE.join(" or ")
      }`,
      { kind: "badInput", parameter: "values", accepted: [...offered] },
    );
  }
  throw new Fault(
    `Invalid values "${given}": ${expected}${
      isSum && chainCount < 2 ? " for one chain" : ""
    }`,
    { kind: "badInput", parameter: "values", accepted: [...offered] },
  );
}

function notOffered(
  parameter: string,
  given: string,
  expected: string,
): Fault {
  return new Fault(`Invalid ${parameter} "${given}": expected ${expected}`, {
    kind: "badInput",
    parameter,
  });
}
