/** The figures of a small tree. */
import { assertEquals } from "@std/assert";
import { measureShape } from "../../../bench/shape/shape.ts";
import type { TreeFile } from "../../../bench/shape/source.ts";

const CHAIN = "services/chain_data";

/** A tree by path; each line of a text ends with a newline. */
const TREE: Readonly<Record<string, readonly string[]>> = {
  "main.ts": ['import { app } from "./routes/app.ts";', "app();"],
  "routes/app.ts": [
    'import { Hono } from "hono";',
    'import { series } from "../services/chain_data/series/series.ts";',
    'export type { Row } from "../services/chain_data/checks/checks.ts";',
    "export const app = () => new Hono(series);",
  ],
  [`${CHAIN}/chains.ts`]: [
    "/** A comment. */",
    "",
    'import type { Row } from "./series/series.ts";',
    "export function chains(row: Row) {",
    "  // A comment.",
    "  return `// no comment",
    '${row} /* none */`; /* one */ const b = "";',
    "}",
  ],
  [`${CHAIN}/series/series.ts`]: [
    'import { chains } from "../chains.ts";',
    'import { late } from "../revisions/late.ts";',
    "export type Row = string;",
    "export const series = { read: () => chains(late), async write() {} };",
  ],
  [`${CHAIN}/revisions/late.ts`]: [
    'export const late = (await import("../checks/checks.ts")).name;',
    ...Array.from({ length: 39 }, () => "late.length;"),
  ],
  [`${CHAIN}/checks/checks.ts`]: [
    'import { series } from "../series/series.ts";',
    'export const name = "";',
    'export type Row = import("../weather/weather.ts").Row;',
  ],
  [`${CHAIN}/weather/weather.ts`]: ["export type Row = 1;"],
  "static/page.css": ["/* A", "", "comment */ a {", "}"],
  "sdk/api_types.ts": ["/** Types, written from it by `deno task types`. */"],
  "sdk/mod.ts": ["export {};"],
  "tests/a_test.ts": ["export {};", ""],
  "README.md": ["Not counted."],
};

const FILES: TreeFile[] = Object.entries(TREE)
  .map(([path, lines]) => ({ path, text: `${lines.join("\n")}\n` }));

Deno.test("measureShape() counts lines, folders, importers and imports", () => {
  const shape = measureShape(FILES, {});
  assertEquals(shape.lines, {
    "entry points": { code: 2, all: 2, files: 1 },
    "services, routes, jobs": { code: 57, all: 60, files: 6 },
    static: { code: 2, all: 4, files: 1 },
    generated: { code: 0, all: 1, files: 1 },
    sdk: { code: 1, all: 1, files: 1 },
    tests: { code: 1, all: 2, files: 1 },
  });
  assertEquals(shape.pairs, [
    `${CHAIN} ↔ ${CHAIN}/series`,
  ]);
  assertEquals(shape.lone, [
    "routes/app.ts",
    `${CHAIN}/chains.ts`,
    `${CHAIN}/revisions/late.ts`,
    `${CHAIN}/weather/weather.ts`,
  ]);
  assertEquals(shape.short.includes(`${CHAIN}/revisions/late.ts`), false);
  assertEquals(shape.short.length, 5);
  assertEquals(shape.appImports, 3);
});

Deno.test("measureShape() finds the arrows that lead up in chain_data", () => {
  assertEquals(measureShape(FILES, {}).chainData, {
    arrows: 4,
    back: [
      `${CHAIN}/chains.ts → series`,
      `${CHAIN}/revisions/late.ts → checks`,
    ],
    unordered: ["weather"],
  });
});

Deno.test("measureShape() counts a walk, and lists what does not exist on it", () => {
  const known = [
    `${CHAIN}/chains.ts#chains`,
    `${CHAIN}/series/series.ts#read`,
    `${CHAIN}/series/series.ts#write`,
    "routes/app.ts#app",
  ];
  const missing = [
    `${CHAIN}/series/series.ts#series`,
    `${CHAIN}/series/gone.ts#read`,
  ];
  const { walks } = measureShape(FILES, { "a read": [...known, ...missing] });
  assertEquals(walks, { "a read": { stays: 6, files: 4, missing } });
});
