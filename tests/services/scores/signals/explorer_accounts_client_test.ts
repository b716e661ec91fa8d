import { useOf } from "../../../../services/model/signals.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  type AccountCallOptions,
  type ExplorerAccounts,
  explorerAccounts,
  withMostLeft,
} from "../../../../services/scores/signals/explorer_accounts_client.ts";
import {
  callsUsedUp,
  Fault,
  upstreamPaused,
} from "../../../../services/platform/fault.ts";
import { type Http } from "../../../../services/platform/http/http_client.ts";
import {
  listing,
  OWNER,
  ownTx,
  records,
  type Run,
} from "../../../support/tx_list.ts";
import {
  type Answering,
  assertFaults,
  CALL_OPTIONS,
  type FailureRow,
  httpThat,
} from "../../../support/upstreams.ts";

const BASE_URL = "http://up.test/v2/network/mainnet/evm/43114/etherscan/api";

const read = (http: Http, more: Partial<AccountCallOptions> = {}) =>
  explorerAccounts(http, BASE_URL).readAccount(OWNER, {
    ...CALL_OPTIONS,
    ...more,
  });

const ok = (...result: unknown[]) =>
  Response.json({ status: "1", message: "OK", result });

/** Reads a list and tells what it came to, and the pages asked for. */
async function readList(
  list: Answering,
  more: Partial<AccountCallOptions> = {},
) {
  const { http, asked } = httpThat(list, { timeoutMs: 5_000 });
  const { body } = await read(http, more);
  const pages = asked.map(({ url }) => {
    const params = new URL(url).searchParams;
    return ["sort", "page", "offset"].map((name) => params.get(name)).join(" ");
  });
  return { body, pages };
}

Deno.test("readAccount reads own transactions alone, and failed ones among them", async () => {
  const { http, asked } = httpThat(() =>
    ok(
      ownTx({ nonce: "1", timeStamp: "1700000900", isError: "1" }),
      { from: "0xbb", to: OWNER, value: "1" },
      { from: "", to: OWNER },
      ownTx({ gasUsed: "1", gasPrice: "1" }),
    )
  );
  const { body, source } = await read(http);
  assertEquals(body.use.count, 2);
  assertEquals({ body, source }, {
    body: {
      ...body,
      firstTxAt: 1_700_000_000_000,
      recentTxAt: [1_700_000_900_000, 1_700_000_000_000],
      nonce: 2,
      gasAvax: 0.000525000000000001,
      isPartial: false,
    },
    source: "explorer index (up.test)",
  });
  assertEquals(asked.map(({ url }) => url), [
    `${BASE_URL}?module=account&action=txlist&address=${OWNER}` +
    "&page=1&offset=2500&sort=desc",
  ]);
});

Deno.test("readAccount takes an address without transactions for an empty history", async () => {
  const { body, pages } = await readList(listing(() => []));
  assertEquals(body, {
    firstTxAt: null,
    recentTxAt: [],
    nonce: 0,
    gasAvax: 0,
    use: useOf([]),
    funding: null,
    origin: null,
    sweptTo: null,
    isPartial: false,
    unread: [],
  });
  assertEquals(pages.length, 1);
});

/** Own transactions among the records. */
const sentIn = (list: ReturnType<typeof records>) =>
  list.filter(({ nonce }) => nonce !== undefined);

