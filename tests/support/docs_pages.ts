/** Requests of pages as a browser makes them. */
import { assertEquals } from "@std/assert";
import type { createApp } from "../../routes/app.ts";

type App = ReturnType<typeof createApp>;

/** Requests a page. */
export const get = (app: App, path: string) =>
  app.request(path, { headers: { Accept: "text/html" } });

/** Returns the text of a page. */
export const getText = async (app: App, path: string) => {
  const response = await get(app, path);
  assertEquals(response.status, 200, path);
  return await response.text();
};
