/**
 * Preloaded before `main.ts` in the demo: says on every page that it is simulated, adds
 * the demo wallet to the server, and asks the simulated name server. The arguments are its address and the URL of its records.
 */
import { markPagesSimulated } from "../routes/pages/layout.ts";
import type { ServeHandler } from "./added_script.ts";
import { demoWallet } from "./demo_wallet/demo_wallet.ts";
import { withDemoWallet } from "./demo_wallet/wallet_routes.ts";
import { withRecordLink } from "./linked_accounts/record_link_routes.ts";

const { resolveDns, serve } = Deno;
const [address = "", recordsUrl = ""] = Deno.args;
const { hostname, port } = new URL(`udp://${address}`);
const nameServer = { ipAddr: hostname, port: Number(port) };
const wallet = demoWallet({ nodeUrl: Deno.env.get("C_CHAIN_RPC_URL")! });

/** Serves the service and the demo's routes. */
function serveDemo(options: Deno.ServeTcpOptions, service: ServeHandler) {
  const handler = withDemoWallet(withRecordLink(service, recordsUrl), wallet);
  return serve({ ...options, handler });
}

/** Asks the simulated name server in place of the machine's. */
function resolveSimulated(
  name: string,
  type: "TXT",
  options: Deno.ResolveDnsOptions = {},
): Promise<string[][]> {
  return resolveDns(name, type, { ...options, nameServer });
}

markPagesSimulated();
Object.assign(Deno, { resolveDns: resolveSimulated, serve: serveDemo });
