/** Methods that the router could take for something else. */

/**
 * Returns a request that the router can look up: it finds methods in plain
 * objects, where `constructor` and its like are something else. Methods are
 * case-sensitive, so that in upper case they are as unknown as before.
 */
export function normalizeMethod(request: Request): Request {
  const { method } = request;
  return method in Object.prototype
    ? new Request(request, { method: method.toUpperCase() })
    : request;
}
