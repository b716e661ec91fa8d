/** Requests generated from `/openapi.json`: valid, almost valid, and hostile. */
import {
  listOperations,
  type OpenApi,
  type Operation,
  type Parameter,
} from "../../../routes/docs/openapi_document.ts";
import {
  acceptedBy,
  encode,
  HOSTILE_NAMES,
  hostileJson,
  hostileText,
  nearText,
} from "./hostile_values.ts";
import { fc } from "../properties.ts";

/** Who sends a request. */
export const SENDERS = ["nobody", "live", "test", "session", "forger"] as const;
/** Who sends a request. */
export type Sender = typeof SENDERS[number];

/** A request before it is sent; the body as bytes, since not all are text. */
export interface HostileRequest {
  readonly method: string;
  /** Scheme and host of the request URL; null for those of the service. */
  readonly host: string | null;
  /** Path and query, percent-encoded. */
  readonly target: string;
  readonly sender: Sender;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer> | null;
  /** The documented operation of the request; null if there is none. */
  readonly operation: Operation | null;
}

type Described = ReturnType<typeof listOperations>[number];

/** Segments that change the path: empty ones and dots. */
const ANOTHER_PATH = /^\.{0,2}$/;

const sender = fc.constantFrom(...SENDERS);

/** Generates requests for the operations of a document that a filter accepts. */
export function requestsFor(
  document: OpenApi,
  has: (operation: Operation) => boolean = () => true,
): fc.Arbitrary<HostileRequest> {
  const operations = listOperations(document)
    .filter(({ operation }) => has(operation));
  return fc.oneof(...operations.map((one) => requestFor(document, one)));
}

/** Generates a request for an operation: any parameters, and a valid body. */
function requestFor(
  document: OpenApi,
  { path, method, operation }: Described,
): fc.Arbitrary<HostileRequest> {
  const { parameters = [] } = operation;
  const inPath = parameters.filter((parameter) => parameter.in === "path");
  const inQuery = parameters.filter((parameter) => parameter.in === "query");
  return fc.record({
    sender: senderFor(operation),
    segments: fc.tuple(...inPath.map((one) => valueOf(document, one))),
    query: queryOf(document, inQuery),
    body: acceptedBody(document, operation),
  }).map(({ sender, segments, query, body }) => {
    const names = inPath.map(({ name }) => `{${name}}`);
    const filled = names.reduce(
      (target, name, nth) => target.replace(name, () => encode(segments[nth]!)),
      path,
    );
    return {
      method,
      host: null,
      target: query === "" ? filled : `${filled}?${query}`,
      sender,
      headers: body === null ? {} : { "Content-Type": "application/json" },
      body: body === null ? null : new TextEncoder().encode(body),
      operation: segments.some((text) => ANOTHER_PATH.test(text))
        ? null
        : operation,
    };
  });
}

/** Mostly callers with access; otherwise the body would never be validated. */
function senderFor({ security = [] }: Operation): fc.Arbitrary<Sender> {
  const names = security.flatMap((schemes) => Object.keys(schemes));
  const fit = names.includes("Session")
    ? fc.constant<Sender>("session")
    : names.includes("ApiKey")
    ? fc.constantFrom<Sender>("live", "test")
    : fc.constant<Sender>("nobody");
  return fc.oneof(
    { weight: 4, arbitrary: fit },
    { weight: 1, arbitrary: sender },
  );
}

function valueOf(
  document: OpenApi,
  { schema }: Parameter,
): fc.Arbitrary<string> {
  const accepted = acceptedBy(document, schema).map(String);
  return fc.oneof(
    { weight: 5, arbitrary: accepted },
    { weight: 2, arbitrary: nearText(accepted) },
    { weight: 3, arbitrary: hostileText },
  );
}

/** Generates parameters in any order: some absent, some repeated, some unknown. */
function queryOf(
  document: OpenApi,
  parameters: readonly Parameter[],
): fc.Arbitrary<string> {
  const known = parameters.map((parameter) =>
    fc.tuple(fc.constant(parameter.name), valueOf(document, parameter))
  );
  const unknown = fc.tuple(fc.constantFrom(...HOSTILE_NAMES), hostileText);
  const pairs = known.length === 0
    ? fc.array(unknown, { maxLength: 1 })
    : fc.tuple(
      fc.subarray(known).chain((some) => fc.tuple(...some)),
      fc.array(fc.oneof(unknown, ...known), { maxLength: 1 }),
    ).map(([some, more]) => [...some, ...more]);
  return pairs.map((list) =>
    list.map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&")
  );
}

