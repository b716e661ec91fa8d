/** Reads the guides, Markdown files in `routes/docs/guides/`, and fills in their placeholders. */
import { docsTable } from "./docs_tables.ts";
import { type Rendered, renderMarkdown } from "./markdown.ts";

/** The guides by group, in the order of the navigation. */
const GUIDES = {
  "Chain data": [
    "quick-start-chain-data",
    "completeness",
    "checked-series",
    "revisions",
    "bulk-files",
  ],
  "Scores": [
    "quick-start-scores",
    "batch-and-history",
    "limits",
    "scoring-method",
    "model-card",
    "attestations",
    "badges",
  ],
  "Programs and agents": ["typescript-sdk", "mcp"],
  "Recipes": [
    "grafana",
    "google-sheets",
    "duckdb-and-pandas",
    "chat-feeds",
    "refresh-a-badge",
  ],
  "Accounts": ["accounts", "paying", "profiles"],
  "Codes and versions": ["errors", "reasons", "versioning"],
  "Operation": ["self-hosting"],
} as const satisfies Record<string, readonly string[]>;

/** The name of a group. */
export type GuideGroup = keyof typeof GUIDES;
/** The groups in order. */
export const GUIDE_GROUPS = Object.keys(GUIDES) as GuideGroup[];
/** The slugs of all guides, in the order of the navigation. */
export const GUIDE_SLUGS: readonly string[] = Object.values(GUIDES).flat();

/** A guide, rendered. */
export interface Guide extends Rendered {
  readonly slug: string;
  readonly group: GuideGroup;
  /** The Markdown, with its placeholders filled in. */
  readonly source: string;
}

const FOLDER = new URL("./guides/", import.meta.url);

/** Reads all guides. Examples and links use `publicUrl`. */
export function readGuides(publicUrl: string): Promise<Guide[]> {
  return Promise.all(
    GUIDE_GROUPS.flatMap((group) =>
      GUIDES[group].map(async (slug) => {
        const file = new URL(`${slug}.md`, FOLDER);
        const source = fillIn(await Deno.readTextFile(file), publicUrl);
        return { slug, group, source, ...await renderMarkdown(source) };
      })
    ),
  );
}

/** Replaces each line `{{table:name}}` by that table, and `https://firn.example` by `publicUrl`. */
function fillIn(text: string, publicUrl: string): string {
  return text
    .replaceAll(/^\{\{table:(\w+)\}\}$/gm, (_, name) => docsTable(name))
    .replaceAll("https://firn.example", publicUrl);
}
