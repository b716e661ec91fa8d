/** Normalises request methods before routing. */

/**
 * Returns a request with a safe method name. The router looks methods up in
 * plain objects, where names such as `constructor` resolve to inherited
 * members. Methods are case-sensitive, so the upper-case form of an unknown
 * method is unknown too.
 */
export function normalizeMethod(request: Request): Request {
  const { method } = request;
  return method in Object.prototype
    ? new Request(request, { method: method.toUpperCase() })
    : request;
}
