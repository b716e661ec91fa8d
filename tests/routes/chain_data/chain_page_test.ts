/** The page of one chain: its head, its metrics, its facts. */
import { assertEquals } from "@std/assert";
import { chainPage } from "../../../routes/chain_data/chain_page.ts";
import type {
  ChainMetrics,
  MetricSummary,
} from "../../../services/downloads/chain_metrics.ts";
import { outlineOf } from "../../support/outline.ts";

const METRIC: MetricSummary = {
  metric: "txCount",
  isLacking: false,
  day: "2026-11-19",
  value: 1234,
  changePct: 12.34,
  noChange: null,
  recent: [1, 2, 3],
};

const SUMMARY = {
  state: "served",
  since: null,
  day: "2026-11-19",
  liveSince: "2020-09-23",
  ageDays: 800,
};

function shown(more: Record<string, unknown> = {}) {
  const { metrics = [METRIC], chain, summary, ...rest } = more as never as {
    metrics?: MetricSummary[];
    chain?: object;
    summary?: object;
  };
  const { body, facts, ...head } = chainPage({
    chain: {
      chainId: 7,
      chainName: "Seven",
      token: "SVN",
      blockchainId: "bc",
      subnetId: "sn",
      ...chain,
    },
    summary: { ...SUMMARY, ...summary },
    check: null,
    from: "2026-08-22",
    to: "2026-11-19",
    metrics,
    ...rest,
  } as unknown as ChainMetrics, {
    publicUrl: "https://firn.example",
    cited: { release: null, retrievedOn: "2026-11-21" },
  });
  const lines = outlineOf(String(body), /^badge-|^notice/);
  return { head, facts: facts!, lines, text: String(body) };
}

Deno.test("the page of a chain has its metrics, facts and citation", () => {
  const { head, lines } = shown();
  assertEquals(head, {
    title: "Seven",
    description:
      "Daily metrics of Seven (chain id 7) on Avalanche: transactions, addresses, fees, gas and running totals.",
    nav: "chains",
    url: "https://firn.example/chains/7",
    picture: "https://firn.example/card/chain/7.png",
    styles: ["chains.css"],
    modules: ["copy.js"],
  });
  assertEquals(lines, [
    "p [href=/chains]Chains",
    "h1 Seven",
    "p One source only chain id 7 [href=/?metric=txCount&chainId=7]Open in the explorer",
    "h2 Metrics",
    "p Complete days from 2026-08-22 to 2026-11-19. The figure is of the newest complete day; the change compares the last seven complete days with the seven before. Each line fills its own range, so it shows the course and not the size.",
    "h3 [href=/?metric=txCount&chainId=7]Transactions",
    "p 1,234 transactions on 2026-11-19",
    "p 7-day change: +12.34 %",
    "h2 Facts",
    "dt Native token",
    "dd SVN",
    "dt First transaction",
    "dd 2020-09-23, 2 years ago",
    "dt Newest complete day",
    "dd 2026-11-19",
    "dt Blockchain id",
    "dd bc",
    "dt Subnet id",
    "dd sn",
    "dt Data",
    "dd [href=/api/chain-data/metrics?metric=txCount&chainId=7&range=all&format=csv]Transactions as CSV · [href=/downloads]all metrics of all chains",
    "summary Cite this",
    "p Firn (2026): Daily metrics of Seven (chain id 7). https://firn.example/chains/7, retrieved on 2026-11-21.",
    "pre @misc{firn-2026-11-21, author = {{Firn}}, title = {Daily metrics of Seven (chain id 7)}, year = {2026}, url = {https://firn.example/chains/7}, urldate = {2026-11-21} }",
    "button[hidden] Copy",
  ]);
});

Deno.test("the page of a chain says why a metric has no figure, and a chain no facts", () => {
  const none = { ...METRIC, value: null, changePct: null, day: null };
  const lines = shown({
    chain: { token: null },
    summary: {
      state: "stopped",
      since: "2026-11-13",
      day: null,
      liveSince: null,
      ageDays: null,
    },
    from: null,
    to: null,
    metrics: [
      { ...none, isLacking: true, noChange: "unread" },
      { ...none, noChange: "unread" },
      { ...none, noChange: "short" },
    ],
  }).lines;
  assertEquals(lines.slice(1, -3), [
    "h1 Seven",
    "p One source onlysource stopped since 2026-11-13 chain id 7 [href=/?metric=txCount&chainId=7]Open in the explorer",
    "h2 Metrics",
    "p.notice Nothing has been read yet.",
    "h3 [href=/?metric=txCount&chainId=7]Transactions",
    "p The source has no values of this metric.",
    "h3 [href=/?metric=txCount&chainId=7]Transactions",
    "p Not read yet.",
    "h3 [href=/?metric=txCount&chainId=7]Transactions",
    "p No complete day.",
    "h2 Facts",
    "dt Native token",
    "dd unknown",
    "dt First transaction",
    "dd none",
    "dt Newest complete day",
    "dd none",
    "dt Blockchain id",
    "dd bc",
    "dt Subnet id",
    "dd sn",
    "dt Data",
    "dd [href=/api/chain-data/metrics?metric=txCount&chainId=7&range=all&format=csv]Transactions as CSV · [href=/downloads]all metrics of all chains",
    "summary Cite this",
  ]);
  const born = shown({ summary: { ageDays: null } }).lines;
  assertEquals(born[born.indexOf("dt First transaction") + 1], "dd none");
});

Deno.test("search engines are told only of the metrics that a chain has", () => {
  const lacking = { ...METRIC, metric: "gasUsed", isLacking: true } as const;
  const { facts } = shown({ metrics: [METRIC, lacking] });
  const named = JSON.stringify(facts);
  assertEquals(named.includes("gasUsed"), false);
  assertEquals(named.includes('"name":"txCount"'), true);
  assertEquals(
    named.includes(
      "https://firn.example/api/chain-data/metrics?metric=txCount&chainId=7&range=all&format=csv",
    ),
    true,
  );
});
