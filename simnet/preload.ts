/** Loaded before `main.ts` in the demo alone: the demo wallet stands beside the service as it is. */
import { demoWallet } from "./demo_wallet/demo_wallet.ts";
import {
  type ServeHandler,
  withDemoWallet,
} from "./demo_wallet/wallet_routes.ts";

const { serve } = Deno;
const wallet = demoWallet({ nodeUrl: Deno.env.get("C_CHAIN_RPC_URL")! });

/** Serves as before, with the wallet's paths among the service's own. */
function serveWithWallet(options: Deno.ServeTcpOptions, service: ServeHandler) {
  return serve({ ...options, handler: withDemoWallet(service, wallet) });
}

Object.assign(Deno, { serve: serveWithWallet });
