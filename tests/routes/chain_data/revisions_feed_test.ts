/** The Atom feed of revisions: its head, and each entry. */
import { assertEquals } from "@std/assert";
import { revisionsFeed } from "../../../routes/chain_data/quality.ts";
import {
  type RevisionsAnswer,
  RevisionsQuery,
} from "../../../services/chain_data/series/revisions_schema.ts";
import { elementsOf } from "../../support/charts/charts.ts";

const REVISION = {
  chainId: 7,
  chainName: "Seven",
  day: "2026-11-18",
  metric: "txCount",
  oldValue: 3,
  newValue: 4,
  unit: "count",
  cause: "restated",
  seenAt: "2026-11-20T08:00:00.000Z",
};

/** The text of each element of a name, or an attribute of it. */
function read(
  { revisions, ...query }: {
    revisions: unknown[];
    chainIds?: string;
    [name: string]: unknown;
  },
  name: string,
  attribute?: string,
): (string | undefined)[] {
  const feed = revisionsFeed(
    {
      chainId: query.chainIds ? null : 7,
      chainName: query.chainIds ? null : "Seven",
      count: revisions.length,
      revisions,
      nextCursor: null,
    } as unknown as RevisionsAnswer,
    RevisionsQuery.parse({ format: "atom", ...query }),
    "https://firn.example",
  );
  return elementsOf(feed).filter((element) => element.name === name)
    .map(({ attributes, text }) => attribute ? attributes[attribute] : text);
}

const SELF = "https://firn.example/api/chain-data/revisions";

Deno.test("an entry says what a value became, when that was seen, and when its day ended", () => {
  const revisions = [
    { ...REVISION, oldValue: null },
    { ...REVISION, newValue: null, cause: "withdrawn" },
  ];
  assertEquals(read({ revisions }, "summary"), [
    "no value became 4; unit count.",
    "3 became no value; unit count.",
  ]);
  assertEquals(read({ revisions }, "updated"), Array(3).fill(REVISION.seenAt));
  const ended = "2026-11-19T00:00:00.000Z";
  assertEquals(read({ revisions }, "published"), [ended, ended]);
  const gas = { revisions: [{ ...REVISION, metric: "gasUsed" }] };
  assertEquals(
    read(gas, "link", "href").at(-1),
    "https://firn.example/api/chain-data/metrics?chainId=7&metric=gasUsed&from=2026-11-18&to=2026-11-18",
  );
  // Some readers take a feed without entries for no feed.
  assertEquals(read({ revisions: [] }, "title").slice(1), [
    "No revision was seen",
  ]);
});

Deno.test("each selection is a feed with its own id and links, and an entry has one id in all of them", () => {
  const entry = `${SELF}?chainId=7#txCount/2026-11-18/${REVISION.seenAt}`;
  const since = "2026-11-01T00:00:00Z";
  const cases: [query: Record<string, string>, selected: string][] = [
    [{}, ""],
    [{ limit: "100" }, ""],
    [{ limit: "10" }, "&limit=10"],
    [{ metric: "txCount" }, "&metric=txCount"],
    [{ since }, `&since=${since}`],
    [{ cursor: "1.2.3.4" }, "&cursor=1.2.3.4"],
    [
      { limit: "5", to: "2026-11-20", from: "2026-11-18", metric: "txCount" },
      "&metric=txCount&from=2026-11-18&to=2026-11-20&limit=5",
    ],
  ];
  for (const [query, selected] of cases) {
    const given = { revisions: [REVISION], ...query };
    const self = `${SELF}?chainId=7${selected}`;
    assertEquals(read(given, "id"), [self, entry]);
    assertEquals(read(given, "link", "href").slice(0, 2), [
      self,
      `${self}&format=atom`,
    ]);
  }
  assertEquals(
    read({ revisions: [], chainIds: "7,8", metric: "txCount" }, "id")[0],
    `${SELF}?chainIds=7,8&metric=txCount`,
  );
});

Deno.test("the feed names the token that fees are in", () => {
  const fees = { ...REVISION, metric: "feesPaid", unit: "avax" };
  const chainIds = [43114, 4337, 7];
  const revisions = chainIds.map((chainId) => ({ ...fees, chainId }));
  assertEquals(
    read({ revisions, chainIds: chainIds.join(",") }, "summary"),
    ["AVAX", "BEAM", "the token of the chain"]
      .map((token) => `3 became 4; unit ${token}.`),
  );
});
