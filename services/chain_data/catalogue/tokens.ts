/** Native tokens, which the chain list of the Metrics API lacks, and the name of the C-Chain. */
import { C_CHAIN } from "./metrics_schema.ts";

/**
 * Token symbols by EVM chain id, from `constants/l1-chains.json` of
 * ava-labs/builders-hub (BSD-3-Clause). The symbol of any other chain is unknown.
 */
export const TOKENS: Readonly<Record<number, string>> = {
  389: "ETX",
  1510: "JUICE",
  2044: "SHRAPGAS",
  3011: "3ULL",
  4313: "ARTERY",
  4337: "BEAM",
  5566: "STX",
  6119: "UPTN",
  6533: "KALIS",
  7272: "HASHD",
  8021: "NUMINE",
  8227: "FUEL",
  10_036: "INN",
  10_849: "L1",
  10_850: "LID",
  12_150: "QBE",
  13_322: "GAS",
  13_790: "TIX",
  17_177: "LYLTY",
  27_827: "ZERO",
  28_530: "BTIC",
  33_311: "FTR",
  33_345: "EVN",
  36_463: "HERESY",
  42_069: "COQ",
  43_114: "AVAX",
  43_419: "GUN",
  46_975: "BLAZE",
  49_460: "SIJ",
  50_776: "LBHG",
  53_935: "JEWEL",
  61_360: "GAS",
  61_587: "TGP",
  62_334: "TURF",
  62_789: "FRQ",
  68_414: "NXPC",
  72_379: "VJP",
  77_294: "TTC",
  77_757: "DIEGO",
  83_115: "KULA",
  84_358: "TIN",
  122_225: "NORTH",
  202_110: "DGAS",
  241_121: "NOM",
  299_792: "PLASMA",
  420_101: "HEMP",
  432_204: "ALOT",
  737_373: "CX",
};

/** Returns the name of a chain. The Metrics API sometimes calls the C-Chain `c_chain`. */
export function chainNameOf(chainId: number, listed: string): string {
  return chainId === C_CHAIN ? "C-Chain" : listed;
}
