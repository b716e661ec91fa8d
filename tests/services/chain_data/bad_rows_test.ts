/** One bad row of a source, in every client and every place: the other rows are used. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import type { IndexMetric } from "../../../services/chain_data/catalogue/cross_checks_schema.ts";
import {
  chainIndex,
  explorerIndex,
} from "../../../services/chain_data/checks/explorer_client.ts";
import { metricsApi } from "../../../services/chain_data/series/metrics_api_client.ts";
import { platformChain } from "../../../services/chain_data/validators/platform_chain_client.ts";
import { formatDay, parseDay } from "../../../services/platform/days.ts";
import { Fault } from "../../../services/platform/fault.ts";
import type { Http } from "../../../services/platform/http/http_client.ts";
import { explorerAccounts } from "../../../services/scores/signals/explorer_accounts_client.ts";
import { portalAccounts } from "../../../services/scores/signals/portal_accounts_client.ts";
import { readAll } from "../../support/architecture/source_files.ts";
import { CALL_OPTIONS, httpThat } from "../../support/upstreams.ts";

type Row = Record<string, unknown>;

/** What a client made of its rows: what it used, by row, and how many it set aside. */
interface Read {
  readonly used: readonly string[];
  readonly setAside: number;
}

interface Client {
  readonly name: string;
  /** Its file. */
  readonly file: string;
  /** The field that is broken. */
  readonly field: string;
  /** A value that only differs from the right one. */
  readonly other: unknown;
  /** Whether a row without a value at the end is not yet published. */
  readonly isDaily: boolean;
  readonly rowOf: (nth: number) => Row;
  /** A row about nothing that was asked for. */
  readonly extra: Row;
  /** Returns the body of an answer; a text as it is, and other values as JSON. */
  readonly answer: (rows: readonly unknown[]) => unknown;
  readonly read: (http: Http) => Promise<Read>;
}

const ROWS = 60;
const FIRST = parseDay("2026-09-01");
const ADDRESS = `0x${"ab".repeat(20)}`;
const BASE_URL = "http://up.test/api";
const dayOf = (nth: number) => formatDay(FIRST + nth);

const days = (
  { body, unread }: {
    body: readonly { day: number; value: number }[];
    unread?: readonly unknown[];
  },
): Read => ({
  used: body.map(({ day, value }) => `${formatDay(day)} ${value}`),
  setAside: unread!.length,
});

const readIndex = async (http: Http, metric: IndexMetric) => {
  const urls = { chains: BASE_URL, aggregations: BASE_URL };
  return days(
    await chainIndex({ http, keyed: http }, urls)
      .readDaily(metric, 4337, { ...CALL_OPTIONS, to: FIRST + ROWS }),
  );
};

