/** No link of the filled demo ends on an error, and a reader who opens five at a time is never asked to wait. */
import { assert, assertEquals } from "@std/assert";
import { walkLinks } from "../support/docs_pages.ts";
import { unescape } from "../support/outline.ts";
import { freePort, startProgram, until } from "../support/processes/service.ts";

/** Addresses of one kind that are opened: days, chains, and views of the explorer are without number. */
const MAX_OF_A_KIND = 100;

/** How many links a reader opens at once. */
const AT_ONCE = 5;

/** Pages that only a signed-in owner sees; the links to them are hidden from others. */
const OWN = /^\/dashboard\/./;

/** Names the kind of an address: its path without numbers, names of series and the like. */
const kindOf = (url: URL) =>
  url.pathname.replace(/^\/days\/\w+/, "/days")
    .replaceAll(/0x[\da-f]+|\d[\d-]*/gi, "#");

Deno.test("every internal link leads to a page and every fragment to an anchor", async () => {
  const { dead, lost } = await walkLinks({ ofAKind: Infinity });
  assertEquals([dead, lost], [[], []]);
});

Deno.test("every link of the demo leads somewhere, five at a time", async () => {
  const port = freePort();
  await using demo = startProgram(["task", "demo"], { PORT: String(port) });
  await until(demo, () => demo.output().includes("/-/switch"));
  const base = `http://localhost:${port}`;
  const from = new Map<string, string>();
  const kinds = new Map<string, number>();
  const waiting: string[] = [];
  const failed: string[] = [];
  const add = (href: string, page: string) => {
    const url = new URL(href, base + page);
    const path = url.pathname + url.search;
    if (url.origin !== base || from.has(path)) return;
    const kind = kindOf(url);
    const count = kinds.get(kind) ?? 0;
    if (count >= MAX_OF_A_KIND) return;
    kinds.set(kind, count + 1);
    from.set(path, page);
    waiting.push(path);
  };
  const open = async (path: string) => {
    const response = await fetch(base + path, {
      headers: { Accept: "text/html,*/*" },
      redirect: "manual",
    });
    const { status, headers } = response;
    const text = await response.text();
    if (status >= 400 && !(status === 401 && OWN.test(path))) {
      failed.push(`${status} ${path} on ${from.get(path)}`);
    }
    const location = headers.get("Location");
    if (location !== null) add(location, path);
    const type = headers.get("Content-Type") ?? "";
    if (!/html|sitemap/.test(`${type} ${path}`)) return;
    const links = text.matchAll(/(?:href|src|srcset)="([^"#]+)|<loc>([^<]+)/g);
    for (const [, href, place] of links) add(unescape(href ?? place!), path);
  };
  add("/", "/");
  add("/sitemap.xml", "/");
  while (waiting.length > 0) {
    await Promise.all(waiting.splice(0, AT_ONCE).map(open));
  }
  assertEquals(failed, []);
  assert(from.size > 1_000, `${from.size} links`);
  assert(kinds.size > 100, `${kinds.size} kinds`);
  demo.process.kill("SIGTERM");
  await demo.process.status;
});