Deno.test("readAccount reads the newest page, the oldest page and one more, and further pages only for missing own transactions", async (t) => {
  const newest = (...pages: number[]) =>
    pages.map((page) => `desc ${page} 2500`);
  const oldest = (...pages: number[]) =>
    pages.map((page) => ["asc 1 2500", "asc 2 2500", "asc 2 5000"][page - 1]!);
  const cases: {
    name: string;
    runs: Run[];
    pages: string[];
    isPartial?: true;
    /** Own transactions that are read; all by default. */
    own?: number;
    /** The nonce that the chain reports; the own transactions by default. */
    nonce?: number | null;
  }[] = [
    {
      name: "one page",
      runs: [["received", 1], ["own", 1200]],
      pages: newest(1),
    },
    {
      name: "a full page with the first on it",
      runs: [["own", 2500]],
      pages: newest(1),
    },
    {
      name: "received ones on top",
      runs: [["own", 3], ["received", 4000]],
      pages: [...newest(1), ...oldest(1)],
    },
    {
      name: "few own ones below a window of received ones",
      runs: [["own", 3], ["received", 20_000]],
      pages: [...newest(1), ...oldest(1)],
    },
    {
      name: "two pages that meet",
      runs: [["received", 1], ["own", 4999]],
      pages: [...newest(1), ...oldest(1)],
    },
    {
      name: "three pages that meet",
      runs: [["own", 7500]],
      pages: [...newest(1), ...oldest(1), ...newest(2)],
    },
    {
      name: "an unseen middle",
      runs: [["received", 1], ["own", 12_000]],
      pages: [...newest(1), ...oldest(1), ...newest(2)],
      own: 7499,
    },
    {
      name: "a first one on the second page",
      runs: [["received", 3000], ["own", 12_000]],
      pages: [...newest(1), ...oldest(1), ...newest(2), ...oldest(2)],
      own: 7000,
    },
    {
      name: "a first one on the last page",
      runs: [["received", 7000], ["own", 12_000]],
      pages: [...newest(1), ...oldest(1), ...newest(2), ...oldest(2, 3)],
      own: 8000,
    },
    {
      name: "a first one out of reach",
      runs: [["received", 20_000], ["own", 20_000]],
      pages: [...newest(1), ...oldest(1), ...newest(2), ...oldest(2, 3)],
      own: 5000,
      isPartial: true,
    },
    {
      name: "newest ones behind received ones",
      runs: [["own", 6000], ["received", 9500]],
      pages: [...newest(1), ...oldest(1), ...newest(2, 3, 4)],
      own: 3000,
      isPartial: true,
    },
    {
      name: "own ones out of reach",
      runs: [["received", 11_000], ["own", 5], ["received", 11_000]],
      pages: [...newest(1), ...oldest(1, 2, 3), ...newest(2, 3, 4)],
      own: 0,
      isPartial: true,
    },
    {
      name: "own ones out of reach, and an unknown nonce",
      runs: [["received", 11_000], ["own", 5], ["received", 11_000]],
      pages: [...newest(1), ...oldest(1, 2)],
      own: 0,
      nonce: null,
      isPartial: true,
    },
    {
      name: "one more transaction than the index shows",
      runs: [["own", 3], ["received", 20_000]],
      pages: [...newest(1), ...oldest(1), ...newest(2, 3, 4)],
      nonce: 4,
      isPartial: true,
    },
  ];
  for (const { name, runs, pages, isPartial = false, ...more } of cases) {
    await t.step(name, async () => {
      const list = records(...runs);
      const sent = sentIn(list);
      const { own = sent.length, nonce = sent.length } = more;
      const { body, pages: asked } = await readList(listing(() => list), {
        countSent: () => Promise.resolve(nonce),
      });
      assertEquals(asked, pages);
      assertEquals(body.isPartial, isPartial);
      assertEquals(body.gasAvax, Number((own * 0.000525).toFixed(6)));
      if (isPartial) return;
      const newestTimes = sent.toReversed().slice(0, 1000)
        .map(({ timeStamp }) => Number(timeStamp) * 1000);
      assertEquals(body.recentTxAt, newestTimes);
      assertEquals(body.firstTxAt, Number(sent[0]!.timeStamp) * 1000);
      assertEquals(body.nonce, sent.length);
    });
  }
});

Deno.test("readAccount reads one page of an address that has sent nothing", async () => {
  const list = listing(() => records(["received", 20_000]));
  const countSent = () => Promise.resolve(0);
  const { body, pages } = await readList(list, { countSent });
  assertEquals([body.isPartial, body.firstTxAt], [false, null]);
  assertEquals(pages.length, 1);
});

Deno.test("readAccount counts once what moves to the next page meanwhile", async () => {
  const list = records(["received", 1], ["own", 4000]);
  let calls = 0;
  const grown = [
    ...list,
    ownTx({ nonce: "4000", timeStamp: "1800000000" }),
  ];
  const { body } = await readList(
    listing(() => calls++ === 0 ? list : grown),
  );
  assertEquals([body.nonce, body.gasAvax, body.isPartial], [4000, 2.1, false]);
});

