/** The colours of badges, cards and pages: one per tier, and readable. */
import { assert, assertEquals } from "@std/assert";
import { COLORS } from "../../../routes/scores/badge.ts";
import { TIER_IDS } from "../../../services/model/score_terms_schema.ts";

/** The least contrast of text (WCAG 2.2, 1.4.3). */
const MIN_CONTRAST = 4.5;

const WHITE = "#ffffff";

const STYLES = await Deno.readTextFile(
  new URL("../../../static/styles/firn/tokens.css", import.meta.url),
);

/** Returns the light and the dark value of a colour of the site. */
function tokenOf(name: string): readonly string[] {
  const [, light, dark] = STYLES.match(
    RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`),
  )!;
  return [light!, dark!];
}

/** Returns red, green and blue from 0 to 255. */
const channelsOf = (color: string) =>
  [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));

/** Returns the relative luminance of a colour (WCAG 2.2). */
function luminanceOf(channels: readonly number[]): number {
  const [red, green, blue] = channels.map((channel) => channel / 255)
    .map((part) =>
      part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    );
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

/** Returns the contrast ratio of two colours (WCAG 2.2). */
function contrastOf(a: readonly number[], b: readonly number[]): number {
  const [low, high] = [luminanceOf(a), luminanceOf(b)].sort((a, b) => a - b);
  return (high! + 0.05) / (low! + 0.05);
}

Deno.test("COLORS: a tier has the light colour of pages", () => {
  for (const tier of TIER_IDS) {
    assertEquals(COLORS[tier], tokenOf(`tier-${tier}`)[0], tier);
  }
});

Deno.test("COLORS: white text on each colour, and each colour on white, has sufficient contrast", () => {
  for (const [name, color] of Object.entries(COLORS)) {
    const contrast = contrastOf(channelsOf(color), channelsOf(WHITE));
    assert(contrast >= MIN_CONTRAST, `${name}: ${contrast}`);
  }
});

Deno.test("the colour of a tier has sufficient contrast on every ground of a page, light and dark", () => {
  for (const tier of TIER_IDS) {
    for (const [scheme, color] of tokenOf(`tier-${tier}`).entries()) {
      const text = channelsOf(color);
      const grounds = ["page", "surface", "sunken"]
        .map((ground) => channelsOf(tokenOf(ground)[scheme]!));
      // The ground of a badge in a page: 8 % of its colour on the surface.
      const badge = grounds[1]!
        .map((part, nth) => 0.92 * part + 0.08 * text[nth]!);
      for (const ground of [...grounds, badge]) {
        const contrast = contrastOf(text, ground);
        assert(contrast >= MIN_CONTRAST, `${tier}: ${contrast} on ${ground}`);
      }
    }
  }
});
