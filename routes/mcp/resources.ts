/** The resources of the MCP server: guides, and the definitions of metrics and reasons. */
import { METRIC_DEFINITIONS } from "../../services/chain_data/quality/about.ts";
import { reasonOf } from "../../services/model/reasons.ts";
import { REASON_CODES } from "../../services/model/reasons_schema.ts";
import type { Guide } from "../docs/guides.ts";

const JSON_TYPE = "application/json";
const MARKDOWN = "text/markdown";

const METRICS_URI = "firn://metrics";
const REASONS_URI = "firn://reasons";
const GUIDES_URI = "firn://guides";

/** A resource without its content. */
interface ResourceEntry {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

/** A resource with its content. */
interface ResourceText {
  readonly uri: string;
  readonly mimeType: string;
  readonly text: string;
}

/** The templates of the resources that the list does not name one by one. */
export const RESOURCE_TEMPLATES = [
  {
    uriTemplate: `${METRICS_URI}/{metric}`,
    name: "metric",
    title: "Definition of a metric",
    description: "Meaning, unit, kind and aggregation of one metric",
    mimeType: JSON_TYPE,
  },
  {
    uriTemplate: `${REASONS_URI}/{code}`,
    name: "reason",
    title: "Definition of a reason code",
    description: "Kind, dimension, title and explanation of one reason",
    mimeType: JSON_TYPE,
  },
];

const REASON_DEFINITIONS = REASON_CODES.map(reasonOf);

/** Lists the resources. */
export function listResources(guides: readonly Guide[]): ResourceEntry[] {
  return [
    {
      uri: METRICS_URI,
      name: "metrics",
      title: "Metric definitions",
      description:
        "Every metric: meaning, unit, kind and how days are aggregated",
      mimeType: JSON_TYPE,
    },
    {
      uri: REASONS_URI,
      name: "reasons",
      title: "Reason codes",
      description: "Every reason of a score: kind, dimension and explanation",
      mimeType: JSON_TYPE,
    },
    ...guides.map(({ slug, title, description }) => ({
      uri: `${GUIDES_URI}/${slug}`,
      name: slug,
      title,
      description,
      mimeType: MARKDOWN,
    })),
  ];
}

/** Finds the content of a resource; null if there is none. */
export function findResource(
  guides: readonly Guide[],
  uri: string,
): ResourceText | null {
  const json = (value: unknown) =>
    value === undefined
      ? null
      : { uri, mimeType: JSON_TYPE, text: JSON.stringify(value) };
  const [root, name] = splitUri(uri);
  switch (root) {
    case METRICS_URI:
      return json(
        name === undefined
          ? METRIC_DEFINITIONS
          : METRIC_DEFINITIONS.find(({ metric }) => metric === name),
      );
    case REASONS_URI:
      return json(
        name === undefined
          ? REASON_DEFINITIONS
          : REASON_DEFINITIONS.find(({ code }) => code === name),
      );
    case GUIDES_URI: {
      const guide = guides.find(({ slug }) => slug === name);
      return guide === undefined
        ? null
        : { uri, mimeType: MARKDOWN, text: guide.source };
    }
    default:
      return null;
  }
}

/** Splits `firn://metrics/avgTps` into `firn://metrics` and `avgTps`. */
function splitUri(uri: string): [root: string, name: string | undefined] {
  const end = uri.indexOf("/", "firn://".length);
  return end === -1
    ? [uri, undefined]
    : [uri.slice(0, end), uri.slice(end + 1)];
}
