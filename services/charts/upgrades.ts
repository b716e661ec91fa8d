/** The network upgrades that a chart marks. */
import {
  endOfBucket,
  formatDay,
  type Interval,
  parseDay,
} from "../platform/days.ts";
import {
  NETWORK_UPGRADES,
  type NetworkUpgrade,
} from "./network_upgrades_schema.ts";

/** Lists the upgrades in the buckets of an axis, the oldest first. */
export function upgradesWithin(
  axis: readonly string[],
  interval: Interval,
): readonly NetworkUpgrade[] {
  const [first] = axis;
  if (first === undefined) return [];
  const last = formatDay(endOfBucket(parseDay(axis.at(-1)!), interval));
  return NETWORK_UPGRADES.filter(({ day }) => first <= day && day <= last);
}