function acceptedBody(
  document: OpenApi,
  { requestBody }: Operation,
): fc.Arbitrary<string | null> {
  const schema = requestBody?.content["application/json"]?.schema;
  return schema === undefined
    ? fc.constant(null)
    : acceptedBy(document, schema).map((value) => JSON.stringify(value));
}

/** Generates the same requests with bodies that their schemas refuse. */
export function withHostileBodies(
  requests: fc.Arbitrary<HostileRequest>,
): fc.Arbitrary<HostileRequest> {
  return fc.record({
    request: requests,
    change: bodyChange,
    headers: bodyHeaders,
  })
    .map(({ request, change, headers }) => {
      const accepted = new TextDecoder().decode(request.body!);
      return { ...request, body: change(accepted), headers };
    });
}

type BodyChange = (accepted: string) => Uint8Array<ArrayBuffer>;

const bodyHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constant({ "Content-Type": "application/json" }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Record<string, string>>(
      {},
      { "Content-Type": "" },
      { "Content-Type": "text/plain" },
      { "Content-Type": "APPLICATION/JSON ; charset=utf-16" },
      { "Content-Type": "application/json, text/plain" },
      { "Content-Type": "application/vnd.api+json" },
      { "Content-Type": "application/x-www-form-urlencoded" },
      { "Content-Type": "multipart/form-data" },
      { "Content-Type": "application/json", "Content-Encoding": "gzip" },
      { "Content-Type": "application/json", "Content-Length": "1" },
      { "Content-Type": "application/json", "Content-Length": "-1" },
      { "Content-Type": "application/json", "Transfer-Encoding": "chunked" },
    ),
  },
);

const FIELD_CHANGES = ["replace", "drop", "add", "repeat"] as const;

/** Makes a field of an object wrong, absent, unknown or repeated. */
const fieldChange = fc.record({
  nth: fc.nat(10),
  value: hostileJson,
  name: fc.constantFrom(...HOSTILE_NAMES),
  change: fc.constantFrom(...FIELD_CHANGES),
}).map(({ nth, value, name, change }) => (accepted: string) => {
  const fields = Object.entries(JSON.parse(accepted) as object)
    .map(([key, held]) => [key, JSON.stringify(held)] as const);
  const place = nth % Math.max(1, fields.length);
  const own = fields[place]?.[0] ?? name;
  const changed = {
    replace: fields.map((field, at) => at === place ? [own, value] : field),
    drop: fields.filter((_, at) => at !== place),
    add: [...fields, [name, value]],
    repeat: [...fields, [own, value]],
  }[change];
  const texts = changed.map(([key, text]) => `${JSON.stringify(key)}:${text}`);
  return `{${texts.join(",")}}`;
});

/** Makes JSON invalid or different. */
const TEXT_CHANGES: readonly ((accepted: string) => string)[] = [
  () => "",
  () => " ",
  (accepted) => accepted.slice(0, -1),
  (accepted) => `${accepted}x`,
  (accepted) => `${accepted}${accepted}`,
  (accepted) => `\ufeff${accepted}`,
  (accepted) => `[${accepted}]`,
  (accepted) => JSON.stringify(accepted),
  (accepted) => accepted.replaceAll('"', "'"),
  (accepted) => `/* */${accepted}`,
  (accepted) => `${accepted}${" ".repeat(20_000)}`,
  () => `"${"a".repeat(300_000)}"`,
  () => "[".repeat(200_000),
];

/** UTF-16, an overlong encoding, gzip, and an empty body. */
const NO_TEXTS = [
  [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00],
  [0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d],
  [0x1f, 0x8b, 0x08, 0x00, 0x00],
  [0x00, 0x00, 0x00, 0x00],
];

const asUtf8 =
  (change: (accepted: string) => string): BodyChange => (accepted) =>
    new TextEncoder().encode(change(accepted));

const bodyChange: fc.Arbitrary<BodyChange> = fc.oneof(
  { weight: 6, arbitrary: fieldChange.map(asUtf8) },
  { weight: 2, arbitrary: hostileJson.map((json) => asUtf8(() => json)) },
  { weight: 1, arbitrary: fc.constantFrom(...TEXT_CHANGES).map(asUtf8) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...NO_TEXTS)
      .map((bytes) => () => new Uint8Array(bytes)),
  },
);
