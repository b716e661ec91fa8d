/** The search over guides and reference, on the server and in pages. */
import MiniSearch from "minisearch";
import { REFERENCE } from "../http/paths.ts";
import type { Guide } from "./guides.ts";
import { slugOf } from "./markdown.ts";
import { listOperations, type OpenApi } from "./openapi_document.ts";

/** A place that a search finds. */
interface Place {
  readonly href: string;
  readonly title: string;
  /** Title of the page that contains it. */
  readonly page: string;
  readonly text: string;
}

/** A place that matches, with the part of its text that does. */
export interface Hit extends Omit<Place, "text"> {
  readonly excerpt: string;
}

/** How places are indexed and ranked. Pages use the same rules. */
const RULES = {
  index: {
    idField: "href",
    fields: ["title", "page", "text"],
    storeFields: ["title", "page", "text"],
  },
  search: {
    boost: { title: 4, page: 2 },
    combineWith: "AND",
    prefix: true,
    fuzzy: 0.15,
  },
} as const;

/** Maximum number of results of a search. */
const MAX_HITS = 20;

/** Longest text of a place in characters; the text after it is not searched. */
const MAX_TEXT = 1_500;

/** Lists all places: sections of guides, rows of their tables, and endpoints. */
export function listPlaces(
  guides: readonly Guide[],
  document: OpenApi,
): Place[] {
  const sections = guides.flatMap(({ slug, title: page, sections }) =>
    sections.map(({ id, title, text }) => ({
      href: `/docs/${slug}${id && `#${id}`}`,
      title,
      page,
      text: text.replaceAll(/\s+/g, " ").trim().slice(0, MAX_TEXT),
    }))
  );
  const operations = document.tags.flatMap(({ name }) =>
    listOperations(document, name).map(({ method, path, operation }) => ({
      href: `${REFERENCE}/${slugOf(name)}#${operation.operationId}`,
      title: `${method} ${path}`,
      page: `${name} reference`,
      text: `${operation.summary}. ${
        (operation.parameters ?? []).map(({ name }) => name).join(" ")
      }`,
    }))
  );
  const byHref = new Map(
    [...sections, ...operations].map((place) => [place.href, place]),
  );
  return [...byHref.values()];
}

/** Returns the body of `/docs/search.json`: the places, and the rules for a search in the page. */
export function searchIndex(places: readonly Place[]): string {
  return JSON.stringify({ rules: RULES, places });
}

/** Creates a search over places. Best hits first. */
export function searcher(places: readonly Place[]): (query: string) => Hit[] {
  const index = new MiniSearch<Place>({
    ...RULES.index,
    fields: [...RULES.index.fields],
    storeFields: [...RULES.index.storeFields],
  });
  index.addAll(places);
  return (query) =>
    index.search(query, RULES.search).slice(0, MAX_HITS).map((
      { id, title, page, text },
    ) => ({ href: id, title, page, excerpt: excerptOf(text) }));
}

/** Characters of a text that a result shows. */
const EXCERPT = 160;

function excerptOf(text: string): string {
  return text.length <= EXCERPT
    ? text
    : `${text.slice(0, text.lastIndexOf(" ", EXCERPT))} …`;
}
