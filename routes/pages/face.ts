/**
 * The face of an address: a symmetric pattern in two colours, drawn from its hash. It
 * helps to tell addresses apart, and proves nothing: whoever searches long enough finds
 * an address with a similar one.
 */
import { html } from "hono/html";
import { sha256Hex } from "../../services/platform/bytes.ts";
import type { Html } from "./layout.ts";

/** Cells of a side. The right columns mirror the left ones. */
const CELLS = 5;
const HALF = 3;
/** Width of the drawing in cells, with a margin of one. */
const WIDTH = CELLS + 2;

/** Renders the face of an address, lower-case, as an image of so many pixels. */
export function face(address: string, size: number): Html {
  return html`
    <svg class="face" width="${size}" height="${size}"
      viewBox="0 0 ${WIDTH} ${WIDTH}" aria-hidden="true">${drawFace(
        address,
      )}</svg>
  `;
}

/** Draws the face of an address in a square of 7 units. Its ground has its own colour, so it looks alike in both schemes. */
export function drawFace(address: string): Html {
  const hash = sha256Hex(address);
  const byteAt = (at: number) => parseInt(hash.slice(2 * at, 2 * at + 2), 16);
  const hue = Math.round(byteAt(0) * 360 / 256);
  const other = (hue + 90 + Math.round(byteAt(1) * 180 / 256)) % 360;
  const paths = ["", "", ""];
  for (let cell = 0; cell < CELLS * HALF; cell++) {
    const [row, column] = [Math.floor(cell / HALF), cell % HALF];
    // Half of the cells are empty, and a quarter has each colour.
    const ink = Math.max(0, byteAt(2 + cell) % 4 - 1);
    for (const x of new Set([column, CELLS - 1 - column])) {
      paths[ink] += `M${x + 1} ${row + 1}h1v1h-1z`;
    }
  }
  return html`
    <rect width="${WIDTH}" height="${WIDTH}" rx="1.2"
      fill="hsl(${hue}, 45%, 90%)" />
    <path d="${paths[1]}" fill="hsl(${hue}, 60%, 36%)" />
    <path d="${paths[2]}" fill="hsl(${other}, 55%, 45%)" />
  `;
}
