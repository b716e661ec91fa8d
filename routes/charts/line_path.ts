/** The SVG path of a line. */
// @ts-types="@types/d3-shape"
import { line } from "d3-shape";

/** A point of the picture, in pixels. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Buckets per pixel from which a path is drawn pixel by pixel. */
const DENSE = 2;

/** Returns the path through the places of a line. A missing place interrupts it. */
export function linePath(places: readonly (Place | undefined)[]): string {
  const found = places.filter((place) => place !== undefined);
  const width = found.length === 0 ? 0 : found.at(-1)!.x - found[0]!.x;
  const isDense = found.length > DENSE * Math.max(width, 1);
  const path = line<Place | undefined>()
    .defined((place) => place !== undefined)
    .x((place) => place!.x)
    .y((place) => place!.y)
    .digits(isDense ? 0 : 1);
  return path(isDense ? pixelColumns(places) : places) ?? "";
}

/** Half the height of a diamond, and the least distance of two on a line, in pixels. */
const DIAMOND = 4;
const DIAMOND_DISTANCE = 4;

/** Returns the path of a diamond at each place of a line. One stands for places that are too close. */
export function diamondPath(places: readonly Place[]): string {
  let last = -Infinity;
  return places.map(({ x, y }) => {
    if (x - last < DIAMOND_DISTANCE) return "";
    last = x;
    const d = DIAMOND;
    return `M${x} ${
      Number((y - d).toFixed(1))
    }l${d} ${d}l-${d} ${d}l-${d}-${d}z`;
  }).join("");
}

/**
 * Keeps the first, lowest, highest and last point of each pixel column of a line,
 * which cover the same pixels as all points do: nothing is smoothed.
 */
function pixelColumns(
  places: readonly (Place | undefined)[],
): (Place | undefined)[] {
  const kept: (Place | undefined)[] = [];
  for (let at = 0; at < places.length;) {
    const first = places[at];
    if (first === undefined) {
      kept.push(undefined);
      at++;
      continue;
    }
    const x = Math.round(first.x);
    let low = at;
    let high = at;
    let end = at;
    for (; end < places.length; end++) {
      const place = places[end];
      if (place === undefined || Math.round(place.x) !== x) break;
      if (place.y < places[low]!.y) low = end;
      if (place.y > places[high]!.y) high = end;
    }
    const ends = new Set(
      [at, Math.min(low, high), Math.max(low, high), end - 1],
    );
    for (const index of ends) kept.push({ x, y: places[index]!.y });
    at = end;
  }
  return kept;
}
