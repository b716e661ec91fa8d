/** What pages are about, in terms of schema.org, for search engines and agents. */
import type { ExplorerView } from "../../services/charts/explorer_schema.ts";
import { titleOf } from "./charts/chart_words.ts";
import { dataPaths, explorerPath } from "./charts/explorer_links.ts";

/** Facts of a page, without `@context`. */
type Facts = Readonly<Record<string, unknown>>;

const PROVIDER = { "@type": "Organization", name: "Firn" };

/** Describes the APIs: `WebAPI` with their documentation and machine-readable descriptions. */
export function webApiFacts(publicUrl: string, description: string): Facts {
  const entry = (path: string, contentType: string) => ({
    "@type": "EntryPoint",
    urlTemplate: `${publicUrl}${path}`,
    contentType,
  });
  return {
    "@type": "WebAPI",
    name: "Firn",
    description,
    url: publicUrl,
    documentation: `${publicUrl}/docs`,
    termsOfService: `${publicUrl}/docs/limits`,
    provider: { ...PROVIDER, url: publicUrl },
    isAccessibleForFree: true,
    potentialAction: {
      "@type": "ConsumeAction",
      target: [
        entry("/openapi.json", "application/json"),
        entry("/mcp", "application/json"),
      ],
    },
  };
}

/** Describes what an explorer page shows: a `Dataset` with its downloads. */
export function datasetFacts(
  { chart, state }: ExplorerView,
  publicUrl: string,
  description: string,
): Facts {
  const { axis } = chart;
  const downloads = [
    ["csv", "text/csv"],
    ["json", "application/json"],
  ] as const;
  return {
    "@type": "Dataset",
    name: titleOf(chart),
    description: `${titleOf(chart)}. ${description}`,
    url: `${publicUrl}${explorerPath(state)}`,
    ...(axis.length === 0
      ? {}
      : { temporalCoverage: `${axis[0]}/${axis.at(-1)}` }),
    variableMeasured: state.metric,
    isAccessibleForFree: true,
    creator: { ...PROVIDER, url: publicUrl },
    distribution: downloads.flatMap(([format, encodingFormat]) =>
      dataPaths(state, format).map((path) => ({
        "@type": "DataDownload",
        encodingFormat,
        contentUrl: `${publicUrl}${path}`,
      }))
    ),
  };
}
