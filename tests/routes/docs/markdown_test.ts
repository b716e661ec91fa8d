/** The Markdown of the guides as HTML. */
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import {
  exampleBlock,
  renderMarkdown,
  slugOf,
} from "../../../routes/docs/markdown.ts";

Deno.test("renderMarkdown() turns consecutive examples into tabs and refuses raw HTML", async () => {
  const text =
    "# A & b\n\nSome *words*.\n\n```sh\na <b\n```\n\n```ts\nc\n```\n" +
    "\n```json\n{}\n```\n\n## Next\n\n| x |\n| - |\n| 1 |\n\n" +
    ["sh", "ts", "py"].map((lang) => `\`\`\`${lang}\nd\n\`\`\`\n`).join("\n");
  const { title, description, headings, body } = await renderMarkdown(text);
  assertEquals([title, description], ["A & b", "Some words."]);
  assertEquals(headings, [{ id: "next", text: "Next" }]);
  const markup = String(await body);
  assertMatch(markup, /&lt;/);
  assertEquals(markup.match(/class="tabs"/g)?.length, 2);
  assertEquals(markup.match(/<section>/g)?.length, 5, "JSON gets no tab");
  assertMatch(markup, /role="region"\s+aria-label="Next"/);
  await assertRejects(() => renderMarkdown("a <b>c</b>"), Error, "<b>");
  await assertRejects(() => renderMarkdown("<div>x</div>"), Error, "<div>");
});

Deno.test("renderMarkdown() anchors rows that begin with a code, and lists them as sections", async () => {
  const { body, sections } = await renderMarkdown(
    "# A\n\nOne.\n\n## B c\n\n| x | y |\n| - | - |\n| `D_E` | *f* |\n| g `h` | i |\n",
  );
  assertEquals(sections, [
    { id: "", title: "A", text: "One.\n" },
    { id: "D_E", title: "D_E", text: "f" },
    { id: "b-c", title: "B c", text: "g h · i\n" },
  ]);
  assertEquals(String(await body).match(/<tr id="[^"]*"/g), ['<tr id="D_E"']);
});

Deno.test("renderMarkdown() anchors headings below the first level, and lists those of the second", async () => {
  const { title, description, headings, sections, body } = await renderMarkdown(
    "Before.\n\n# The *first*\n\nOne\ntwo.\n\n## A (b) c!\n\n### Deep\n\n# Another\n",
  );
  assertEquals([title, description], ["The first", "Before."]);
  assertEquals(headings, [{ id: "a-b-c", text: "A (b) c!" }]);
  assertEquals(sections, [
    { id: "", title: "The first", text: "One two.\n" },
    { id: "a-b-c", title: "A (b) c!", text: "" },
    { id: "deep", title: "Deep", text: "" },
    { id: "", title: "Another", text: "" },
  ]);
  const markup = String(await body);
  assertEquals(
    [...markup.matchAll(/<(h\d)( id="[^"]*")?>([\s\S]*?)<\/h\d>/g)]
      .map(([, name, id, content]) => [
        name,
        id?.trim(),
        /href="#([^"]*)"/.exec(content!)?.[1],
      ]),
    [
      ["h1", undefined, undefined],
      ["h2", 'id="a-b-c"', "a-b-c"],
      ["h3", 'id="deep"', "deep"],
      ["h1", undefined, undefined],
    ],
  );
  const empty = await renderMarkdown("- an item\n");
  assertEquals([empty.title, empty.description], ["", ""]);
  assertEquals(empty.sections, []);
});

Deno.test("renderMarkdown() names each table by its heading, and counts those of one heading", async () => {
  const table = "| x |\n| - |\n| 1 |\n\n";
  const { body } = await renderMarkdown(
    `# A\n\n## B\n\n${table}${"Words.\n\n"}${table}## C\n\n${table}`,
  );
  assertEquals(
    [...String(await body).matchAll(/role="region"\s+aria-label="([^"]*)"/g)]
      .map(([, name]) => name),
    ["B", "B, 2", "C"],
  );
});

Deno.test("an example alone is no tab, and examples are tabs up to another language", async () => {
  const fence = (lang: string) => `\`\`\`${lang}\n${lang} code\n\`\`\`\n\n`;
  const tabsOf = async (...langs: string[]) => {
    const { body } = await renderMarkdown(langs.map(fence).join(""));
    const markup = String(await body);
    return [
      ...markup.matchAll(/<p class="eyebrow">([^<]*)|class="code-block/g),
    ].map(([, label]) => label ?? "code");
  };
  assertEquals(await tabsOf("sh"), ["code"]);
  assertEquals(await tabsOf("sh", "py"), ["curl", "code", "Python", "code"]);
  assertEquals(await tabsOf("sh", "json"), ["code", "code"]);
  assertEquals(await tabsOf("json", "sh"), ["code", "code"]);
  assertEquals(await tabsOf("sh", "ts", "json", "py"), [
    "curl",
    "code",
    "TypeScript",
    "code",
    "code",
    "code",
  ]);
  const wraps = (lang?: string) =>
    / wraps"/.test(String(exampleBlock("x", lang)));
  assertEquals(["sh", "text", "ts", undefined].map(wraps), [
    true,
    true,
    false,
    false,
  ]);
});

Deno.test("slugOf() joins letters and digits by single hyphens", () => {
  const rows: [text: string, slug: string][] = [
    ["A b", "a-b"],
    ["  (A) -- 2 ", "a-2"],
    ["`GET /x`", "get-x"],
    ["é", ""],
  ];
  for (const [text, slug] of rows) assertEquals(slugOf(text), slug);
});