const CLIENTS: readonly Client[] = [
  {
    name: "Metrics API",
    file: "services/chain_data/series/metrics_api_client.ts",
    field: "value",
    other: 7,
    isDaily: true,
    rowOf: (nth) => ({
      timestamp: (FIRST + nth) * 86_400,
      value: 100 + nth,
    }),
    extra: { timestamp: "total", value: 6_000 },
    answer: (results) => ({ results: results.toReversed() }),
    read: async (http) => {
      const id = { subject: 43114, metric: "txCount" } as const;
      const { body, ...rest } = await metricsApi(http, BASE_URL)
        .readDaily(id, CALL_OPTIONS);
      return days({ body: body.toReversed(), ...rest });
    },
  },
  {
    name: "explorer index",
    file: "services/chain_data/checks/explorer_client.ts",
    field: "transactionCount",
    other: 7,
    isDaily: true,
    rowOf: (nth) => ({ UTCDate: dayOf(nth), transactionCount: `${100 + nth}` }),
    extra: { UTCDate: "Total", transactionCount: "6000" },
    answer: (result) => ({ status: "1", message: "OK", result }),
    read: async (http) =>
      days(
        await explorerIndex(http, BASE_URL).readDaily("txCount", {
          ...CALL_OPTIONS,
          from: FIRST,
          to: FIRST + ROWS,
        }),
      ),
  },
  ...(["txCount", "activeAddresses"] as const).map((metric) => ({
    name: `pairs of the chain index, ${metric},`,
    file: "services/chain_data/checks/explorer_client.ts",
    field: "value",
    other: 7,
    isDaily: true,
    rowOf: (nth: number) => ({
      day: `${dayOf(nth)}T00:00:00.000Z`,
      value: 100 + nth,
    }),
    extra: { day: "total", value: 6_000 },
    answer: (rows: readonly unknown[]) =>
      (rows as Row[]).map((row) =>
        "value" in row ? [row["day"], row["value"]] : [row["day"]]
      ),
    read: (http: Http) => readIndex(http, metric),
  })),
  {
    name: "fees of the chain index",
    file: "services/chain_data/checks/explorer_client.ts",
    field: "transactionFee_Eth",
    other: "7",
    isDaily: true,
    rowOf: (nth) => ({
      UTCDate: dayOf(nth),
      transactionFee_Eth: `${100 + nth}.5`,
    }),
    extra: { UTCDate: "Total", transactionFee_Eth: "6000" },
    answer: (result) => ({ status: "1", message: "OK", result }),
    read: (http) => readIndex(http, "feesPaid"),
  },
  {
    name: "transaction list",
    file: "services/scores/signals/explorer_accounts_client.ts",
    field: "gasPrice",
    other: "7",
    isDaily: false,
    rowOf: (nth) => ({
      hash: `0x${nth}`,
      from: ADDRESS,
      to: `0x${"cd".repeat(20)}`,
      value: "0",
      nonce: `${nth}`,
      timeStamp: `${1_780_000_000 + nth}`,
      gasUsed: "21000",
      gasPrice: "1000000000",
    }),
    extra: { blockNumber: "1" },
    answer: (rows) => ({
      status: "1",
      message: "OK",
      result: rows.toReversed(),
    }),
    async read(http) {
      const { body } = await explorerAccounts(http, BASE_URL)
        .readAccount(ADDRESS, CALL_OPTIONS);
      return {
        used: body.recentTxAt.map((at) => `${at / 1000 - 1_780_000_000}`)
          .toReversed(),
        setAside: body.unread.length,
      };
    },
  },
  {
    name: "stream of the portal",
    file: "services/scores/signals/portal_accounts_client.ts",
    field: "effectiveGasPrice",
    other: "0x7",
    isDaily: false,
    rowOf: (nth) => ({
      hash: `0x${nth}`,
      from: ADDRESS,
      to: `0x${"cd".repeat(20)}`,
      value: "0x0",
      nonce: nth,
      gasUsed: "0x5208",
      effectiveGasPrice: "0x3b9aca00",
      status: 1,
    }),
    extra: { transactionIndex: 1 },
    // A block for each nonce; a row without one is in the block before.
    answer(rows) {
      let number = 0;
      const blocks = Map.groupBy(
        rows as Row[],
        ({ nonce = number }) => number = Number(nonce),
      );
      return [...blocks].map(([number, transactions]) =>
        `${
          JSON.stringify({
            header: { number, timestamp: 1_780_000_000 + number },
            transactions,
          })
        }\n`
      ).join("");
    },
    async read(http) {
      let isRead = false;
      const fetch: typeof globalThis.fetch = (...request) => {
        if (isRead) return Promise.resolve(new Response(null, { status: 204 }));
        isRead = true;
        return http.fetch(...request);
      };
      const { body } = await portalAccounts({ ...http, fetch }, BASE_URL)
        .readAccount(ADDRESS, CALL_OPTIONS);
      return {
        used: body.recentTxAt.map((at) => `${at / 1000 - 1_780_000_000}`)
          .toReversed(),
        setAside: body.unread.length,
      };
    },
  },
  {
    name: "chain list",
    file: "services/chain_data/series/metrics_api_client.ts",
    field: "chainName",
    other: "another",
    isDaily: false,
    rowOf: (nth) => ({
      evmChainId: nth === ROWS / 2 + 1 ? 43114 : 1_000 + nth,
      chainName: `chain ${nth}`,
      blockchainId: `b${nth}`,
      subnetId: "11111111111111111111111111111111LpoYY",
    }),
    extra: { network: "mainnet" },
    answer: (chains) => ({ chains }),
    async read(http) {
      const { body, unread } = await metricsApi(http, BASE_URL)
        .listChains(CALL_OPTIONS);
      return {
        used: body.map(({ chainName }) => chainName),
        setAside: unread!.length,
      };
    },
  },
];

