/** The guides: Markdown files in `views/docs/`, completed and rendered once. */
import { docsTable } from "./docs_tables.ts";
import { type Rendered, renderMarkdown } from "./markdown.ts";

/** The guides in the order in which they are listed. */
export const GUIDES = {
  "Chain data": ["quick-start-chain-data", "completeness", "checked-series"],
  "Scores": [
    "quick-start-scores",
    "batch-and-history",
    "limits",
    "scoring-method",
    "attestations",
    "badges",
  ],
  "Accounts": ["accounts", "paying", "profiles"],
  "Good to know": ["errors", "reasons", "versioning", "self-hosting"],
} as const satisfies Record<string, readonly string[]>;

/** A group of guides. */
export type GuideGroup = keyof typeof GUIDES;
/** The groups of guides in their order. */
export const GUIDE_GROUPS = Object.keys(GUIDES) as GuideGroup[];

/** A guide. */
export interface Guide extends Rendered {
  readonly slug: string;
  readonly group: GuideGroup;
  /** The guide as Markdown. */
  readonly source: string;
}

const FOLDER = new URL("../views/docs/", import.meta.url);

/** Reads all guides; links in them lead to `publicUrl`. */
export function readGuides(publicUrl: string): Promise<Guide[]> {
  return Promise.all(
    GUIDE_GROUPS.flatMap((group) =>
      GUIDES[group].map(async (slug) => {
        const file = new URL(`${slug}.md`, FOLDER);
        const source = complete(await Deno.readTextFile(file), publicUrl);
        return { slug, group, source, ...await renderMarkdown(source) };
      })
    ),
  );
}

/** Puts tables where a line says `{{table:name}}`, and our address for its own mark. */
function complete(text: string, publicUrl: string): string {
  return text
    .replaceAll(/^\{\{table:(\w+)\}\}$/gm, (_, name) => docsTable(name))
    .replaceAll("https://firn.example", publicUrl);
}
