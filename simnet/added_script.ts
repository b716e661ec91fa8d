/** Adds a script to a page of the service, on the service's own origin, as its Content Security Policy requires. */
import { SIMULATED_HEADER } from "./upstreams.ts";

/** The handler that `Deno.serve` takes. */
export type ServeHandler = Deno.ServeHandler<Deno.NetAddr>;

/** Answers a page of the service with one more script. */
export async function addScript(
  src: string,
  request: Request,
  service: (request: Request) => Response | Promise<Response>,
): Promise<Response> {
  const response = await service(uncompressed(request));
  if (response.status !== 200 || request.method !== "GET") return response;
  const page = await response.text();
  const headers = new Headers(response.headers);
  headers.delete("Content-Length");
  // The ETag belongs to the page without the script.
  headers.delete("ETag");
  const script = `<script type="module" src="${src}"></script>`;
  return new Response(page.replace("</head>", `${script}</head>`), { headers });
}

/** Answers the text of a script. */
export function sendScript(text: string): Response {
  const headers = { "Content-Type": "text/javascript; charset=utf-8" };
  return markSimulated(new Response(text, { headers }));
}

/** Marks an answer that the service did not give. */
export function markSimulated(response: Response): Response {
  response.headers.set(...SIMULATED_HEADER);
  response.headers.set("Cache-Control", "no-store");
  return response;
}

function uncompressed(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete("Accept-Encoding");
  headers.delete("If-None-Match");
  return new Request(request, { headers });
}
