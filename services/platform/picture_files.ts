/** Package files that pictures are rendered with. */

/** Their `file:` URLs: the renderer, then the fonts. */
export const PICTURE_FILES: readonly string[] = [
  import.meta.resolve("@resvg/resvg-wasm/index_bg.wasm"),
  import.meta.resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf"),
  import.meta.resolve("dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf"),
];
