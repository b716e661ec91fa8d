import { assertEquals, assertThrows } from "@std/assert";
import {
  ExplorerQuery,
  resolveState,
  resolveValidParts,
  ValidParts,
} from "../../../services/charts/explorer.ts";
import { PLAIN_VIEW } from "../../../services/charts/charts_schema.ts";
import { Fault } from "../../../services/platform/fault.ts";

const CHAINS = [
  { chainId: 43114, chainName: "C-Chain" },
  { chainId: 4337, chainName: "Beam L1" },
  { chainId: 11, chainName: "twin" },
  { chainId: 12, chainName: "Twin" },
];

const TEN = Array.from({ length: 10 }, (_, index) => String(index + 1));

const settled = (query: Record<string, unknown>) =>
  resolveState(ExplorerQuery.parse({ chainId: [], ...query }), CHAINS);

Deno.test("resolveState finds chains by id, by name and by list label", () => {
  const rows: [query: Record<string, unknown>, ids: number[]][] = [
    [{}, [43114]],
    [{ chain: "" }, [43114]],
    [{ chain: "4337" }, [4337]],
    [{ chain: " beam l1 " }, [4337]],
    [{ chain: "beam" }, [4337]],
    [{ chain: "Beam L1 · 4337" }, [4337]],
    [{ chain: "Any name at all · 5" }, [5]],
    [{ chain: "4337", compare: "C-Chain" }, [4337, 43114]],
    [{ chain: "43114", chainId: ["7", "4337"], compare: "7" }, [
      43114,
      7,
      4337,
    ]],
    [{ chainId: TEN }, TEN.map(Number)],
    [{ chainId: ["4337"], metric: "validators" }, []],
  ];
  for (const [query, ids] of rows) assertEquals(settled(query).chainIds, ids);
});

Deno.test("resolveState rejects an unknown chain and too many chains", () => {
  const rows: [query: Record<string, unknown>, message: string][] = [
    [{ chain: "nothing" }, 'chain "nothing": no chain matches'],
    [{ compare: "-1" }, 'compare "-1": no chain matches'],
    [{ chain: "TWIN" }, '"TWIN": 2 chains match'],
    [{ chainId: TEN, compare: "11" }, "at most 10"],
  ];
  for (const [query, message] of rows) {
    assertThrows(() => settled(query), Fault, message);
  }
});

Deno.test("resolveState replaces options that the chart does not have", () => {
  const rows: [
    query: Record<string, unknown>,
    expected: Record<string, unknown>,
  ][] = [
    [{}, { range: "1y", interval: "day", window: null }],
    [{ metric: "transaction-fees" }, {
      range: "all",
      interval: "month",
      window: null,
    }],
    [{ metric: "transaction-fees", interval: "week" }, { interval: "month" }],
    [{ metric: "transaction-fees", interval: "day" }, { interval: "day" }],
    [{ metric: "validators", interval: "month" }, { interval: "day" }],
    [{ values: "", chainId: ["1", "2"] }, {
      view: { ...PLAIN_VIEW, values: "index", base: "first" },
    }],
    [{ values: "index", base: "day", baseDay: "2026-01-01" }, {
      view: { ...PLAIN_VIEW, values: "index", base: "2026-01-01" },
    }],
    [{ values: "index", base: "day", baseDay: "" }, {
      view: { ...PLAIN_VIEW, values: "index", base: "first" },
    }],
    [{ metric: "feesPaid", chainId: ["1", "2"], values: "share" }, {
      view: { ...PLAIN_VIEW, values: "index", base: "first" },
    }],
    [{ metric: "block-production" }, { window: "30" }],
    [{ metric: "block-production", window: "7" }, { window: "7" }],
    [{ window: "7" }, { window: null }],
    [{ from: "2026-01-01" }, {
      range: null,
      from: "2026-01-01",
      to: undefined,
    }],
    [{ range: "days", to: "2026-01-01", from: "" }, {
      range: null,
      from: undefined,
      to: "2026-01-01",
    }],
    [{ range: "90d", from: "2026-01-01", to: "2026-02-01" }, {
      range: "90d",
      from: undefined,
      to: undefined,
    }],
    [{ range: "days" }, { range: "1y" }],
  ];
  for (const [query, expected] of rows) {
    const state: Record<string, unknown> = { ...settled(query) };
    for (const [field, value] of Object.entries(expected)) {
      assertEquals(state[field], value, `${JSON.stringify(query)} ${field}`);
    }
  }
});

Deno.test("resolveValidParts keeps every valid part", () => {
  const usual = settled({});
  const rows: [
    query: Record<string, unknown>,
    changed: Partial<typeof usual>,
  ][] = [
    [{}, {}],
    [{ metric: "gas", interval: "week" }, { interval: "week" }],
    [{ metric: "gasUsed", range: "2y" }, { metric: "gasUsed" }],
    [{ chain: "foo", range: "30d", interval: "week" }, {
      range: "30d",
      interval: "week",
    }],
    [{ chain: "4337", compare: "foo" }, { chainIds: [4337] }],
    [{ chain: "twin", compare: "4337" }, { chainIds: [4337] }],
    [{ chain: "x".repeat(101), compare: "4337" }, { chainIds: [4337] }],
    [{ chainId: ["foo", "4337", "-1"] }, { chainIds: [4337] }],
    [{ chainId: [...TEN, "11"] }, {
      chainIds: TEN.map(Number),
      view: { ...usual.view, values: "index", base: "first" },
    }],
    [{ average: "8", scale: "log" }, { view: { ...usual.view, scale: "log" } }],
    [{ metric: "feesPaid", values: "total", average: "7" }, {
      metric: "feesPaid",
      view: { ...usual.view, average: "7" },
    }],
    [{ range: "days", from: "2026-11-05", to: "2026-11-01" }, {
      range: null,
      from: "2026-11-05",
      to: "2026-11-01",
    }],
    [{ from: "2026-02-30", to: "2026-03-01" }, {
      range: null,
      to: "2026-03-01",
    }],
    [{ metric: "validators", chain: "foo", range: "90d" }, {
      metric: "validators",
      chainIds: [],
      range: "90d",
    }],
    [{ metric: "block-production", window: "8" }, {
      metric: "block-production",
      chainIds: [],
      range: "all",
      window: "30",
    }],
  ];
  for (const [query, changed] of rows) {
    const parts = ValidParts.parse({ chainId: [], ...query });
    assertEquals(
      resolveValidParts(parts, CHAINS),
      { ...usual, ...changed },
      JSON.stringify(query),
    );
  }
});
