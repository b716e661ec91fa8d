/** What no page and no picture may contain, whatever it shows. */
import { assert, assertEquals } from "@std/assert";
import type { Element } from "./charts/charts.ts";

/** Asserts that no value of a page, outside of scripts and examples, is missing or no number. */
export function assertReadable(page: string): void {
  const shown = page.replaceAll(/<(script|pre|template)[\s\S]*?<\/\1>/g, "");
  const found = shown.match(
    /.{0,60}(\bundefined\b|\bNaN\b|\bInfinity\b|Invalid Date|\[object ).{0,30}/,
  );
  assertEquals(found?.[0], undefined);
}

/** Least distance of two lines of text below each other, in pixels. */
const LINE_PX = 12;

/** Asserts that all parts of a picture are within it, and that no lines of text overlap. */
export function assertDrawn(elements: readonly Element[]): void {
  const svg = elements.find(({ name }) => name === "svg")!;
  const [, , width, height] = svg.attributes.viewBox!.split(" ").map(Number);
  const lines: { x: number; y: number; text: string }[] = [];
  for (const { name, attributes, text } of elements) {
    for (const word of Object.values(attributes)) {
      assert(!/NaN|undefined|Infinity/.test(word), `${name}: ${word}`);
    }
    const { x = attributes.cx, y = attributes.cy } = attributes;
    if (x === undefined || y === undefined) continue;
    const isIn = Number(x) >= 0 && Number(x) <= width! &&
      Number(y) >= 0 && Number(y) <= height!;
    assert(isIn, `${name} at ${x}, ${y}: ${text}`);
    if (name === "rect" && !attributes.width?.endsWith("%")) {
      assert(
        Number(x) + Number(attributes.width) <= width!,
        "rect is too wide",
      );
    }
    if (name === "text") lines.push({ x: Number(x), y: Number(y), text });
  }
  for (const [nth, one] of lines.entries()) {
    for (const other of lines.slice(nth + 1)) {
      const apart = Math.abs(one.y - other.y);
      assert(
        one.x !== other.x || apart >= LINE_PX,
        `${one.text} and ${other.text} overlap`,
      );
    }
  }
}
