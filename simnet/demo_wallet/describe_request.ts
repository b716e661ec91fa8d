/** The text that the demo wallet's dialog shows for a request. */
import { formatUnits, hexToString, isHex } from "viem";
import { readTransfer, USDC_ADDRESS } from "../c_chain/usdc.ts";

/** Title and text of a confirmation. */
interface Description {
  readonly title: string;
  /** Plain text with line breaks. */
  readonly text: string;
}

// deno-lint-ignore no-explicit-any -- pages may send any parameters.
type Params = readonly any[];

/** Describes a request that needs confirmation; null for any other. */
export function describeRequest(
  method: string,
  params: Params,
): Description | null {
  const describe = Object.hasOwn(DESCRIBERS, method)
    ? DESCRIBERS[method]
    : undefined;
  return describe?.(params) ?? null;
}

/** Parses EIP-712 data, which pages send as JSON text or as an object. */
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
