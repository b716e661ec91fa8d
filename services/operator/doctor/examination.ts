/** Examines every assumption about the sources, and writes what was found as a table. */
import { alignColumns } from "../../platform/text.ts";
import { type Assumption, NotExamined, type Subject } from "./assumption.ts";
import { EXPLORER_ASSUMPTIONS } from "./explorer_assumptions.ts";
import {
  METRICS_API_ASSUMPTIONS,
  ownHostAssumption,
} from "./metrics_api_assumptions.ts";
import {
  C_CHAIN_ASSUMPTIONS,
  chainNodeAssumption,
  NAME_ASSUMPTIONS,
  P_CHAIN_ASSUMPTIONS,
} from "./node_assumptions.ts";
import { PORTAL_ASSUMPTIONS } from "./portal_assumptions.ts";
import { PROOF_ASSUMPTIONS } from "./proof_assumptions.ts";
import type { Sources } from "./sources_client.ts";

/** All assumptions, in the order of the table. */
export const ASSUMPTIONS: readonly Assumption[] = [
  ...METRICS_API_ASSUMPTIONS,
  ...EXPLORER_ASSUMPTIONS,
  ...C_CHAIN_ASSUMPTIONS,
  ...P_CHAIN_ASSUMPTIONS,
];

/** What was found about one assumption. */
export interface Finding {
  readonly source: string;
  readonly text: string;
  readonly look: string;
  /** Null if it could not be examined. */
  readonly holds: boolean | null;
  readonly seen: string;
}

/** Examines the assumptions one after the other, those about names, other chains and the portal only where they are set. */
export async function examineSources(
  sources: Sources,
  subject: Subject,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const all = [
    ...ASSUMPTIONS,
    ...subject.readsAvaxNames ? NAME_ASSUMPTIONS : [],
    ...sources.portal === null ? [] : PORTAL_ASSUMPTIONS,
    ...sources.ownHosts.map(ownHostAssumption),
    ...sources.chainNodes.map(chainNodeAssumption),
    ...sources.proofChains.flatMap((chain) => PROOF_ASSUMPTIONS[chain]),
  ];
  for (const { source, text, look, examine } of all) {
    const seen = await examine(sources, subject).catch((error) => {
      if (!(error instanceof NotExamined)) throw error;
      return { holds: null, seen: error.message };
    });
    findings.push({ source, text, look, ...seen });
  }
  return findings;
}

/** Longest text of an answer that the table shows. */
const MAX_SEEN_CHARACTERS = 60;

/** Writes the findings as a table, and a line with the totals. */
export function formatFindings(
  findings: readonly Finding[],
  calls: number,
): string {
  const rows = findings.map(({ source, text, look, holds, seen }) => [
    verdictOf(holds),
    source,
    text,
    // Control characters of a source must not reach the terminal.
    seen.replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, " ")
      .slice(0, MAX_SEEN_CHARACTERS),
    look,
  ]);
  const table = [["holds", "source", "assumption", "seen", "look at"], ...rows];
  const lines = alignColumns(table);
  const count = (wanted: boolean | null) =>
    findings.filter(({ holds }) => holds === wanted).length;
  return `${lines.join("\n")}\n\n${count(true)} hold, ${count(false)} do not, ${
    count(null)
  } were not examined; ${calls} calls`;
}

function verdictOf(holds: boolean | null): string {
  if (holds === null) return "-";
  return holds ? "yes" : "NO";
}
