/** The form of the explorer over HTTP, after an invalid query in particular. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { testDeps } from "../../support/deps.ts";
import { askExplorer as ask, hrefsOf } from "../../support/charts/explorer.ts";
import { unescape } from "../../support/outline.ts";

/** Returns the values that the form of a page would send. */
function chosenIn(page: string): Record<string, string> {
  const form = page.match(/<form[\s\S]*?<\/form>/)![0];
  const of = (pattern: RegExp) => unescape(form.match(pattern)?.[1] ?? "");
  return {
    metric: of(/<option value="([^"]*)" selected/),
    chain: of(/id="chain"[^>]*value="([^"]*)"/),
    range: of(/name="range" value="([^"]*)" checked/),
    from: of(/id="from"[^>]*value="([^"]*)"/),
    to: of(/id="to"[^>]*value="([^"]*)"/),
    interval: of(/name="interval" value="([^"]*)" checked/),
  };
}

Deno.test("the form keeps the valid parts of an invalid query", async () => {
  using deps = await testDeps();
  const usual = {
    metric: "txCount",
    chain: "C-Chain · 43114",
    range: "1y",
    from: "",
    to: "",
    interval: "day",
  };
  const rows: [path: string, message: string, chosen: typeof usual][] = [
    [
      "/?metric=txCount&range=days&from=2026-11-05&to=2026-11-01",
      'Invalid from "2026-11-05": expected a day on or before to',
      { ...usual, range: "days", from: "2026-11-05", to: "2026-11-01" },
    ],
    [
      "/?metric=txCount&from=2026-13-01&to=2026-10-01",
      'Invalid from "2026-13-01": expected a calendar day as YYYY-MM-DD</p>',
      { ...usual, range: "days", to: "2026-10-01" },
    ],
    [
      `/?range=90d&chainId=${
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].join("&chainId=")
      }`,
      "Invalid chainId: given 11, expected at most 10 chains",
      { ...usual, chain: "1", range: "90d" },
    ],
    [
      "/?chain=foo&range=30d&interval=week",
      'Invalid chain "foo": no chain matches',
      { ...usual, chain: "foo", range: "30d", interval: "week" },
    ],
    [
      "/?metric=gasUsed&chain=Beam+L1&compare=foo&interval=month&range=all",
      'Invalid compare "foo": no chain matches',
      {
        ...usual,
        metric: "gasUsed",
        chain: "Beam L1 · 4337",
        range: "all",
        interval: "month",
      },
    ],
    [
      "/?metric=maxTps&chainId=foo&range=90d",
      'Invalid chainId "foo": expected an EVM chain id',
      { ...usual, metric: "maxTps", range: "90d" },
    ],
    [
      "/?metric=maxTps&chainId=4337&chainId=foo&interval=hour",
      'Invalid chainId "foo": expected an EVM chain id',
      { ...usual, metric: "maxTps", chain: "Beam L1 · 4337" },
    ],
    [
      "/?metric=txCount&chainId=4337&from=2027-01-01&interval=week",
      'Invalid from "2027-01-01": expected a day up to 2026-11-21',
      {
        ...usual,
        chain: "Beam L1 · 4337",
        range: "days",
        from: "2027-01-01",
        interval: "week",
      },
    ],
  ];
  for (const [path, message, chosen] of rows) {
    const { status, text } = await ask(deps, path);
    assertEquals(status, 400, path);
    assertStringIncludes(unescape(text), message);
    assertEquals(chosenIn(text), chosen, path);
  }
});

Deno.test("a mistaken chain stays in its field, and similar chains are links to the wanted view", async () => {
  using deps = await testDeps();
  const rows: [path: string, field: string, text: string, link: string][] = [
    [
      "/?metric=gasUsed&chain=Bean&range=30d&interval=week",
      "chain",
      "Bean",
      "/?metric=gasUsed&chainId=4337&range=30d&interval=week",
    ],
    [
      "/?metric=gasUsed&chain=C-Chain&compare=dexlot&range=30d&interval=week",
      "compare",
      "dexlot",
      "/?metric=gasUsed&chainId=43114&chainId=432204&range=30d&interval=week",
    ],
  ];
  for (const [path, field, text, link] of rows) {
    const page = await ask(deps, path);
    assertEquals(page.status, 400);
    const input = page.text.match(
      new RegExp(`<input id="${field}"[^>]*>`),
    )![0];
    assertStringIncludes(input, `value="${text}"`);
    assertStringIncludes(input, 'aria-invalid="true"');
    assertStringIncludes(unescape(page.text), "Did you mean one of these?");
    assertEquals(hrefsOf(page.text).includes(link), true, link);
  }
  const swapped = await ask(deps, "/?from=2026-05-01&to=2026-01-01");
  const [from, to] = ["from", "to"].map((id) =>
    swapped.text.match(new RegExp(`<input type="date" id="${id}"[^>]*>`))![0]
  );
  assertStringIncludes(from!, 'value="2026-05-01" aria-invalid="true"');
  assertEquals(to!.includes("aria-invalid"), false);
  const long = await ask(deps, `/?chain=${"C-Chain".repeat(1_000)}`);
  assertEquals(long.text.includes("Did you mean"), false, "not compared");
  const unlike = await ask(deps, "/?chain=%3Czzzz%3E");
  assertStringIncludes(unlike.text, 'value="&lt;zzzz&gt;"');
  assertEquals(unlike.text.includes("Did you mean"), false);
});

Deno.test("the series that are checked say so, apart from those of any chain", async () => {
  using deps = await testDeps();
  const { text } = await ask(deps, "/");
  const groups = [
    ...text.matchAll(/<optgroup label="([^"]*)">([\s\S]*?)<\/optgroup>/g),
  ]
    .map(([, label, options]) => ({
      label,
      checked: [...options!.matchAll(/<option[^>]*>([^<]*)/g)]
        .map(([, words]) => words!.endsWith(", checked")),
    }));
  assertEquals(
    groups.map(({ label, checked }) => [label, [...new Set(checked)]]),
    [
      ["Any chain", [false]],
      ["Checked against a second source", [true]],
    ],
  );
});
