/** Reads the guides and the API reference, and builds the lists and index pages from them. */
import {
  type Guide,
  GUIDE_GROUPS,
  type GuideGroup,
  readGuides,
} from "./guides.ts";
import { slugOf } from "./markdown.ts";
import { DOCS, REFERENCE } from "../http/paths.ts";
import { type Hit, listPlaces, searcher, searchIndex } from "./search.ts";
import { listOperations, type OpenApi } from "./openapi_document.ts";
import { type DocsGroup, docsHome, type GuideCard } from "./docs_page.ts";
import type { Html } from "../pages/layout.ts";
import { referenceHome } from "./reference.ts";

/** The content of the documentation. */
export interface Library {
  readonly guides: readonly Guide[];
  readonly document: OpenApi;
  /** The navigation beside every page. */
  readonly groups: readonly DocsGroup[];
  /** Body of `/docs`. */
  readonly home: Html;
  /** Body of `/docs/reference`. */
  readonly reference: Html;
  /** Finds places of the guides and the reference, best first. */
  readonly search: (query: string) => Hit[];
  /** Body of `/docs/search.json`: what pages search in. */
  readonly searchIndex: string;
  /** Body of `/llms.txt`, as https://llmstxt.org describes. */
  readonly llms: string;
  /** Body of `/llms-full.txt`: every guide whole, and a line for every endpoint. */
  readonly llmsFull: string;
}

/** Creates the function that opens the library, once. After a failure the next call tries again. */
export function libraryOpener(
  publicUrl: string,
  readDocument: () => OpenApi,
): () => Promise<Library> {
  let opening: Promise<Library> | undefined;
  return () =>
    opening ??= openLibrary(publicUrl, readDocument).catch((error) => {
      opening = undefined;
      throw error;
    });
}

/** Reads the guides and the OpenAPI document. */
async function openLibrary(
  publicUrl: string,
  readDocument: () => OpenApi,
): Promise<Library> {
  const guides = await readGuides(publicUrl);
  const document = readDocument();
  const tags: GuideCard[] = document.tags.map(({ name, description }) => ({
    href: `${REFERENCE}/${slugOf(name)}`,
    label: name,
    description,
  }));
  const cardsOf = (group: GuideGroup): GuideCard[] =>
    guides.filter((guide) => guide.group === group)
      .map(({ slug, title, description }) => ({
        href: `${DOCS}/${slug}`,
        label: title,
        description,
      }));
  const groups = GUIDE_GROUPS.map((title) => ({
    title,
    guides: cardsOf(title),
  }));
  const places = listPlaces(guides, document);
  return {
    guides,
    document,
    search: searcher(places),
    searchIndex: searchIndex(places),
    groups: [
      ...groups.map(({ title, guides }) => ({ title, links: guides })),
      {
        title: "Reference",
        links: [{ href: REFERENCE, label: "All endpoints" }, ...tags],
      },
    ],
    home: docsHome({ groups, tags }),
    reference: referenceHome(tags.map((tag) => ({
      ...tag,
      operations: listOperations(document, tag.label)
        .map(({ method, path, operation: { operationId, summary } }) => ({
          method,
          path,
          summary,
          href: `${tag.href}#${operationId}`,
        })),
    }))),
    llms: llmsText(publicUrl, groups, tags),
    llmsFull: llmsFullText(publicUrl, guides, document),
  };
}

/** The title and the summary of both texts for language models. */
const TITLE = [
  "# Firn",
  "> Daily on-chain metrics of the Avalanche C-Chain and its L1s, open to everybody and checked against a second source. Reputation scores of any C-Chain address, with an API key.",
];

function llmsFullText(
  publicUrl: string,
  guides: readonly Guide[],
  document: OpenApi,
): string {
  const endpoints = listOperations(document).map((
    { method, path, operation: { summary } },
  ) => `- \`${method} ${path}\`: ${summary}`);
  return [
    ...TITLE,
    `Machine-readable: [OpenAPI 3.1](${publicUrl}/openapi.json), [MCP server](${publicUrl}/mcp).`,
    // Each guide has a title of its own; one level down, the titles are chapters.
    ...guides.map(({ source }) => deepen(source).trim()),
    ["## Endpoints", "", ...endpoints].join("\n"),
  ].join("\n\n") + "\n";
}

/** Moves headings one level down. Lines in code blocks that begin with # stay. */
function deepen(markdown: string): string {
  let isCode = false;
  return markdown.split("\n").map((line) => {
    if (line.startsWith("```")) isCode = !isCode;
    return !isCode && /^#{1,5} /.test(line) ? `#${line}` : line;
  }).join("\n");
}

function llmsText(
  publicUrl: string,
  groups: readonly { title: string; guides: readonly GuideCard[] }[],
  tags: readonly GuideCard[],
): string {
  const line = (href: string, { label, description }: GuideCard) =>
    `- [${label}](${publicUrl}${href}): ${description}`;
  const sections = groups.map(({ title, guides }) =>
    [
      `## ${title}`,
      "",
      ...guides.map((guide) => line(`${guide.href}.md`, guide)),
    ].join("\n")
  );
  return [
    ...TITLE,
    `The APIs are JSON over HTTP, described by [OpenAPI 3.1](${publicUrl}/openapi.json). Agents can use them as tools of an [MCP server](${publicUrl}/mcp) over streamable HTTP; chain data needs no key. All guides in one file: [llms-full.txt](${publicUrl}/llms-full.txt). All chains at a glance: [chains-overview.json](${publicUrl}/downloads/chains-overview.json).`,
    ...sections,
    ["## Reference", "", ...tags.map((tag) => line(tag.href, tag))].join("\n"),
  ].join("\n\n") + "\n";
}
