/** What a page says of its data set: to search engines (schema.org), and how it is cited. */
import { LICENCE } from "../../services/downloads/data_package.ts";
import { html } from "hono/html";
import type { Citation } from "../../services/downloads/downloads.ts";
import { codeBlock } from "../pages/code.ts";
import type { Html } from "../pages/layout.ts";

/** A data set of a page. URLs are absolute. */
interface DataSet {
  readonly name: string;
  readonly description: string;
  readonly url: string;
  readonly publicUrl: string;
  readonly variables: readonly {
    readonly name: string;
    readonly unitText?: string;
  }[];
  readonly files: readonly {
    readonly contentUrl: string;
    readonly encodingFormat: string;
    readonly sha256?: string;
  }[];
  /** First and last day; absent if the page does not name them. */
  readonly days?: readonly [first: string, last: string];
}

/** Returns the schema.org `Dataset` of a page, without `@context`. */
export function datasetOf(
  { name, description, url, publicUrl, variables, files, days }: DataSet,
): Readonly<Record<string, unknown>> {
  return {
    "@type": "Dataset",
    name,
    description,
    url,
    isAccessibleForFree: true,
    ...(days && { temporalCoverage: days.join("/") }),
    license: `${publicUrl}/docs/bulk-files#licence`,
    usageInfo: LICENCE,
    creator: { "@type": "Organization", name: "Firn", url: publicUrl },
    variableMeasured: variables.map((variable) => ({
      "@type": "PropertyValue",
      ...variable,
    })),
    distribution: files.map((file) => ({ "@type": "DataDownload", ...file })),
  };
}

/** Renders a citation as text and as BibTeX, folded. */
export function citationBlock({ text, bibtex }: Citation): Html {
  return html`
    <details class="stack stack-small">
      <summary>Cite this</summary>
      <p class="prose break-anywhere">${text}</p>
      ${codeBlock(bibtex, { label: "BibTeX" })}
    </details>
  `;
}
