/** The Atom feed of disputes. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { disputesFeed } from "../../../routes/chain_data/quality.ts";
import type { Dispute } from "../../../services/chain_data/checks/checked_series_schema.ts";
import {
  parseFeed,
  shownOf,
} from "../../support/chain_data/quality_answers.ts";

Deno.test("disputesFeed is well-formed and complete for any source name", () => {
  const names = [
    "A & B",
    "a < b > c",
    "<b>bold</b> <script>alert(1)</script>",
    "]]>",
    "]]]]><![CDATA[>",
    "&amp; &lt; &#39;",
    `"quoted" 'names'`,
    "<!-- & -->",
  ];
  const disputes: Dispute[] = names.map((source, index) => ({
    series: "fees",
    chainId: 43114,
    chainName: "C-Chain",
    token: "AVAX",
    day: `2026-11-${20 - index}`,
    value: 1.5,
    crossCheckValue: 2.5,
    differencePct: index === 0 ? null : 66.6667,
    unit: "avax",
    tolerancePct: 0.5,
    foundAt: "2026-11-21T08:00:00.000Z",
    source,
    crossCheckSource: `other ${source}`,
  }));
  const answer = { count: disputes.length, disputes, checkedAt: null };
  const text = disputesFeed(answer, "https://firn.test");
  assertStringIncludes(text, "<updated>2026-11-21T08:00:00.000Z</updated>");
  const none = {
    count: 0,
    disputes: [],
    checkedAt: "2026-11-20T08:00:00.000Z",
  };
  assertStringIncludes(
    disputesFeed(none, "https://firn.test"),
    "<updated>2026-11-20T08:00:00.000Z</updated>",
  );
  const { entries } = parseFeed(text);
  assertEquals(
    entries.map(({ summary }) => shownOf(summary)),
    names.map((name, index) => {
      const difference = index === 0 ? "" : ", a difference of 66.6667 %";
      return `${name}: 1.5 avax. other ${name}: 2.5 avax${difference}; ` +
        "tolerance 0.5 %.";
    }),
  );
});

Deno.test("disputesFeed names the chain and its own token, and links to its series", () => {
  const dispute: Dispute = {
    series: "feesPaid",
    chainId: 4337,
    chainName: "Beam",
    token: "BEAM",
    day: "2026-11-20",
    value: 1.5,
    crossCheckValue: 2.5,
    differencePct: 66.6667,
    unit: "avax",
    tolerancePct: 0.5,
    foundAt: "2026-11-21T08:00:00.000Z",
    source: "A",
    crossCheckSource: "B",
  };
  const read = (dispute: Dispute) =>
    disputesFeed(
      { count: 1, disputes: [dispute], checkedAt: null },
      "https://firn.test",
    );
  const text = read(dispute);
  assertStringIncludes(text, "A: 1.5 BEAM. B: 2.5 BEAM, a difference");
  assertStringIncludes(text, "feesPaid of Beam on 2026-11-20 is disputed");
  assertStringIncludes(text, "disputes#feesPaid/4337/2026-11-20");
  assertStringIncludes(
    text,
    "/metrics?metric=feesPaid&amp;chainId=4337&amp;from=2026-11-20&amp;to=2026-11-20",
  );
  assertStringIncludes(read({ ...dispute, token: null }), "1.5 native tokens.");
});

Deno.test("disputesFeed lists the last found first, dates each entry by its own day, and is a feed without disputes too", () => {
  const dispute = (series: "fees" | "transactions", day: string, at: string) =>
    ({ series, day, foundAt: `${at}T08:00:00.000Z` }) as Dispute;
  const disputes = [
    dispute("fees", "2026-11-20", "2026-11-21"),
    dispute("fees", "2026-11-18", "2026-11-22"),
    dispute("fees", "2026-11-17", "2026-11-21"),
    dispute("transactions", "2026-11-19", "2026-11-22"),
  ];
  const read = (disputes: Dispute[]) =>
    parseFeed(
      disputesFeed(
        { count: disputes.length, disputes, checkedAt: null },
        "https://firn.test",
      ),
    );
  const { entries, updated } = read(disputes);
  assertEquals(updated, "2026-11-22T08:00:00.000Z");
  assertEquals(
    entries.map(({ published, updated }) => [published, updated.slice(0, 10)]),
    [
      ["2026-11-20T00:00:00.000Z", "2026-11-22"],
      ["2026-11-19T00:00:00.000Z", "2026-11-22"],
      ["2026-11-21T00:00:00.000Z", "2026-11-21"],
      ["2026-11-18T00:00:00.000Z", "2026-11-21"],
    ],
  );
  // Some readers take a feed without entries for no feed.
  assertEquals(read([]).entries.map(({ title }) => title), [
    "No dispute is open",
  ]);
});
