/** Hostile chain names from an upstream, in every place that shows them. */
import { parse } from "@std/csv";
import { assert, assertEquals } from "@std/assert";
import { xml2js } from "xml-js";
import { createApp } from "../../routes/app.ts";
import { asFetch, simulateUpstreams } from "../../simnet/upstreams.ts";
import { START, testDeps } from "../support/deps.ts";

const CHAIN = 53_935;

/** A name as upstream lists it, and as the service shows it; null if the service omits the chain. */
const NAMES: [listed: string, shown: string | null][] = [
  ["=cmd|' /C calc'!A0", "=cmd|' /C calc'!A0"],
  ["+1+1", "+1+1"],
  ["-2", "-2"],
  ["@SUM(1,1)", "@SUM(1,1)"],
  ["\t=1+1", "=1+1"],
  ["＝1+1", "＝1+1"],
  ['a","b\n=1', 'a","b =1'],
  ["<script>alert(1)</script>", "<script>alert(1)</script>"],
  [`"><img src=x onerror=alert(1)>`, `"><img src=x onerror=alert(1)>`],
  ["]]>&lt;", "]]>&lt;"],
  ["a\u0000\u0008b", "a b"],
  ["\u202etxt.exe", "txt.exe"],
  ["a\ud800b", "a b"],
  ["Ñandú 李 🏔️", "Ñandú 李 🏔️"],
  ["", null],
  [" \u200b ", null],
  ["x".repeat(101), null],
  ["x".repeat(100_000), null],
];

/** Opens a service whose upstream lists one chain with a given name. */
async function serviceWith(chainName: string) {
  const now = () => new Date(START);
  const upstream = asFetch(simulateUpstreams({ now }));
  const deps = await testDeps({
    async fetch(input, init) {
      const response = await upstream(input, init);
      const { pathname } = new URL((input as Request).url);
      if (!pathname.endsWith("/v2/chains")) return response;
      const page = await response.json();
      for (const chain of page.chains) {
        if (Number(chain.evmChainId) === CHAIN) chain.chainName = chainName;
      }
      return Response.json(page);
    },
  });
  const app = createApp(deps);
  return {
    deps,
    async ask(path: string) {
      const response = await app.request(path);
      return { status: response.status, text: await response.text() };
    },
  };
}

for (const [listed, shown] of NAMES) {
  const name = JSON.stringify(listed.slice(0, 40));
  Deno.test(`a chain named ${name} is escaped everywhere`, async () => {
    const { deps: opened, ask } = await serviceWith(listed);
    using _deps = opened;
    const { status, text } = await ask("/api/chain-data/chains");
    assertEquals(status, 200, text);
    const { chains } = JSON.parse(text);
    const found = chains.find((chain: { chainId: number }) =>
      chain.chainId === CHAIN
    );
    assertEquals(found?.chainName ?? null, shown);
    const csv = await ask("/api/chain-data/chains?format=csv");
    const cells = parse(csv.text).flat();
    assert(
      !cells.some((cell) => /^[=+\-@\t\r\n＝＋－＠]/.test(cell)),
      csv.text,
    );
    assertEquals(cells.length, 5 * (chains.length + 1));
    if (shown === null) return;
    assert(cells.some((cell) => cell.replace(/^'/, "") === shown));
    const chart = await ask(`/chart/txCount.svg?chainId=${CHAIN}`);
    assertEquals(chart.status, 200);
    xml2js(chart.text);
    const page = await ask(
      `/?metric=txCount&chainId=${CHAIN}&range=1y&interval=day`,
    );
    assertEquals(page.status, 200);
    for (const html of [chart.text, page.text]) {
      assert(!/<script>|<img src=x/.test(html), html);
    }
  });
}
