/** Renders pictures in a worker that lives as long as pictures wait. */

import { PICTURE_FILES } from "../../services/platform/picture_files.ts";
// The packages of the worker are installed with those of the service by this import.
import type { Drawing, Drawn } from "./picture_worker.ts";

type Waiting = PromiseWithResolvers<Uint8Array<ArrayBuffer>>;

/**
 * Returns the renderer. The worker takes 40 MB, and nobody asks for pictures most
 * of the time, so it ends with the last one.
 */
export function pictureRenderer() {
  let worker: Worker | null = null;
  let lastId = 0;
  const waiting = new Map<number, Waiting>();

  function settle(id: number): Waiting | undefined {
    const found = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) end();
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

  /** Renders an SVG as a PNG. */
  return function render(
    drawing: Omit<Drawing, "id" | "files">,
  ): Promise<Uint8Array<ArrayBuffer>> {
    worker ??= start();
    const id = ++lastId;
    const picture: Waiting = Promise.withResolvers();
    waiting.set(id, picture);
    const message: Drawing = { id, files: PICTURE_FILES, ...drawing };
    worker.postMessage(message);
    return picture.promise;
  };
}
