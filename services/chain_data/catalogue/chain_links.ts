/** Where a chain has its site and its block explorers, and what kind of chain it is. */
import type { Chain } from "./chains_schema.ts";

/** Links out of the page of a chain. */
export interface ChainLinks {
  /** What the chain is for; null if the list says nothing more than "General". */
  readonly category: string | null;
  readonly site: string | null;
  readonly explorers: readonly string[];
}

/**
 * Finds the links of a chain; none of a chain that the list lacks, or that has the id
 * of a chain of another subnet.
 */
export function linksOf(
  { chainId, subnetId }: Pick<Chain, "chainId" | "subnetId">,
): ChainLinks {
  const found = LISTED.get(chainId);
  return found?.subnetId === subnetId
    ? found
    : { category: null, site: null, explorers: [] };
}

/**
 * The mainnet chains with a site or an explorer in `constants/l1-chains.json` of
 * ava-labs/builders-hub (BSD-3-Clause) on 2026-08-20: chain id, subnet id, category,
 * site and explorers. The list has articles in place of the sites of some chains; they
 * are left out.
 */
const LINKS = `
192 QL49tBK9T84NSHQYYSP33Ru7h1KcybDR6MGA8dARVWhw1zLB8 Finance https://www.watr.org
379 pchqewRRQHwx1B3XJEq9p2HGSdjrHsyv48YzVUWXZbrmH4TM6 - https://www.thekoroshi.com/ https://379.snowtrace.io
389 q54cgHa9RN2NFp9qsfpPzVkhgn8xqDgKEQR1G997xZ1P5Dc8o - - https://explorer.avax.network/etx
836 23dqTMHK186m4Rzcn1ukJdmHy13nqido4LjTp5Kh9W6qBKaFib Telecom https://www.thebinaryholdings.com/ https://explorer-binaryholdings.cogitus.io
1216 2UPuVAx5yFubvDPm6CYywT4mYAdTW3zM1XXD7R7ic8s2zQhF8U - https://wholesale.stc.com.bh/web3-section/ https://explorer.avax.network/intersect https://1216.snowtrace.io
1234 7f9jciLEX25NPJEaAz1X7XF44B1Q9UBwq6PdnCHm5mnUq1e1C Fitness https://step.network/ https://1234.snowtrace.io
1344 yPUx56ffTBML1QfomcBvwfBxfE3LSgqkBNfxTCpx5dr4NNFGB Gaming https://blitz.gg/ https://1344.snowtrace.io
1510 4onzNay6p7oru7GfZLCMrXhxvUqtmoC4vz8r8ev9e7r2C5wju AI https://www.orangeweb3.com/ https://explorer.avax.network/orange
1888 2sF5Pb165jhdeNSy2kT4WyDYazu3buh1WGh77oTBA9dDjBPtsy - https://hub.xyz/memoria https://1888.snowtrace.io
2044 Cv1gyKNUtPNAtFw8YcjbsD4a3HNRbNvinY7t2gnGK4J54rQK3 - - https://explorer.avax.network/shrapnel
3011 2wLe8Ma7YcUmxMJ57JVWETMSHz1mjXmJc5gmssvKm3Pw8GkcFq - https://playa3ull.games/ https://explorer.avax.network/playa3ull https://3011.snowtrace.io
4313 25VdGtdQPejyffNLpTqh4BH2NABXT8Zxup6ee3B4htrMryofUB Gaming https://studioartery.com/ https://explorer.avax.network/artery https://4313.snowtrace.io
4337 eYwmVU67LmSfZb1RwqCMhBYkFyG8ftxn6jAwqzFmxC9STBWLC Gaming https://onbeam.com/ https://4337.snowtrace.io https://explorer.avax.network/beam
5566 2W9sERL7Zf7NrWpz7Bzg3fKSEt46gSQaKAU7ntTMSShLy64yMz - https://www.straitsx.com/ https://explorer.avax.network/straitsx https://5566.snowtrace.io
6119 yDxaSh2hoVxQKRHmacV1xFpuSgHf6Q6cCMu4v3GoLQnqQWk6L Loyalty - https://explorer.avax.network/uptn https://6119.snowtrace.io
6533 x1C95jnFyLV3x8tiiCW7ZFRoRFgq9SX1Yprwfxx4GCTujggYB - https://kalichain.com/ https://explorer.avax.network/kalichain https://6533.snowtrace.io
7272 2LwJgsZLT52eAaxLTMLtBQeiUnEZuMibCqpAzJSQWHvRPs1iWN - https://hashfire.xyz/ https://explorer.avax.network/hashfire
7776 26NzZkCTeUHfqdxRcUXDTAurNxDsT6mYLwSEqTz3s11G1rQV14 - https://pandasea.io/
7979 nQCwF6V9y8VFjvMuPeQVWWYn6ba75518Dpf6ZMWZNb3NyTA94 Gaming https://doschain.com/ https://7979.snowtrace.io
8021 2nCzBViQ5jxLaxkg9TABx6oXu1UGU7chM7G6XzPvW9ehP8RfrJ - https://numine.io/ https://explorer.avax.network/numi https://8021.snowtrace.io
8198 2Mi7V6HwKCEPxXTRG87o5tHACECkMPnJKP6UA3w1ote7j46GYT - https://hatchyverse.com/ https://hatchyverse-explorer.ash.center
8227 hkugVjqegihrQcggCnScNW8yQctyY7Z7oj2Mj5tGxWGXNa5iQ - https://otherworld.network/ https://explorer.avax.network/space https://8227.snowtrace.io
8787 TfTBHvcxpBfxPntMpadskcZTH8AG5rgkrNyz2DzeByNMsZkMo Gaming https://animalia.games/ https://8787.snowtrace.io
8888 ii7zCu8JNnYYgPT8PwpVYiTS1gcK5RWJfsyuPXTDv8Bn9wspY - https://xana.net/
10036 oerPWBbtbe13eWbo3AegYUrHuSETeTwyNy7szoHJJ1QQBL9nu - https://www.innovomarkets.com/ https://explorer.avax.network/innovo https://10036.snowtrace.io
10849 2hoHzxcZktxrTNoqCZhR9bEctc5oCuBqSp6SpRn6uvwxzLkvnD - https://lamina1.com/home https://explorer.avax.network/lamina1 https://10849.snowtrace.io
10850 2T4gpnissLkoezQ36XKxhrFAH5yynqKGa1u47XxCYTdfvePuNz - - https://explorer.avax.network/lamina1id https://10850.snowtrace.io
12150 26wQKuvA5kjwrKDaje7nmuJAx6Ke2bGvDDr3EiypNr53rH1pMc Loyalty https://qubo.id/ https://explorer.avax.network/qchain https://12150.snowtrace.io
13322 h7egyVb6fKHMDpVaEsTEcy7YaEnXrayxZS4A1AEU4pyBzmwGp Sports https://collect.fifa.com/ https://explorer.avax.network/fifa https://13322.snowtrace.io
13790 2BLtazsGwYAFEHpvZQGQUPavjQZ2YUqpvfYPdAdTtKpJ1m3eRK Ticketing https://www.tixbase.com/ https://explorer.avax.network/tixchain
16180 axp7DUSPvFghTM883ug2B8btAReBAACxD1VyENmRDStH4Lfed Gaming https://plyr.network/ https://explorer.avax.network/plyr https://16180.snowtrace.io
17177 2iumcj2wiV9BQ96LRHpYNpD1SHhb8Vcvm8YUebZSqcFeJakTo6 - - https://explorer.avax.network/lylty
21024 JD8MbaUp75twdVJ7A4j2ryk7gFJ8FCgQeNLhvDv3y4up9bExp Gaming - https://explorer.avax.network/trx https://21024.snowtrace.io
27827 nKJuE11HePLrmp391sfoFVqZR7Fw5VJ1XjyznsogsjebxwiAg SocialFi https://zeroone.art/ https://explorer.avax.network/zeroonemai https://27827.snowtrace.io
28530 2Ypm6RVhddu5Ps8DEbb35Y1PgX4uXE76yyxn6JMhnZy8ftAFLW - - https://explorer.avax.network/btic https://28530.snowtrace.io
33311 29p4FdSKaXQPyw8sqhzJSK37FXuPHdyECau186qZSUNRhk3QuB - https://www.feature.io/ https://explorer.avax.network/feature https://33311.snowtrace.io
33345 VsxF67NQTACc2fLQL9fD3F8LzJ5eezcSGFNitGsk7VxKbPwcD - - https://explorer.avax.network/even
36463 2qZWoi4PSG69vdYAQ9otTxMGmRh8YgAXEsm4HMbZZkMamibU76 - - https://explorer.avax.network/thegrotto
42069 5moznRzaAEhzWkNTQVdT1U4Kb9EU7dbsKZQNmHwtN5MGVQRyT - https://coqnet.io/ https://explorer.avax.network/coqnet
43114 11111111111111111111111111111111LpoYY - https://avax.network/ https://snowtrace.io https://explorer.avax.network/c-chain https://snowscan.xyz
43419 2MbQjnTg3yxEtZBfnamboi7K9AajwNq7WExiwReBQSBtwbBVer Gaming https://gameoffthegrid.com/#about https://explorer.avax.network/gunzilla https://43419.snowtrace.io
46975 j6HXQWdpRhX7yHMWLehUyYDjypHa455vP5tuiXZ81nkPgveFV SocialFi https://blaze.stream/ https://explorer.avax.network/blaze
49460 LdTdjQpQKW5YkQBboRSXvk3RY5zwSfdis1n9gyccMEH1bTfdB - - https://explorer.avax.network/qr1209t1ms
50776 f6ewGNYxGRjQ1SFfhL2tiHCMHzz9AHdTuPe11dRNarGbp3dES - - https://explorer.avax.network/letsbuyhc
53935 Vn3aX6hNRstj5VHHm63TCgPNaeGnRSqCYXQqemSqDd2TQH4qJ Gaming https://defikingdoms.com/ https://explorer.avax.network/defi-kingdoms https://53935.snowtrace.io
58166 HXtMMwc6UwS8zK1G3kA9u6NGtUHrm56cnPm2WZBCU1bs2hHsM - https://www.oumla.com/
61360 ZjyoAfPS1qaSzLKkCVCc3koXf7KLqop7G9viy93oSkxJf6odZ AI_Agents https://youmio.ai/ https://explorer.avax.network/youmio
61587 2eq3DtJp4cWzvGd8Q3ZFo8VpZmmD235Xoxgq6CmX8anZ69M54 Gaming https://growthprotocol.xyz/ https://explorer.avax.network/tgp https://61587.snowtrace.io
62334 7e3ziXMNuq29Y6nBBvWQZYAWYKyvhN5bhvmoNquNEbvFR51ad AI_Agents https://turf.network/ https://explorer.avax.network/turf
62521 hbP3PrnQS71Py1VVxvHfnCnr7MWos3XQesEsCKQoA9hpciyVR - - https://62521.snowtrace.io
62789 5vcCHz5fgd1hWyXaKiLnMAVjmh4qW7yFxNbASBjxCXZYE445N - - https://explorer.avax.network/frqtalnet
68414 jmLmezoViv3F72XLzpdmSNk3qLEGb72g5EYkp3ij4wHXPF2KN Gaming https://msu.io/ https://explorer.avax.network/henesys https://68414.snowtrace.io
69420 2ku5ZCd4t4CDc7ahotdJcoDxc6efE6uMC5C445S9ZKih473LpN - - https://eto-explorer.ash.center
72379 fZu9D9Ldxq9svbgRNdycWCSbLyEZLmTfKNxEnSqF3UXQztHP7 - - https://explorer.avax.network/loyal
77294 LdAcdLzdbEAuPjivWf9HzhBZiztq31xbhGE21xTUqA1YP7LGH - - https://explorer.avax.network/ttchain
77757 TsijYHafTXCUZGoisGnMorh2HGwY9Vg2YzviEo8nrmtZZESp9 - - https://explorer.avax.network/qr0723t1ms
83115 2aRqefDZES46GBex4nHY6mhn2ZVxh1zGDWoQLNbVeYZEQfJ3cy - - https://explorer.avax.network/kula
84358 2LbGgyVZE5aMMYPp3h1F2MkKbjefR51nSZWaZzarDZf8GThCcX - - https://explorer.avax.network/titan https://84358.snowtrace.io
96786 2ocjsdpN9czPYmHqS4Tc5Aydj4zk2WWVdX9jdXtqvMjQuf9pgV - - https://96786.snowtrace.io
122225 3RGWTpWdyveMRv9o9tGhhGsZpVdmZVMvvxZMTXTbaRHYhxA2y - - https://explorer.avax.network/north
151122 2UEGsEEjRyMSgD7cNufCGEXbPXsma7RctBgfRw3Haqkk8oByFa Finance https://www.intainft.com/
202110 2Ee4oBUute1PV5XaeS4b256eLH98r4NE8YgzX5nSX4cUxvtgre Finance https://dinari.com/ https://explorer.avax.network/dinari
235235 o4Eariv2Cx1fTvPFXYofpJfS9KgwFaiGN8KFGcCeZM9t87GJr - https://codenekt-ecosystem.io/
241121 2otZ1ZSFtu5H8Sy8fM8V5VMWacJ5VE7DNKXkELjwRqWdLgUdwD - - https://explorer.avax.network/andromeda
299792 9L3hT5PtJVhiyJt1FHVqeJKtguyTM7V98KZobBeCUhYCQEHeQ Gaming - https://explorer.avax.network/warp
420101 fm2jwngEwi6eh38k7WJunRSCLUobBAZ7sbCD8uT84JAXqwNwK - - https://explorer.avax.network/hemp
432204 wenKDikJWAYQs3f2v9JhV86fC6kHZwkFZsuUBftnmgZ4QXPnu Finance https://dexalot.com/en https://explorer.avax.network/dexalot https://432204.snowtrace.io
710420 23LsHpx3wTPtNC4PUaTdtNQkaGbLxwiGimnZjHaUc28qLHs7Dn - https://tiltyard.gg/ https://explorer.avax.network/tiltyard https://710420.snowtrace.io
737373 WChFQ1twkXBLxZGo4qojC9AgizFrRdMRnPCK9FZmisY7z6pUs Gaming https://cxchain.xyz/ https://explorer.avax.network/cx
`;

const LISTED = new Map(
  LINKS.trim().split("\n").map((row) => {
    const [chainId, subnetId, category, site, ...explorers] = row.split(" ");
    const given = (cell = "-") => cell === "-" ? null : cell;
    return [Number(chainId), {
      subnetId,
      category: given(category)?.replaceAll("_", " ") ?? null,
      site: given(site),
      explorers,
    }];
  }),
);
