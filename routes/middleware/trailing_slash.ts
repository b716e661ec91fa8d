/** Paths with slashes too many at their end. */
import type { MiddlewareHandler } from "hono";

/** Leads a reader to the path without the slash, on whichever host this is. */
export const trimTrailingSlash: MiddlewareHandler = async (c, next) => {
  await next();
  const { method, path, url } = c.req;
  const isRead = method === "GET" || method === "HEAD";
  if (c.res.status !== 404 || !isRead || !/.\/$/.test(path)) return;
  const { pathname, search } = new URL(url);
  // No host, which would be the client's own word; and two slashes would begin one.
  const trimmed = `/${pathname.replace(/^\/+/, "").replace(/\/+$/, "")}`;
  c.res = c.redirect(`${trimmed}${search}`, 301);
};