const respond = (client: Client, rows: readonly unknown[]) => {
  const body = client.answer(rows);
  return typeof body === "string" ? new Response(body) : Response.json(body);
};

/** What is wrong with a row, and the rows in its place. */
const FAULTS: Record<string, (row: Row, client: Client) => Row[]> = {
  "null": (row, { field }) => [{ ...row, [field]: null }],
  "an empty text": (row, { field }) => [{ ...row, [field]: "" }],
  "a wrong type": (row, { field }) => [{ ...row, [field]: { is: true } }],
  "a number out of range": (row, { field }) => [{ ...row, [field]: 1.7e308 }],
  "a missing field": (row, { field }) => [
    Object.fromEntries(Object.entries(row).filter(([name]) => name !== field)),
  ],
  "an equal duplicate": (row) => [row, row],
  "a contradicting duplicate": (row, { field, other }) => [
    row,
    { ...row, [field]: other },
  ],
  "an extra row": (row, { extra }) => [row, extra],
};

const UNPUBLISHED = ["null", "an empty text", "a missing field"];

for (const client of CLIENTS) {
  for (const [fault, broken] of Object.entries(FAULTS)) {
    Deno.test(`${client.name}: ${fault} in a row stops no other row`, async () => {
      const rows = Array.from({ length: ROWS }, (_, nth) => client.rowOf(nth));
      const readRows = (answered: readonly unknown[]) =>
        client.read(
          httpThat(() => respond(client, answered)).http,
        );
      const whole = await readRows(rows);
      assertEquals(whole.setAside, 0);
      assertEquals(whole.used.length, ROWS);
      for (const nth of [0, ROWS / 2, ROWS - 1]) {
        const read = await readRows(
          rows.flatMap((row, n) => n === nth ? broken(row, client) : [row]),
        );
        const isKept = ["an equal duplicate", "an extra row"].includes(fault);
        // Two chains may claim one id, and the list says which is meant.
        const isClaim = client.name === "chain list" &&
          fault === "a contradicting duplicate";
        assertEquals(
          read.used.filter((used) => used !== "another"),
          whole.used.filter((_, n) => isKept || isClaim || n !== nth),
          `row ${nth}`,
        );
        const isUnpublished = client.isDaily && nth === ROWS - 1 &&
          UNPUBLISHED.includes(fault);
        const setAside = fault === "an equal duplicate" || isUnpublished ||
            isClaim
          ? 0
          : fault === "a contradicting duplicate"
          ? 2
          : 1;
        assertEquals(read.setAside, setAside, `row ${nth}`);
      }
    });
  }

  Deno.test(`${client.name}: with more than a tenth of its rows unreadable, and ten, a source is down`, async () => {
    const readBroken = (count: number, of: number) => {
      const rows = Array.from({ length: of }, (_, nth) => {
        const row = client.rowOf(nth);
        return nth < count ? { ...row, [client.field]: { is: true } } : row;
      });
      return client.read(
        httpThat(() => respond(client, rows)).http,
      );
    };
    assertEquals((await readBroken(9, ROWS)).setAside, 9);
    const { message } = await assertRejects(() => readBroken(10, ROWS), Fault);
    assertEquals(
      message,
      "Cannot read up.test: answer has another shape than documented: " +
        `10 of 60 rows, ${client.field} has another form`,
    );
  });
}

