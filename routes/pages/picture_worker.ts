/** Renders SVG as PNG, in a thread of its own: a picture takes as long as a thousand keyed answers. */
import { initWasm, Resvg } from "@resvg/resvg-wasm";
// By this import the fonts are installed with the service.
import "dejavu-fonts-ttf/package.json" with { type: "json" };

/** A picture to render, `width` in pixels. */
export interface Drawing {
  readonly id: number;
  readonly svg: string;
  readonly width: number;
  readonly background?: string;
  readonly renderer: WebAssembly.Module;
  /** `file:` URLs. A worker may import no other file of the service. */
  readonly fonts: readonly string[];
}

/** A rendered picture, or why there is none. */
export type Drawn =
  | { readonly id: number; readonly png: Uint8Array<ArrayBuffer> }
  | { readonly id: number; readonly error: string };

const FAMILY = "DejaVu Sans";

const thread = self as unknown as {
  onmessage: (event: MessageEvent<Drawing>) => Promise<void>;
  postMessage(drawn: Drawn, transfer: Transferable[]): void;
};

let opening: Promise<Uint8Array[]> | undefined;

thread.onmessage = async ({ data: { id, renderer, fonts, ...drawing } }) => {
  try {
    opening ??= open(renderer, fonts);
    const png = render(drawing, await opening);
    thread.postMessage({ id, png }, [png.buffer]);
  } catch (error) {
    thread.postMessage({ id, error: String(error) }, []);
  }
};

/** Opens the renderer and reads the fonts. Deno imports no bytes without an unstable flag. */
async function open(
  renderer: Drawing["renderer"],
  fonts: Drawing["fonts"],
): Promise<Uint8Array[]> {
  await initWasm(renderer);
  return await Promise.all(fonts.map((url) => Deno.readFile(new URL(url))));
}

function render(
  { svg, width, background }: Omit<Drawing, "id" | "renderer" | "fonts">,
  fonts: Uint8Array[],
): Uint8Array<ArrayBuffer> {
  const drawing = new Resvg(svg, {
    fitTo: { mode: "width", value: width },
    ...background !== undefined && { background },
    font: {
      fontBuffers: fonts,
      defaultFontFamily: FAMILY,
      sansSerifFamily: FAMILY,
      loadSystemFonts: false,
    },
  });
  const image = drawing.render();
  try {
    return new Uint8Array(image.asPng());
  } finally {
    image.free();
    drawing.free();
  }
}
