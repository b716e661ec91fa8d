import { assertEquals, assertRejects } from "@std/assert";
import { explorerAccounts } from "../../../services/scores/explorer_accounts_client.ts";
import type { AccountCallOptions } from "../../../services/scores/explorer_accounts_client.ts";
import type { Http } from "../../../services/platform/http/http_client.ts";
import {
  listing,
  OWNER,
  ownTx,
  records,
  type Run,
} from "../../support/tx_list.ts";
import {
  type Answering,
  assertFaults,
  CALL_OPTIONS,
  type FailureRow,
  httpThat,
} from "../../support/upstreams.ts";

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
  assertEquals(await read(http), {
    body: {
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
    isPartial: false,
  });
  assertEquals(pages.length, 1);
});

Deno.test("readAccount pages as far as it has to, and says what it could not reach", async (t) => {
  const newest = (...pages: number[]) =>
    pages.map((page) => `desc ${page} 2500`);
  const oldest = ["asc 1 100", "asc 1 5000", "asc 2 5000"];
  const cases: [
    name: string,
    runs: Run[],
    pages: string[],
    isPartial: boolean,
    own?: number,
  ][] = [
    ["one page", [["received", 1], ["own", 1200]], newest(1), false],
    ["a full page with the first on it", [["own", 2500]], newest(1), false],
    ["one record more", [["received", 1], ["own", 2500]], newest(1), false],
    ["two pages", [["received", 1], ["own", 2501]], newest(1, 2), false],
    ["received ones on top", [["own", 3], ["received", 4000]], [
      ...newest(1, 2),
    ], false],
    ["received ones alone", [["received", 6000]], newest(1, 2, 3), false],
    ["the whole window", [["own", 10_000]], newest(1, 2, 3, 4), false],
    [
      "more than the window",
      [["received", 1], ["own", 12_000]],
      [
        ...newest(1, 2, 3, 4),
        "asc 1 100",
      ],
      false,
      10_099,
    ],
    [
      "a late first",
      [["received", 7000], ["own", 12_000]],
      [
        ...newest(1, 2, 3, 4),
        ...oldest,
      ],
      false,
      12_000,
    ],
    ["few own ones below the window", [["own", 3], ["received", 20_000]], [
      ...newest(1, 2, 3, 4),
      "asc 1 100",
    ], true],
    ["few own ones above", [["received", 20_000], ["own", 3]], [
      ...newest(1),
    ], false],
    [
      "a first out of reach",
      [
        ["received", 20_000],
        ["own", 20_000],
      ],
      [...newest(1, 2, 3, 4), ...oldest],
      true,
      10_000,
    ],
    [
      "own ones out of reach",
      [
        ["received", 11_000],
        ["own", 5],
        ["received", 11_000],
      ],
      [...newest(1, 2, 3, 4), ...oldest],
      true,
      0,
    ],
  ];
  for (const [name, runs, pages, isPartial, read] of cases) {
    await t.step(name, async () => {
      const list = records(...runs);
      const sent = list.filter(({ nonce }) => nonce !== undefined);
      const own = read ?? sent.length;
      const { body, pages: asked } = await readList(listing(() => list));
      assertEquals(asked, pages);
      assertEquals(body.isPartial, isPartial);
      assertEquals(body.nonce, own === 0 ? 0 : sent.length);
      assertEquals(body.gasAvax, Number((own * 0.000525).toFixed(6)));
      const newest = sent.toReversed().slice(0, Math.min(own, 1000))
        .map(({ timeStamp }) => Number(timeStamp) * 1000);
      assertEquals(body.recentTxAt, newest);
      if (!isPartial) {
        const first = sent[0]?.timeStamp;
        assertEquals(body.firstTxAt, first ? Number(first) * 1000 : null);
      }
    });
  }
});

Deno.test("readAccount leaves the window alone where nothing can have been sent", async () => {
  const list = listing(() => records(["received", 20_000]));
  const hasSent = () => Promise.resolve(false);
  const { body, pages } = await readList(list, { hasSent });
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

Deno.test("readAccount marks what is left of a history that broke off", async () => {
  const list = records(["received", 1], ["own", 12_000]);
  for (const last of [1, 2, 4]) {
    let calls = 0;
    const { body, pages } = await readList((request) =>
      ++calls > last
        ? new Response("busy", { status: 503 })
        : listing(() => list)(request)
    );
    assertEquals(pages.length, last + 1, "nothing is asked after a failure");
    assertEquals(body.isPartial, true);
    assertEquals([body.recentTxAt.length, body.nonce], [1000, 12_000]);
    assertEquals(body.gasAvax, Number((last * 2500 * 0.000525).toFixed(6)));
  }
});

Deno.test("readAccount lets an error that is no fault through", async () => {
  const { http } = httpThat(listing(() => records(["received", 3000])));
  const hasSent = () => Promise.reject(new RangeError("bug"));
  await assertRejects(() => read(http, { hasSent }), RangeError);
});

Deno.test("readAccount makes one fault of every failure", async (t) => {
  const refusal = (result: unknown, message = "NOTOK") => () =>
    Response.json({ status: "0", message, result });
  const without = (name: string) => () => {
    const { [name]: _, ...rest } = ownTx() as Record<string, string>;
    return ok(rest);
  };
  const failures: FailureRow[] = [
    ["a refusal", refusal("Error! Invalid address format"), /format$/],
    ["too many calls", refusal("Max rate limit reached"), /reached$/, 30_000],
    [
      "a window that is too small",
      refusal(null, "Result window is too large"),
      /too large$/,
    ],
    ["a row without sender", () => ok({ nonce: "1" }), /shape/],
    ["a row that is null", () => ok(null), /shape/],
    ...["timeStamp", "nonce", "gasUsed", "gasPrice"].map((name): FailureRow => [
      `no ${name}`,
      without(name),
      /shape/,
    ]),
    ["a broken nonce", () => ok(ownTx({ nonce: "1.5" })), /shape/],
    ["a broken time", () => ok(ownTx({ timeStamp: "yesterday" })), /shape/],
    ["a negative price", () => ok(ownTx({ gasPrice: "-1" })), /shape/],
    ["a time in ms", () => ok(ownTx({ timeStamp: "1700000000000" })), /shape/],
  ];
  await assertFaults(t, read, failures);
});