Deno.test("current validators: a field that one row lacks has no total, and the other totals are those of all rows", async () => {
  const rows = Array.from({ length: ROWS }, (_, nth) => ({
    nodeID: `NodeID-${nth}`,
    weight: "2000",
    delegatorCount: "1",
    delegatorWeight: "30",
  }));
  const whole = {
    validators: ROWS,
    delegators: ROWS,
    validatorStake: 2_000n * BigInt(ROWS),
    delegatorStake: 30n * BigInt(ROWS),
  };
  const none = {
    validators: null,
    delegators: null,
    validatorStake: null,
    delegatorStake: null,
  };
  const FIELDS = {
    weight: "validatorStake",
    delegatorCount: "delegators",
    delegatorWeight: "delegatorStake",
  } as const;
  const read = (answered: readonly unknown[]) =>
    platformChain(
      httpThat(() =>
        Response.json({
          jsonrpc: "2.0",
          id: 1,
          result: { validators: answered },
        })
      ).http,
      BASE_URL,
    ).readValidators(CALL_OPTIONS);
  for (const nth of [0, ROWS / 2, ROWS - 1]) {
    const withRow = (...instead: unknown[]) =>
      read(rows.flatMap((row, n) => n === nth ? instead : [row]));
    for (const [field, total] of Object.entries(FIELDS)) {
      for (const value of [null, "", true, undefined, "1e30", 1.7e308]) {
        const { body, unread } = await withRow({
          ...rows[nth],
          [field]: value,
        });
        assertEquals(body, { ...whole, [total]: null }, `${field} ${value}`);
        assertEquals(unread.length, 1);
      }
      const twice = await withRow(rows[nth], { ...rows[nth], [field]: "7" });
      assertEquals([twice.body, twice.unread.length], [none, 2]);
    }
    assertEquals((await withRow(rows[nth], rows[nth])).body, whole);
    for (const extra of [null, "x", {}, { weight: "1" }]) {
      const { body, unread } = await withRow(rows[nth], extra);
      assertEquals([body, unread.length], [none, 1]);
    }
  }
  const broken = rows.map((row, nth) =>
    nth < 10 ? { ...row, weight: "" } : row
  );
  await assertRejects(() => read(broken), Fault, "10 of 60 rows");
});

Deno.test("a list of days without any value is empty if it says null, and another shape if it says nothing", async () => {
  const [metrics, explorer] = CLIENTS;
  for (const client of [metrics!, explorer!]) {
    const readAll = (value: unknown) => {
      const rows = Array.from({ length: 3 }, (_, nth) => ({
        ...client.rowOf(nth),
        [client.field]: value,
      }));
      const { http } = httpThat(() => Response.json(client.answer(rows)));
      return client.read(http);
    };
    assertEquals(await readAll(null), { used: [], setAside: 0 });
    for (const value of ["", undefined, "NaN"]) {
      const { message } = await assertRejects(() => readAll(value), Fault);
      assert(message.includes("another shape"), message);
    }
  }
});

/** Clients with lists, which are not rows of a source. */
const OTHER_LISTS: Record<string, string> = {
  "services/chain_data/blocks/c_chain_client.ts":
    "the transactions of a block, which are counted",
  "services/platform/http/etherscan_client.ts":
    "hands on the list that its clients judge",
  "services/platform/http/rpc_client.ts": "the answers of a batch of calls",
  "services/payments/c_chain_transfers_client.ts":
    "a payment is read whole or not at all",
};

Deno.test("every client that reads rows is in the tables above", async () => {
  const sources = await readAll(["services/"], ["_client.ts"]);
  const listing = sources
    .filter(({ text }) =>
      /\b(z\.array|z\.tuple|judgeRows|readDailyRows|rowsOf)\(|\.array\(\)/.test(
        text,
      )
    )
    .map(({ path }) => path);
  const listed = [
    ...CLIENTS.map(({ file }) => file),
    "services/chain_data/validators/platform_chain_client.ts",
    ...Object.keys(OTHER_LISTS),
  ];
  assertEquals(listing.sort(), [...new Set(listed)].sort());
});
