/** Etherscan's dialect: an envelope around a list, in which refusals and empty lists look alike. */
import { z } from "zod";
import { Numeric } from "../../platform/http/numeric_schema.ts";
import { refusedInWords } from "../../platform/http/error_response.ts";

/** Status 0 stands for refusals and for lists without a row alike. */
const Envelope = z.object({
  status: Numeric,
  message: z.string().nullish(),
  result: z.union([z.string(), z.array(z.unknown())]).nullish(),
});

/** Returns the rows of an answer; throws where it has none to give. */
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
