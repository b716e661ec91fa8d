/** Routes of the demo wallet on the service's own origin, as its Content Security Policy requires. */
import { SIMULATED_HEADER } from "../upstreams.ts";
import module from "./wallet_page.js" with { type: "text" };

/** The handler that `Deno.serve` takes. */
export type ServeHandler = Deno.ServeHandler<Deno.NetAddr>;

/** The paths of the wallet's script and of its JSON-RPC. */
const WALLET_PATHS = {
  module: "/demo/wallet.js",
  rpc: "/demo/rpc",
} as const;

/** The pages on which a wallet is asked to sign. */
const WALLET_PAGES =
  /^\/(dashboard|dashboard\/profile|profiles\/[^/]+|tools\/score\/0x[^/.]+)$/;

const SCRIPT = `<script type="module" src="${WALLET_PATHS.module}"></script>`;

/**
 * Adds the wallet's routes to the service and its script to the pages that use a wallet.
 * Every other request is passed on unchanged.
 */
export function withDemoWallet(
  service: ServeHandler,
  wallet: (request: Request) => Promise<Response>,
): ServeHandler {
  return function answer(request, info) {
    const { pathname } = new URL(request.url);
    if (pathname === WALLET_PATHS.rpc) return wallet(request).then(mark);
    if (pathname === WALLET_PATHS.module) return sendModule();
    if (!WALLET_PAGES.test(pathname)) return service(request, info);
    return addModule(uncompressed(request), (plain) => service(plain, info));
  };
}

async function addModule(
  request: Request,
  service: (request: Request) => Response | Promise<Response>,
): Promise<Response> {
  const response = await service(request);
  if (response.status !== 200 || request.method !== "GET") return response;
  const page = await response.text();
  const headers = new Headers(response.headers);
  headers.delete("Content-Length");
  // The ETag belongs to the page without the script.
  headers.delete("ETag");
  return new Response(page.replace("</head>", `${SCRIPT}</head>`), { headers });
}

function uncompressed(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete("Accept-Encoding");
  headers.delete("If-None-Match");
  return new Request(request, { headers });
}

function sendModule(): Response {
  const headers = { "Content-Type": "text/javascript; charset=utf-8" };
  return mark(new Response(module, { headers }));
}

function mark(response: Response): Response {
  response.headers.set(...SIMULATED_HEADER);
  response.headers.set("Cache-Control", "no-store");
  return response;
}
