/** The mainnet chains that a public list names as active, and those of them that are not tracked. */
import {
  type Chain,
  coverageOf,
  type UntrackedChain,
} from "./chains_schema.ts";

/**
 * The mainnet chains with `isActive` in `constants/l1-chains.json` of
 * ava-labs/builders-hub (BSD-3-Clause) on 2026-08-20: their validator sets had members.
 * That is no traffic, so it does not stop the zeroes of an idle chain. Each has its EVM
 * chain id, or its id on the P-Chain where the list has no other.
 */
const LISTED_CHAINS: readonly (readonly [id: number | string, name: string])[] =
  [
    [192, "Watr"],
    [836, "Binary Holdings"],
    [1_234, "Step Network"],
    [1_510, "Orange"],
    [2_044, "Shrapnel L1"],
    [3_011, "Playa3ull"],
    [4_337, "Beam"],
    [5_566, "StraitsX"],
    [6_119, "SK Planet"],
    [7_272, "Hashfire"],
    [7_776, "PandaSea"],
    [7_979, "DOS"],
    [8_021, "Numi"],
    [8_227, "Space"],
    [10_036, "Innovo Markets Mainnet L1"],
    [10_849, "Lamina1"],
    [10_850, "Lamina1 Identity L1"],
    [12_150, "Quboid Chain"],
    [13_322, "FIFA"],
    [13_790, "Tixchain"],
    [17_177, "Lylty"],
    [27_827, "Zeroone"],
    [28_530, "BTIC"],
    [29_111, "Mugen"],
    [33_311, "Feature"],
    [33_345, "Even"],
    [36_463, "The Grotto"],
    [43_114, "Avalanche C-Chain"],
    [43_419, "Gunzilla"],
    [46_975, "Blaze"],
    [50_776, "LetsbuyHC"],
    [53_935, "DeFi Kingdoms"],
    [61_587, "TGP"],
    [62_789, "Frqtalnet"],
    [68_414, "Henesys"],
    [72_379, "Loyal"],
    [77_294, "tomatochain"],
    [80_000, "AIB Mainnet"],
    [83_115, "Kula"],
    [84_358, "Titan"],
    [122_225, "north-investments"],
    [151_122, "Intain Market"],
    [202_110, "Dinari Financial Network"],
    [235_235, "CodeNekt"],
    [237_007, "Ulalo"],
    [241_121, "Andromeda"],
    [299_792, "WARP Gaming"],
    [326_663, "DComm"],
    [432_204, "Dexalot"],
    [737_373, "CX"],
    ["YDJ1r9RMkewATmA7B35q1bdV18aywzmdiXwd9zGBq3uQjsCnn", "ApertumMainnet"],
    ["2aVPq3NSjjf8fqQE68myUM3AiTQLM9hBHg1XkBwByfTWma3BHv", "blerifymain"],
    ["RWfhP7moxu627ysqgaj4GoD3PZbdcJpAX56t6kHyuafSJGsNb", "Datagram Chain"],
    ["2C1D31mrPpAaSkseb3iywafDvH5drvMJVKh1xZv3tmYWrbMkEf", "fortitudemadeira"],
    ["2PDZJhEoUr5944QGTDpztZvCDiWHa3iGbXenTmpqq3xQcqiW3A", "goldleader"],
    ["3USaEfTcoUhHxpKXvpAG916UKCUEyjrtkg2hBArBG3JyDP7my", "kite"],
    ["nzcqhrU7m1wD5g5nKFaCC6LkqVn4ob78HSixXBBN8DjYa6FJG", "kitestaging2"],
    ["BXLoBWScGdbWcFozx2PDv9hEcH3fXNvNmX3GAc25gbbRxs7nc", "Lynq 01"],
    ["2TfGh1pyDoumsDgTxDmWoseRD7GGRwrpX19HLsQdeCRqwK9BqZ", "MakaChain"],
    ["E7aLmivLY8wTjvseLgD6HJGk34ipBK6yBd2KoMKDvqPh6NZUJ", "Monsoon"],
    ["2RyzsmGypNQZPby1miwMMV8spTvhgd9qd2peNRzU1mErUQqSSw", "nftchain"],
    ["2PDRxzc6jMbZSTLb3sufkVszgQc2jtDnYZGtDTAAfom1CTwPsE", "numbersevm"],
    ["B5gLCyeRWScxf1CeGHfXjEkcp5au8dQYQjtSV6cRammsLjsbK", "omnicoin"],
    ["a3Cs91sp9JGzeUDHp1JVQnRKaZkyMgKsVqfjguKGibgXRPvwQ", "QRQMS"],
    ["xFwrfjdyhZRFbMUbGY3TjxM58iNxwkRazHL91xxwwnhRuUi8L", "rwachain"],
    ["2t51dXsuxUvd9teY9TKEJmgxmxMk3CRF88UYTA4HQgjeYZqzSX", "smartchain"],
    ["2HR9yTVXBwxJjmejn9yt1UQnrBpQVQRpxUQe6YUtEaWh9yqnPN", "STLINK"],
    ["2Ge2BkkjNupU2WwJ3SEbaoQGWhTb9HBK34RXqPbSTSzhnrqcJk", "VYOChain"],
  ];

/** Lists the chains that the public list names as active, and the source does not list. */
export function listUntracked(
  tracked: readonly Pick<Chain, "blockchainId" | "chainId">[],
): UntrackedChain[] {
  const known = new Set<number | string>(
    tracked.flatMap(({ chainId, blockchainId }) => [chainId, blockchainId]),
  );
  return LISTED_CHAINS.filter(([id]) => !known.has(id)).map((
    [id, chainName],
  ) => ({
    chainId: typeof id === "number" ? id : null,
    blockchainId: typeof id === "number" ? null : id,
    chainName,
    coverage: coverageOf("notIndexed"),
  }));
}
