/** The Etherscan response envelope. An error and an empty list have the same shape in it. */
import { z } from "zod";
import { Numeric } from "./numeric_schema.ts";
import { refusedInWords } from "./error_response.ts";

/** Status 0 means an error or an empty list. */
const Envelope = z.object({
  status: Numeric,
  message: z.string().nullish(),
  result: z.union([z.string(), z.array(z.unknown())]).nullish(),
});

/** Returns the rows of a response, none for an empty list. Throws if it is an error. */
export function rowsOf(json: unknown): unknown[] {
  const { status, message, result } = Envelope.parse(json);
  const words = typeof result === "string" && result || (message ?? "");
  if (status === 1 && typeof result !== "string") {
    return z.array(z.unknown()).parse(result);
  }
  const isEmpty = !Array.isArray(result) || result.length === 0;
  if (isEmpty && [words, message].some(saysNothingFound)) return [];
  throw refusedInWords(words);
}

function saysNothingFound(words: string | null | undefined): boolean {
  return /^no (data|records|transactions) found/i.test(words ?? "");
}
