/** Sends pictures as PNG: rendered once in the turn of the render queue, then kept for a while. */
import type { Context } from "hono";
import { LRUCache } from "lru-cache";
import { singleFlight } from "../../services/platform/cache.ts";
import { dayAt, MINUTE_MS } from "../../services/platform/days.ts";
import type { PlatformDeps } from "../../services/platform/open/deps.ts";
import { tagOf } from "../http/preconditions.ts";
import { BAD_QUERY } from "../http/router.ts";
import type { RenderQueue } from "../http/render_queue.ts";
import { type ClientDeps, networkOfClient } from "../http/client_address.ts";
import { PICTURE_SIZE } from "./drawable_names.ts";
import { PICTURE_FILES } from "../../services/platform/package_files.ts";
import type { Drawing, Drawn } from "./picture_worker.ts";

/** Describes the answers that every picture has. */
export const PICTURE = {
  200: {
    description: "The picture",
    content: { "image/png": { schema: { type: "string" as const } } },
  },
  304: { description: "The client's copy is current" },
  ...BAD_QUERY,
};

/** Upper limit of the bytes of all kept pictures. */
const MAX_PICTURE_BYTES = 8 * 2 ** 20;

/**
 * How long a picture is cached, by this process and by clients together, unless
 * the request says otherwise.
 */
const HELD_MS = 10 * MINUTE_MS;

/** A kept picture; epoch ms. */
interface Picture {
  readonly png: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  readonly madeAt: number;
  readonly heldMs: number;
}

/** A picture to send. */
interface PictureRequest {
  /** Names the content of the picture. */
  readonly key: string;
  /** The name under which a browser saves it: letters, digits and hyphens. */
  readonly file: string;
  /** Pixels for each unit of a picture of 1200 × 630. */
  readonly density: number;
  readonly heldMs?: number;
  /** A colour beside a drawing of other proportions; absent if it fills the picture. */
  readonly background?: string;
  /** Draws it as SVG for a client's network. */
  readonly draw: (client: string | undefined) => Promise<string>;
}

/** Creates the sender of pictures, which `renderer` makes in the turn of `renders`. */
export function pictureCache(
  deps: Pick<PlatformDeps, "now"> & ClientDeps,
  renders: Pick<RenderQueue, "run">,
  renderer: PictureRenderer = pictureRenderer(),
) {
  const { now } = deps;
  const held = new LRUCache<string, Picture>({
    maxSize: MAX_PICTURE_BYTES,
    sizeCalculation: ({ png }) => png.byteLength,
  });
  const fly = singleFlight();
  function find(key: string): Picture | undefined {
    const picture = held.get(key);
    const ms = now().getTime();
    const isKept = picture !== undefined &&
      ms - picture.madeAt < picture.heldMs &&
      dayAt(picture.madeAt) === dayAt(ms);
    return isKept ? picture : undefined;
  }

  async function make(
    { density, heldMs = HELD_MS, background, draw }: PictureRequest,
    client: string | undefined,
  ): Promise<Picture> {
    // The day may change while the picture is drawn.
    const madeAt = now().getTime();
    using _open = renderer.keepOpen();
    const png = await renders.run(
      client,
      async () =>
        await renderer.render({
          svg: await draw(client),
          width: PICTURE_SIZE.width * density,
          ...background !== undefined && { background },
        }),
      { route: "picture" },
    );
    return { png, etag: `"${await tagOf(png)}"`, madeAt, heldMs };
  }

  /** Sends a picture. Throws what drawing it throws, and a fault beyond the limits of a network. */
  return async function send(
    c: Context,
    request: PictureRequest,
  ): Promise<Response> {
    const key = `${request.density} ${request.key}`;
    const client = networkOfClient(deps, c);
    const picture = find(key) ?? await fly(key, async () => {
      const made = await make(request, client);
      held.set(key, made);
      return made;
    }, client);
    const leftMs = picture.madeAt + picture.heldMs - now().getTime();
    const headers = {
      "Content-Type": "image/png",
      "Content-Disposition": `inline; filename="firn-${request.file}.png"`,
      "Cache-Control": `public, max-age=${
        Math.max(0, Math.ceil(leftMs / 1000))
      }`,
      "ETag": picture.etag,
      "Access-Control-Allow-Origin": "*",
      "Cross-Origin-Resource-Policy": "cross-origin",
      "X-Content-Type-Options": "nosniff",
    };
    return c.req.header("If-None-Match") === picture.etag
      ? new Response(null, { status: 304, headers })
      : new Response(picture.png, { headers });
  };
}

/** The sender of pictures. */
export type SendPicture = ReturnType<typeof pictureCache>;

// The packages of the worker are installed with those of the service by this import.
const [RENDERER, ...FONTS] = PICTURE_FILES;

type Waiting = PromiseWithResolvers<Uint8Array<ArrayBuffer>>;

/** Renders pictures. */
export interface PictureRenderer {
  /** Renders an SVG as a PNG. */
  render(
    drawing: Omit<Drawing, "id" | "renderer" | "fonts">,
  ): Promise<Uint8Array<ArrayBuffer>>;
  /** Keeps the worker from ending while a picture waits for its turn. */
  keepOpen(): Disposable;
}

/**
 * Returns the renderer. The worker takes 40 MB, and nobody asks for pictures most
 * of the time, so it ends with the last one that was asked for. Its start holds this
 * thread up for 10 ms, so pictures that wait share it. The compiled module is kept for
 * the next worker: compiling takes three times as long as the rest of a picture.
 */
function pictureRenderer(): PictureRenderer {
  let worker: Worker | null = null;
  let compiling: Promise<WebAssembly.Module> | undefined;
  let lastId = 0;
  let users = 0;
  const waiting = new Map<number, Waiting>();

  function settle(id: number): Waiting | undefined {
    const found = waiting.get(id);
    waiting.delete(id);
    return found;
  }

  function end(): void {
    worker?.terminate();
    worker = null;
  }

  function start(): Worker {
    const url = new URL("./picture_worker.ts", import.meta.url);
    const started = new Worker(url, { type: "module" });
    started.onmessage = ({ data }: MessageEvent<Drawn>) => {
      const picture = settle(data.id);
      if ("png" in data) picture?.resolve(data.png);
      else picture?.reject(new Error(`Cannot render: ${data.error}`));
    };
    started.onerror = (event) => {
      event.preventDefault();
      const reason = new Error(`Cannot render: ${event.message}`);
      end();
      for (const picture of waiting.values()) picture.reject(reason);
      waiting.clear();
    };
    return started;
  }

  /** Compiles the renderer once. After a failure the next picture tries again. */
  const compile = () =>
    compiling ??= Deno.readFile(new URL(RENDERER!))
      .then((bytes) => WebAssembly.compile(bytes))
      .catch((error) => {
        compiling = undefined;
        throw error;
      });

  return {
    async render(drawing) {
      const renderer = await compile();
      worker ??= start();
      const id = ++lastId;
      const picture: Waiting = Promise.withResolvers();
      waiting.set(id, picture);
      const message: Drawing = { id, renderer, fonts: FONTS, ...drawing };
      worker.postMessage(message);
      return await picture.promise;
    },
    keepOpen() {
      users++;
      return {
        [Symbol.dispose]() {
          if (--users === 0) end();
        },
      };
    },
  };
}
