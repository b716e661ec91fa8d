/** The P-Chain's RPC: the current validators of the Primary Network. */
import { dayAt } from "./series/days.ts";
import { answerRpc, type RpcMethods } from "./c_chain/json_rpc.ts";
import { PRIMARY_SUBNET_ID } from "./series/staking.ts";
import { listValidators, type Validator } from "./series/validators.ts";

/** The path of the P-Chain's RPC. */
export const P_CHAIN_PATH = "/ext/bc/P";

const LAUNCH_MS = Date.parse("2020-09-21T00:00:00Z");
const MEAN_BLOCK_MS = 8_000;

/** Returns a handler that answers like a P-Chain node. */
export function platformChain(
  options: { readonly now: () => Date },
): (request: Request) => Promise<Response> {
  const nowMs = () => options.now().getTime();
  let newest: { day: number; validators: readonly Validator[] } | undefined;

  function currentValidators(): readonly Validator[] {
    const day = dayAt(nowMs());
    if (newest?.day !== day) newest = { day, validators: listValidators(day) };
    return newest.validators;
  }

  const methods: RpcMethods = {
    "platform.getCurrentValidators": (params) => {
      const { subnetID = PRIMARY_SUBNET_ID, nodeIDs = [] } = readFilter(params);
      const isAsked = ({ nodeID }: Validator) =>
        subnetID === PRIMARY_SUBNET_ID &&
        (nodeIDs.length === 0 || nodeIDs.includes(nodeID));
      return { result: { validators: currentValidators().filter(isAsked) } };
    },
    "platform.getHeight": () => {
      const height = Math.floor((nowMs() - LAUNCH_MS) / MEAN_BLOCK_MS);
      return { result: { height: `${height}` } };
    },
    "platform.getTimestamp": () => {
      const timestamp = new Date(nowMs()).toISOString().slice(0, 19) + "Z";
      return { result: { timestamp } };
    },
  };

  return function answerPlatform(request) {
    return new URL(request.url).pathname === P_CHAIN_PATH
      ? answerRpc(request, methods)
      : Promise.resolve(new Response("404 page not found", { status: 404 }));
  };
}

interface Filter {
  readonly subnetID?: string;
  readonly nodeIDs?: readonly string[];
}

/** Parses parameters, which are an object or a list with one object. */
function readFilter(params: unknown): Filter {
  const [filter] = [params].flat();
  return typeof filter === "object" && filter !== null ? filter : {};
}
