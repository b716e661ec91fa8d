/** Responses of the runtime, made in its fastest way. */

/**
 * Makes a response with the status 200. Its headers are set afterwards: a response that
 * is given several of them compares each with all others, keeps a copy of its body
 * outside the heap, and registers the copy for collection.
 */
export function okResponse(
  body: string | Uint8Array<ArrayBuffer>,
  values: Readonly<Record<string, string>>,
): Response {
  const response = new Response(body);
  const { headers } = response;
  for (const name in values) headers.set(name, values[name]!);
  return response;
}
