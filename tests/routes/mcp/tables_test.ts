/** Tables and pages of the answers of tools. */
import { assertEquals, assertThrows } from "@std/assert";
import { pageOf, rounded, tableOf } from "../../../routes/mcp/tables.ts";

const ITEMS = Array.from({ length: 250 }, (_, nth) => nth);

const page = (cursor?: string, from?: "start" | "end", items = ITEMS) =>
  pageOf(items, String, { cursor, ...from && { from } });

Deno.test("pageOf() gives 100 items a page, from either end, and says which", () => {
  const rows: [
    cursor: string | undefined,
    from: "start" | "end",
    first: number,
    last: number,
    next: string | undefined,
    words: string,
  ][] = [
    [
      undefined,
      "start",
      0,
      99,
      "99",
      " Rows 1 to 100 of 250; nextCursor leads to more.",
    ],
    [
      "99",
      "start",
      100,
      199,
      "199",
      " Rows 101 to 200 of 250; nextCursor leads to more.",
    ],
    ["199", "start", 200, 249, undefined, " Rows 201 to 250 of 250."],
    ["149", "start", 150, 249, undefined, " Rows 151 to 250 of 250."],
    [
      undefined,
      "end",
      150,
      249,
      "150",
      " Rows 151 to 250 of 250; nextCursor leads to more.",
    ],
    [
      "150",
      "end",
      50,
      149,
      "50",
      " Rows 51 to 150 of 250; nextCursor leads to more.",
    ],
    ["50", "end", 0, 49, undefined, " Rows 1 to 50 of 250."],
    ["100", "end", 0, 99, undefined, " Rows 1 to 100 of 250."],
  ];
  for (const [cursor, from, first, last, next, words] of rows) {
    const found = page(cursor, from);
    assertEquals(
      [
        found.page[0],
        found.page.at(-1),
        found.page.length,
        found.nextCursor,
        found.words,
      ],
      [first, last, last - first + 1, next, words],
      `${cursor} from the ${from}`,
    );
  }
  assertEquals(page().page, page(undefined, "start").page);
  for (const from of ["start", "end"] as const) {
    const whole = ITEMS.slice(0, 100);
    assertEquals(page(undefined, from, whole), {
      page: whole,
      nextCursor: undefined,
      words: "",
    });
    assertEquals(page(undefined, from, []), {
      page: [],
      nextCursor: undefined,
      words: "",
    });
    assertThrows(
      () => page("x".repeat(70), from),
      Error,
      `Invalid cursor "${"x".repeat(60)}…"`,
    );
  }
  for (const [cursor, from] of [["249", "start"], ["0", "end"]] as const) {
    assertEquals(page(cursor, from), {
      page: [],
      nextCursor: undefined,
      words: " No more rows: the earlier pages have all 250.",
    });
  }
});

Deno.test("tableOf() writes fields in their order, rounds to nine digits, and has null for what is absent", () => {
  const items: { a: unknown; b?: unknown }[] = [
    { a: 1 / 3, b: "x" },
    { a: 12345678901 },
    { a: null, b: false },
  ];
  assertEquals(tableOf(["b", "a"], items), {
    columns: ["b", "a"],
    rows: [["x", 0.333333333], [null, 12345678901], [false, null]],
  });
  assertEquals([rounded(1234.56789012), rounded(0), rounded(-0.1234567891)], [
    1234.56789,
    0,
    -0.123456789,
  ]);
});
