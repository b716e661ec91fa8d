/** Recorded answers, without what differs in each run, and their comparison. */

/** An answer as it is recorded. */
interface Recorded {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Parsed JSON, or the text of a CSV. */
  readonly body: unknown;
}

/** The different answers to each request, in the order that they were given. */
export type Recording = Record<string, Recorded[]>;

/** Texts that are new in each run, and what stands for them. */
const NEW_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "<id>"],
  [/0x[0-9a-f]{130,}/g, "<signature>"],
  [/\b(Nonce: |state=|code_challenge=|firn-verification=)[\w-]+/g, "$1<new>"],
];

/** Fields that are new in each run wherever they are. */
const NEW_FIELDS = ["nonce", "key", "keyPrefix", "prefix", "lastFour"];

/** Characters of a request by which it is known. */
const MAX_REQUEST = 600;

/** Replaces what is new in each run. */
export function masked(value: unknown, name = ""): unknown {
  if (value === null || typeof value === "number") return value;
  if (typeof value === "string") {
    if (NEW_FIELDS.includes(name)) return `<${name}>`;
    return NEW_TEXTS.reduce(
      (text, [pattern, mark]) => text.replace(pattern, mark),
      value,
    );
  }
  if (Array.isArray(value)) return value.map((each) => masked(each, name));
  if (typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [name, masked(held, name)]),
  );
}

/** Adds the answer to a request, unless the request was answered so before. */
export function addAnswer(
  recording: Recording,
  request: string,
  answer: Recorded,
): void {
  const name = (masked(request) as string).slice(0, MAX_REQUEST);
  const answers = recording[name] ??= [];
  const next = masked(answer) as Recorded;
  const isKnown = answers.some((known) =>
    JSON.stringify(known) === JSON.stringify(next)
  );
  if (!isKnown) answers.push(next);
}

/** Lists how two recordings differ apart from the texts of error messages. */
export function compareRecordings(before: Recording, after: Recording) {
  const differences: string[] = [];
  const requests = new Set([...Object.keys(before), ...Object.keys(after)]);
  for (const request of [...requests].sort()) {
    const [old, now] = [before[request], after[request]];
    if (old === undefined || now === undefined) {
      differences.push(`${request}: only ${old ? "before" : "after"}`);
      continue;
    }
    const places = differencesOf(old.map(withoutMessage), {
      other: now.map(withoutMessage),
      place: "",
    });
    differences.push(...places.map((place) => `${request} ${place}`));
  }
  return differences;
}

/** Returns an answer without the texts of its error. */
function withoutMessage({ body, ...answer }: Recorded): unknown {
  const isError = answer.status >= 400 && body !== null &&
    typeof body === "object";
  if (!isError) return { ...answer, body };
  const { error, message, ...facts } = body as Record<string, unknown>;
  const names = [error, message].map((text) => typeof text);
  return { ...answer, body: { ...facts, names } };
}

/** Lists the places in which two values differ, with both values. */
function differencesOf(
  value: unknown,
  { other, place }: { readonly other: unknown; readonly place: string },
): string[] {
  if (value === other) return [];
  const [before, after] = [value, other].map((each) =>
    each !== null && typeof each === "object"
      ? each as Record<string, unknown>
      : null
  ) as [Record<string, unknown> | null, Record<string, unknown> | null];
  if (
    before === null || after === null ||
    Array.isArray(before) !== Array.isArray(after)
  ) {
    const short = (each: unknown) => JSON.stringify(each)?.slice(0, 200);
    return [`${place}: ${short(value)} → ${short(other)}`];
  }
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .flatMap((name) =>
      differencesOf(before[name], {
        other: after[name],
        place: `${place}.${name}`,
      })
    );
}
