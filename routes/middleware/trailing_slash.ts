/** Redirects of paths with trailing slashes. */
import type { MiddlewareHandler } from "hono";

/** Redirects to the path without trailing slashes, on the same host. */
export const trimTrailingSlash: MiddlewareHandler = async (c, next) => {
  await next();
  const { method, path, url } = c.req;
  const isRead = method === "GET" || method === "HEAD";
  if (c.res.status !== 404 || !isRead || !/.\/$/.test(path)) return;
  const { pathname, search } = new URL(url);
  // The Location is a path only: the Host header is client input, and two
  // leading slashes would be parsed as a host.
  const trimmed = `/${pathname.replace(/^\/+/, "").replace(/\/+$/, "")}`;
  c.res = c.redirect(`${trimmed}${search}`, 301);
};
