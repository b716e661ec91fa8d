/** Requests `GET /quality` and `GET /disputes`, and reads the answers. */
import { assertEquals } from "@std/assert";
import { xml2js } from "xml-js";
import { appOf } from "../app.ts";
import { DisputesAnswer } from "../../../services/chain_data/checks/checked_series_schema.ts";
import { QualityAnswer } from "../../../services/chain_data/quality/quality_schema.ts";
import { BASE } from "../checked_answers.ts";
import type { TestDeps } from "../deps.ts";

/** Requests a path of the chain data API. */
export async function askChainData(
  deps: TestDeps,
  path: string,
  init?: RequestInit,
) {
  const response = await appOf(deps).request(`${BASE}${path}`, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
}

/** Reads the quality, which must match its schema. */
export async function readQuality(deps: TestDeps): Promise<QualityAnswer> {
  const { status, text } = await askChainData(deps, "/quality");
  assertEquals(status, 200, text);
  const body = JSON.parse(text);
  assertEquals(QualityAnswer.parse(body), body);
  return body;
}

/** Reads the disputes, which must match their schema. */
export async function readDisputes(deps: TestDeps): Promise<DisputesAnswer> {
  const { status, text } = await askChainData(deps, "/disputes");
  assertEquals(status, 200, text);
  const body = JSON.parse(text);
  assertEquals(DisputesAnswer.parse(body), body);
  return body;
}

interface Entry {
  readonly id: string;
  readonly title: string;
  readonly link: string;
  readonly updated: string;
  readonly published: string;
  readonly summary: string;
}

type Element = Record<string, unknown>;

/** Returns the text of an element, with its CDATA sections joined. */
function textOf(parent: Element, name: string): string {
  const { _text, _cdata } = (parent[name] ?? { _text: "" }) as Element;
  return [_text ?? _cdata].flat().join("");
}

/** Parses a feed. Throws if it is not well-formed. */
export function parseFeed(text: string) {
  const { feed } = xml2js(text, { compact: true }) as { feed: Element };
  const attributesOf = (element: Element) =>
    element._attributes as Record<string, string>;
  const elements = [feed.entry ?? []].flat() as Element[];
  const entries = elements.map((entry): Entry => ({
    id: textOf(entry, "id"),
    title: textOf(entry, "title"),
    link: attributesOf(entry.link as Element).href!,
    updated: textOf(entry, "updated"),
    published: textOf(entry, "published"),
    summary: textOf(entry, "summary"),
  }));
  return {
    namespace: attributesOf(feed).xmlns,
    id: textOf(feed, "id"),
    title: textOf(feed, "title"),
    updated: textOf(feed, "updated"),
    author: textOf(feed.author as Element, "name"),
    links: (feed.link as Element[]).map(attributesOf),
    entries,
  };
}

/** Reads the disputes as a feed. */
export async function readFeed(deps: TestDeps) {
  const { status, headers, text } = await askChainData(
    deps,
    "/disputes?format=atom",
  );
  assertEquals(status, 200, text);
  assertEquals(
    headers.get("Content-Type"),
    "application/atom+xml; charset=utf-8",
  );
  return parseFeed(text);
}

/** Returns the visible text of HTML. */
export function shownOf(html: string): string {
  const entities: Record<string, string> = {
    "&lt;": "<",
    "&gt;": ">",
    "&quot;": '"',
    "&#39;": "'",
    "&amp;": "&",
  };
  return html.replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => entities[entity]!);
}
