/** Preloaded before `main.ts` in the demo: adds the demo wallet to the server. */
import { demoWallet } from "./demo_wallet/demo_wallet.ts";
import {
  type ServeHandler,
  withDemoWallet,
} from "./demo_wallet/wallet_routes.ts";

const { serve } = Deno;
const wallet = demoWallet({ nodeUrl: Deno.env.get("C_CHAIN_RPC_URL")! });

/** Serves the service and the wallet's routes. */
function serveWithWallet(options: Deno.ServeTcpOptions, service: ServeHandler) {
  return serve({ ...options, handler: withDemoWallet(service, wallet) });
}

Object.assign(Deno, { serve: serveWithWallet });
