/** The page of one chain: its head, its metrics, its facts. */
import { assertEquals } from "@std/assert";
import { chainPage } from "../../../routes/chain_data/one_chain_page.ts";
import type {
  ChainMetrics,
  MetricSummary,
} from "../../../services/chain_data/overview/overview.ts";
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

const STANDING = {
  day: "2026-11-19",
  rank: 2,
  rankedCount: 3,
  sharePct: 12.345,
  unreadCount: 0,
  chainCount: 4,
};

function shown(more: Record<string, unknown> = {}) {
  const { metrics = [METRIC], chain, summary, standing, ...rest } =
    more as never as {
      metrics?: MetricSummary[];
      chain?: object;
      summary?: object;
      standing?: object;
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
    standing: { ...STANDING, ...standing },
  });
  const lines = outlineOf(String(body), /^badge-|^notice/);
  return { head, facts: facts!, lines, text: String(body) };
}

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

Deno.test("the page of a chain says why a metric has no figure", () => {
  const none = { ...METRIC, day: null, value: null, changePct: null };
  const { lines } = shown({
    metrics: [
      { ...none, isLacking: true, noChange: "unread" },
      { ...none, noChange: "unread" },
      { ...none, noChange: "short" },
    ],
  });
  assertEquals(
    lines.filter((line) => /no values|Not read|No complete/.test(line)),
    [
      "p The source has no values of this metric.",
      "p Not read yet.",
      "p No complete day.",
    ],
  );
});

Deno.test("the page of a chain links its site and its explorers, and none of another chain with its id", () => {
  const linksIn = (chain: object) =>
    shown({ chain }).lines.filter((line) => /Site of|explorer of/.test(line))
      .map((line) => line.replace(/\s+/g, " "));
  const beam = {
    chainId: 4337,
    chainName: "Beam <L1>",
    subnetId: "eYwmVU67LmSfZb1RwqCMhBYkFyG8ftxn6jAwqzFmxC9STBWLC",
  };
  assertEquals(linksIn({ ...beam, subnetId: "other" }), []);
  assertEquals(linksIn({ chainId: 7 }), []);
  const { text, lines } = shown({ chain: beam });
  assertEquals(
    [...text.matchAll(/<a href="(https:[^"]*)"\s+rel="([^"]*)">([^<]*)</g)]
      .map(([, ...parts]) => parts),
    [
      ["https://onbeam.com/", "Site of Beam &lt;L1&gt;"],
      ["https://4337.snowtrace.io", "Block explorer of Beam &lt;L1&gt;"],
      [
        "https://explorer.avax.network/beam",
        "Block explorer of Beam &lt;L1&gt;",
      ],
    ].map(([url, words]) => [url, "external noopener nofollow", words]),
  );
  assertEquals(lines.includes("dd Gaming"), true);
});

Deno.test("each small chart says its newest, highest and lowest value with their days, and has its values for a script", () => {
  const price = {
    ...METRIC,
    metric: "avgGasPrice" as const,
    value: 25e9,
    recent: [null, 30e9, 20e9, null, 25e9],
  };
  const { text, lines } = shown({
    metrics: [
      { ...METRIC, metric: "gasUsed", value: null, recent: [] },
      { ...METRIC, recent: [4, null, 3, 5, 1234] },
      { ...METRIC, metric: "avgTps", recent: [null, null, null, null, 7] },
      price,
    ],
    from: "2026-11-15",
  });
  const { days, values } = JSON.parse(
    /id="chart-data">([^<]*)</.exec(text)![1]!,
  );
  assertEquals([days[0], days.at(-1), days.length], [
    "2026-11-15",
    "2026-11-19",
    5,
  ]);
  assertEquals(values, [
    [4, null, 3, 5, 1234],
    [null, null, null, null, 7],
    [null, 30, 20, null, 25],
  ]);
  assertEquals(text.match(/class="plot/g)!.length, values.length);
  assertEquals(
    lines.filter((line) => /^dd .* 2026-11-1\d$/.test(line)),
    [
      "dd 1,234 2026-11-19",
      "dd 3 2026-11-17",
      "dd 30 2026-11-16",
      "dd 20 2026-11-17",
    ],
  );
});

Deno.test("the page of a chain says its rank and its share, and neither while a chain is unread", () => {
  const wordsOf = (standing: object) =>
    shown({ standing }).lines
      .find((line) => /[Rr]ank/.test(line))!.replace(/^p /, "");
  assertEquals(
    wordsOf({}),
    "[href=/chains]Rank 2 of 3 by transactions on 2026-11-19, 12.35 % of all.",
  );
  assertEquals(
    wordsOf({ rank: null, sharePct: null, unreadCount: 1 }),
    "3 of 4 chains are read so far. Its rank and share appear when all are.",
  );
  assertEquals(
    wordsOf({ rank: null, sharePct: null }),
    "No rank and no share: it has no complete value of the newest complete day.",
  );
});
