/** Requests of pages as a browser makes them. */
import { assertEquals } from "@std/assert";
import { createApp } from "../../routes/app.ts";
import { exampleOf } from "../../simnet/accounts.ts";
import { testDeps } from "./deps.ts";

type App = ReturnType<typeof createApp>;

/** Requests a page. */
export const get = (app: App, path: string) =>
  app.request(path, { headers: { Accept: "text/html" } });

/** Returns the text of a page. */
export const getText = async (app: App, path: string) => {
  const response = await get(app, path);
  assertEquals(response.status, 200, path);
  return await response.text();
};

const PUBLIC_URL = "https://firn.test";

/** The pages of chains have the same links, so the C-Chain's page stands for all. Pictures have tests of their own. */
const ALIKE = /^\/chains\/(?!43114$)|^\/chart\/.*\.png$/;

/** Names the kind of an address: its path without numbers, and its parameters without values. */
const kindOf = ({ pathname, searchParams }: URL) =>
  pathname.replaceAll(/0x[\da-f]+|\d[\d-]*/gi, "#") + [...searchParams.keys()];

/**
 * Follows the internal links of all pages from the first one on, so many of each kind.
 * Returns how many pages it met, the links that lead to none, and the fragments without
 * an anchor.
 */
export async function walkLinks({ ofAKind }: { readonly ofAKind: number }) {
  using deps = await testDeps({
    settings: { PUBLIC_URL, METRICS_CALLS_PER_MINUTE: "800" },
  });
  const app = createApp(deps);
  const waiting = new Set(["/", "/docs", "/status", "/tools/score"]);
  waiting.add(`/tools/score/${exampleOf("heavy")}`);
  const kinds = new Map<string, number>();
  const pages = new Map<string, string>();
  const dead: string[] = [];
  const anchors: [from: string, path: string, id: string][] = [];
  for (const path of waiting) {
    // First reads are limited, and there are more metrics than calls in a minute.
    deps.advance(1_000);
    const response = await get(app, path);
    const moved = response.headers.get("Location");
    if (moved !== null) waiting.add(moved);
    else if (response.status !== 200) dead.push(`${path}: ${response.status}`);
    const isPage = response.headers.get("Content-Type")?.includes("html");
    const text = await response.text();
    if (!isPage) continue;
    pages.set(path, text);
    for (const [, quoted] of text.matchAll(/(?:href|src)="([^"]*)"/g)) {
      const url = new URL(
        quoted!.replaceAll("&amp;", "&"),
        `${PUBLIC_URL}${path}`,
      );
      if (url.origin !== PUBLIC_URL || ALIKE.test(url.pathname)) continue;
      const target = `${url.pathname}${url.search}`;
      if (!waiting.has(target)) {
        const count = kinds.get(kindOf(url)) ?? 0;
        if (count >= ofAKind) continue;
        kinds.set(kindOf(url), count + 1);
        waiting.add(target);
      }
      if (url.hash !== "") anchors.push([path, target, url.hash.slice(1)]);
    }
  }
  const lost = anchors.filter(([, path, id]) =>
    !pages.get(path)?.includes(`id="${id}"`)
  );
  return { dead, lost, pages: pages.size };
}
