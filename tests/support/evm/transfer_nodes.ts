/** Clients of a C-Chain node whose responses a test decides. */
import { transferNode } from "../../../services/payments/c_chain_transfers_client.ts";
import { USDC } from "../../../services/payments/plans_schema.ts";
import type { Http } from "../../../services/platform/http/http_client.ts";
import { type Answering, httpThat } from "../upstreams.ts";
import { TREASURY } from "./paid_chain.ts";

/** Selects the transfers of the first blocks with payments. */
export const TRANSFER_FILTER = {
  token: USDC,
  to: TREASURY,
  fromBlock: 10_001,
  toBlock: 10_003,
};

/** Selects the transfers of a transaction that may pay. */
export const WANTED = { token: USDC, to: TREASURY };

/** Returns the client of a node behind a connection. */
export const nodeOver = (http: Http) =>
  transferNode(http, "http://up.test/rpc", { chainId: 43_114 });

/** Returns the client of a node with these responses. */
export const nodeOf = (answering: Answering) =>
  nodeOver(httpThat(answering).http);
