/** The Markdown of the guides as HTML. */
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { renderMarkdown } from "../../../routes/docs/markdown.ts";

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

Deno.test("renderMarkdown() marks syntax without changing the text", async () => {
  const code = `const a = "<b>"; // c & d`;
  const { body } = await renderMarkdown(`# A\n\n\`\`\`ts\n${code}\n\`\`\`\n`);
  const [, marked] = /<code>(.*)<\/code>/s.exec(String(await body))!;
  assertMatch(marked!, /<span class="code-keyword">const<\/span>/);
  assertMatch(marked!, /<span class="code-comment">\/\/ c &amp; d<\/span>/);
  const plain = marked!.replaceAll(/<[^>]*>/g, "").replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
  assertEquals(plain, code);
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

Deno.test("renderMarkdown() keeps chains and days of a text on one line, and leaves code as it is", async () => {
  const { body } = await renderMarkdown(
    "# A\n\nThe C-Chain since 2026-11-22: `2026-11-22`\n",
  );
  assertMatch(
    String(await body),
    /The <span class="nowrap">C-Chain<\/span> since <span class="nowrap">2026-11-22<\/span>: <code>2026-11-22<\/code>/,
  );
});

Deno.test("renderMarkdown() names the column in the cells of a table of four columns, for a phone", async () => {
  const table = (columns: readonly string[]) =>
    [columns, columns.map(() => "-"), columns.map((name) => `${name}1`)]
      .map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  const wide = String(
    await (await renderMarkdown(table(["a", "b", "c", "d"]))).body,
  );
  assertMatch(wide, /class="table-scroll is-stacked"/);
  assertMatch(wide, /<td data-label="d">d1<\/td>/);
  const narrow = String(
    await (await renderMarkdown(table(["a", "b", "c"]))).body,
  );
  assertEquals(/is-stacked|data-label/.test(narrow), false);
});
