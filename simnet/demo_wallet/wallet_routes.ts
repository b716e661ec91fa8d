/** Routes of the demo wallet on the service's own origin. */
import {
  addScript,
  markSimulated,
  sendScript,
  type ServeHandler,
} from "../added_script.ts";

const MODULE = Deno.readTextFileSync(
  new URL("./wallet_page.js", import.meta.url),
);

/** The paths of the wallet's script and of its JSON-RPC. */
const WALLET_PATHS = {
  module: "/demo/wallet.js",
  rpc: "/demo/rpc",
} as const;

/** The pages on which a wallet is asked to sign. */
const WALLET_PAGES =
  /^\/(dashboard|dashboard\/profile|profiles\/[^/]+|tools\/score\/0x[^/.]+)$/;

/**
 * Adds the wallet's routes to the service and its script to the pages that use a wallet.
 * Every other request is passed on unchanged.
 */
export function withDemoWallet(
  service: ServeHandler,
  wallet: (request: Request) => Promise<Response>,
): ServeHandler {
  return function answer(request, info) {
    const url = URL.parse(request.url);
    // The service refuses an invalid Host.
    if (url === null) return service(request, info);
    const { pathname } = url;
    if (pathname === WALLET_PATHS.rpc) {
      return wallet(request).then(markSimulated);
    }
    if (pathname === WALLET_PATHS.module) return sendScript(MODULE);
    if (!WALLET_PAGES.test(pathname)) return service(request, info);
    return addScript(
      WALLET_PATHS.module,
      request,
      (plain) => service(plain, info),
    );
  };
}