Deno.test("readAccount reads the second and the third page of a long history at once", async () => {
  const list = listing(() => records(["received", 1], ["own", 12_000]));
  let underWay = 0;
  const together: number[] = [];
  const { pages } = await readList(async (request) => {
    together.push(++underWay);
    // Both are asked before one is answered.
    await new Promise((resolve) => setTimeout(resolve, 0));
    underWay--;
    return list(request);
  }, { countSent: () => Promise.resolve(12_000) });
  assertEquals(together, [1, 1, 2]);
  assertEquals(pages, ["desc 1 2500", "asc 1 2500", "desc 2 2500"]);
});

Deno.test("readAccount marks a history that broke off as partial", async () => {
  const list = records(["received", 1], ["own", 12_000]);
  for (const [last, own] of [[1, 2500], [2, 4999]] as const) {
    let calls = 0;
    const { body, pages } = await readList((request) =>
      ++calls > last
        ? new Response("busy", { status: 503 })
        : listing(() => list)(request)
    );
    assertEquals(pages.length, last + 1, "nothing is asked after a failure");
    assertEquals(body.isPartial, true);
    assertEquals([body.recentTxAt.length, body.nonce], [1000, 12_000]);
    assertEquals(body.gasAvax, Number((own * 0.000525).toFixed(6)));
  }
});

Deno.test("readAccount rethrows an error that is not a fault", async () => {
  const { http } = httpThat(listing(() => records(["received", 3000])));
  const countSent = () => Promise.reject(new RangeError("bug"));
  await assertRejects(() => read(http, { countSent }), RangeError);
});

Deno.test("readAccount turns every failure into a fault", async (t) => {
  const refusal = (result: unknown, message = "NOTOK") => () =>
    Response.json({ status: "0", message, result });
  const failures: FailureRow[] = [
    [
      "a refusal",
      refusal("Error! Invalid address format"),
      /it refused the call$/,
    ],
    ["too many calls", refusal("Max rate limit reached"), /reached$/, 30_000],
    [
      "a window that is too small",
      refusal(null, "Result window is too large"),
      /too large$/,
    ],
  ];
  await assertFaults(t, read, failures);
});

Deno.test("readAccount sets rows aside that can't be read, and says so", async () => {
  const rows: [row: unknown, reason: string][] = [
    [{ nonce: "1" }, "from is missing"],
    [null, "row is null"],
    [ownTx({ nonce: "1.5" }), "nonce has another form"],
    [ownTx({ timeStamp: "yesterday" }), "timeStamp has another form"],
    [ownTx({ gasPrice: "-1" }), "gasPrice has another form"],
    [ownTx({ timeStamp: "1700000000000" }), "timeStamp is out of range"],
  ];
  for (const [row, reason] of rows) {
    const { http } = httpThat(() => ok(ownTx({ nonce: "3" }), row));
    const { body } = await read(http);
    assertEquals([body.unread, body.recentTxAt.length], [[reason], 1]);
  }
});

Deno.test("of several indexes without calls, the first that has some again says when, in whichever order they are asked", async () => {
  const refusing = (waitMs: number, fault: Fault) =>
    ({
      ...explorerAccounts(httpThat(() => ok()).http, BASE_URL),
      waitMs: () => waitMs,
      start: () => Promise.reject(fault),
    }) satisfies ExplorerAccounts;
  const paused = upstreamPaused("portal.test", {
    retryAfterMs: 60_000,
    cause: null,
  });
  const spent = callsUsedUp("capacitySpent", {
    upstream: "up.test",
    requester: OWNER,
    usedBy: "everyone",
    retryAfterMs: 86_400_000,
  });
  for (const [first, last] of [[paused, spent], [spent, paused]] as const) {
    const both = withMostLeft([refusing(1, first), refusing(2, last)]);
    const { failure } = await assertRejects(
      () => both.start(CALL_OPTIONS),
      Fault,
    );
    assert(failure.kind === "capacitySpent", failure.kind);
    assertEquals(failure.retryAfterMs, 60_000);
  }
});
