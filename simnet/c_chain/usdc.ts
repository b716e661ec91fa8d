/** The simulated USDC contract: decodes its calls and encodes its answers and logs. */
import {
  type Address,
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionResult,
  type Hex,
  parseAbi,
  toFunctionSelector,
} from "viem";

/** The contract of native USDC on the C-Chain. */
export const USDC_ADDRESS = "0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e";

/** The functions and the event that are simulated. */
export const USDC_ABI = parseAbi([
  "function balanceOf(address account) view returns (uint256)",
  "function decimals() view returns (uint8)",
  "function name() view returns (string)",
  "function symbol() view returns (string)",
  "function transfer(address to, uint256 amount) returns (bool)",
  "event Transfer(address indexed from, address indexed to, uint256 value)",
]);

/** Recipient (lower-case) and amount (base units) of a transfer. */
export interface Transfer {
  readonly to: string;
  readonly amount: bigint;
}

/** Answers a read call; null if the contract has no such function. */
export function answerCall(
  data: Hex,
  balanceOf: (address: string) => bigint,
): Hex | null {
  const call = decode(data);
  switch (call?.functionName) {
    case "balanceOf": {
      const result = balanceOf(call.args[0].toLowerCase());
      return encodeFunctionResult({
        abi: USDC_ABI,
        functionName: "balanceOf",
        result,
      });
    }
    case "decimals":
      return encodeAbiParameters([{ type: "uint8" }], [6]);
    case "name":
      return encodeAbiParameters([{ type: "string" }], ["USD Coin"]);
    case "symbol":
      return encodeAbiParameters([{ type: "string" }], ["USDC"]);
    default:
      return null;
  }
}

/** Decodes a `transfer` call; null for anything else. */
export function readTransfer(data: Hex): Transfer | null {
  const call = decode(data);
  if (call?.functionName !== "transfer") return null;
  const [to, amount] = call.args;
  return { to: to.toLowerCase(), amount };
}

/** Encodes the `Transfer` event. */
export function encodeTransfer(
  from: string,
  { to, amount }: Transfer,
): { topics: Hex[]; data: Hex } {
  const topics = encodeEventTopics({
    abi: USDC_ABI,
    eventName: "Transfer",
    args: { from: from as Address, to: to as Address },
  });
  const data = encodeAbiParameters([{ type: "uint256" }], [amount]);
  return { topics: topics.flat().filter((topic) => topic !== null), data };
}

const SELECTORS = new Set(
  USDC_ABI.filter((item) => item.type === "function").map(toFunctionSelector),
);

/** Decodes a call; null if the function or its arguments are unknown. */
function decode(data: Hex) {
  if (!SELECTORS.has(data.slice(0, 10) as Hex)) return null;
  try {
    return decodeFunctionData({ abi: USDC_ABI, data });
  } catch {
    return null;
  }
}
