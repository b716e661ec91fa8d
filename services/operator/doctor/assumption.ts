/** An assumption about a source, and how it is examined. */
import type { z } from "zod";
import type { Reply, Sources } from "./sources_client.ts";

/** The settings that assumptions depend on. */
export interface Subject {
  readonly chainId: number;
  /** Contract of the token that plans are paid in, lower-case. */
  readonly token: string;
  /** Epoch ms. */
  readonly now: number;
  /** Calls that the service makes to the Metrics API in a minute, at most. */
  readonly metricsCallsPerMinute: number;
  /** Whether names that end in `.avax` are read. */
  readonly readsAvaxNames: boolean;
}

/** What was seen, and whether the assumption holds. */
export interface Observation {
  readonly holds: boolean;
  readonly seen: string;
}

/** An assumption of the code about a source. */
export interface Assumption {
  readonly source: string;
  readonly text: string;
  /** The settings and files to look at if it does not hold. */
  readonly look: string;
  readonly examine: (
    sources: Sources,
    subject: Subject,
  ) => Promise<Observation>;
}

/** Returns a function that describes assumptions about one source. */
export function assumptionsAbout(source: string) {
  return (
    text: string,
    look: string,
    examine: Assumption["examine"],
  ): Assumption => ({ source, text, look, examine });
}

/** An assumption that cannot be examined, because an earlier one does not hold. */
export class NotExamined extends Error {}

/** Returns the part of a reply that is needed. Without it, the assumption is not examined. */
export function requirePart<T>(reply: Reply, schema: z.ZodType<T>): T {
  const failure = failureOf(reply);
  if (failure !== null) throw new NotExamined(failure);
  const parsed = schema.safeParse(reply.body);
  if (parsed.success) return parsed.data;
  throw new NotExamined("the answer has another shape than this check needs");
}

/** Returns why a reply has no answer; null if it has one. */
function failureOf({ error, status }: Reply): string | null {
  return error ?? (status === 200 ? null : `status ${status}`);
}

/** Examines the shape of a reply. */
export function hasShape<T>(
  reply: Reply,
  schema: z.ZodType<T>,
  examine: (data: T) => Observation,
): Observation {
  const failure = failureOf(reply);
  if (failure !== null) return { holds: false, seen: failure };
  const parsed = schema.safeParse(reply.body);
  if (parsed.success) return examine(parsed.data);
  const [issue] = parsed.error.issues;
  const path = issue?.path.join(".") || "the answer";
  return { holds: false, seen: `${path}: ${issue?.message ?? "other shape"}` };
}

/** Returns whether two amounts differ by at most `percent` of the second one. */
export function isNear(one: number, other: number, percent: number): boolean {
  return Math.abs(one - other) <= Math.abs(other) * percent / 100;
}
