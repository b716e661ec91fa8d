/** A renderer of pictures without a worker. */
import type { PictureRenderer } from "../../routes/pages/picture_cache.ts";

/** Returns a renderer whose pictures `render` makes. */
export function rendererOf(
  render: PictureRenderer["render"],
): PictureRenderer {
  return { render, keepOpen: () => ({ [Symbol.dispose]() {} }) };
}
