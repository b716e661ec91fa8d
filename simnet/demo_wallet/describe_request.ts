/** What the demo wallet's dialog says of a request before it is carried out. */
import { formatUnits, hexToString, isHex } from "viem";
import { readTransfer, USDC_ADDRESS } from "../c_chain/usdc.ts";

/** A request in words. */
export interface Description {
  readonly title: string;
  /** Plain text, line by line. */
  readonly text: string;
}

// deno-lint-ignore no-explicit-any -- parameters are whatever a page sent.
type Params = readonly any[];

/** Describes a request that needs an agreement; null for any other. */
export function describeRequest(
  method: string,
  params: Params,
): Description | null {
  const describe = Object.hasOwn(DESCRIBERS, method)
    ? DESCRIBERS[method]
    : undefined;
  return describe?.(params) ?? null;
}

/** Reads EIP-712 data, which pages send as text or as it is. */
export function parseTypedData(typedData: unknown) {
  return typeof typedData === "string" ? JSON.parse(typedData) : typedData;
}

const DESCRIBERS: Readonly<Record<string, (params: Params) => Description>> = {
  personal_sign: ([message]) => ({
    title: "Sign a message",
    text: isHex(message) ? hexToString(message) : String(message),
  }),
  eth_signTypedData_v4: ([, typedData]) => ({
    title: "Sign data",
    text: JSON.stringify(parseTypedData(typedData), null, 2),
  }),
  eth_sendTransaction: ([wanted]) => describeTransaction(wanted ?? {}),
};

function describeTransaction(
  { to, value = 0, data = "0x" }: Params[number],
): Description {
  const isUsdc = String(to).toLowerCase() === USDC_ADDRESS;
  const transfer = isUsdc ? readTransfer(data) : null;
  if (transfer) {
    const text = `${formatUnits(transfer.amount, 6)} USDC\nto ${transfer.to}`;
    return { title: "Send simulated USDC", text };
  }
  const amount = formatUnits(BigInt(value), 18);
  const text = `${amount} AVAX\nto ${to}\ndata ${data}`;
  return { title: "Send a simulated transaction", text };
}
