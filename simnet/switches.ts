/** Fault switches: make an upstream fail in a chosen way. */
import { z } from "zod";

/** The ways in which an upstream can behave. */
type Mode =
  | "ok"
  | "refuse"
  | "slow"
  | "status"
  | "html"
  | "garbage"
  | "shape"
  | "cut";

/** How an upstream behaves. */
interface Behaviour {
  /** What happens to a request. */
  readonly mode: Mode;
  /** Requests that are answered normally first. */
  readonly after: number;
  /** Delay of `slow`. */
  readonly delayMs: number;
  /** Status code of `status`. */
  readonly status: number;
  /** Additional headers of `status`. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A change of behaviour: the mode is required, the rest has defaults. */
export type BehaviourChange = Pick<Behaviour, "mode"> & Partial<Behaviour>;

/** Answers a request, or rejects like `fetch` without a connection. */
export type Handler = (request: Request) => Promise<Response>;

/** The switch of one upstream. */
export interface UpstreamSwitch {
  /** Returns the current behaviour. */
  get(): Behaviour;
  /** Changes the behaviour. `after` counts from now. */
  set(change: BehaviourChange): void;
  /** Answers a request according to the behaviour. A signal ends a delay. */
  apply(
    request: Request,
    answer: Handler,
    signal?: AbortSignal,
  ): Promise<Response>;
}

/** The path of the switch on every upstream: GET shows it, PUT changes it. */
export const SWITCH_PATH = "/-/switch";

const HTML_PAGE = `<!DOCTYPE html>
<html><head><title>Just a moment...</title></head>
<body><h1>Checking your browser</h1><p>Ray ID: 8f2c41d09b7ae3c5</p></body></html>
`;

interface Exchange {
  readonly request: Request;
  readonly answer: () => Promise<Response>;
  readonly signal: AbortSignal | undefined;
}

type Responder = (
  exchange: Exchange,
  behaviour: Behaviour,
) => Promise<Response> | Response;

const BEHAVIOURS: Readonly<Record<Mode, Responder>> = {
  ok: ({ answer }) => answer(),
  refuse: () => Promise.reject(new TypeError("Connection refused")),
  slow: async ({ answer, signal }, { delayMs }) => {
    await delay(delayMs, signal);
    return answer();
  },
  status: (_, { status, headers }) => fail(status, headers),
  html: () => new Response(HTML_PAGE, { headers: contentType("text/html") }),
  garbage: () =>
    new Response('{"results":[{"value":', {
      headers: contentType("application/json"),
    }),
  shape: () => Response.json({ unexpected: ["shape"] }),
  cut: ({ request, answer }) =>
    new URL(request.url).searchParams.has("pageToken")
      ? fail(500, {})
      : answer(),
};

const behaviourChange = z.strictObject({
  mode: z.enum(Object.keys(BEHAVIOURS) as Mode[]),
  after: z.int().min(0).default(0),
  delayMs: z.int().min(0).default(2_000),
  status: z.int().min(400).max(599).default(503),
  headers: z.record(z.string(), z.string()).default({}),
});

/** Creates a switch in mode `ok`. */
export function upstreamSwitch(): UpstreamSwitch {
  let behaviour: Behaviour = behaviourChange.parse({ mode: "ok" });
  let answered = 0;
  return {
    get: () => behaviour,
    set(change) {
      behaviour = behaviourChange.parse(change);
      answered = 0;
    },
    async apply(request, answer, signal) {
      const mode = answered++ < behaviour.after ? "ok" : behaviour.mode;
      const exchange = { request, answer: () => answer(request), signal };
      return await BEHAVIOURS[mode](exchange, behaviour);
    },
  };
}

/** Answers a request for the switch. */
export async function answerSwitch(
  request: Request,
  { get, set }: UpstreamSwitch,
): Promise<Response> {
  if (request.method === "PUT") {
    const change = behaviourChange.safeParse(
      await request.json().catch(() => null),
    );
    if (!change.success) {
      return Response.json({ error: z.prettifyError(change.error) }, {
        status: 400,
      });
    }
    set(change.data);
  }
  return Response.json(get());
}

function fail(
  statusCode: number,
  headers: Readonly<Record<string, string>>,
): Response {
  const body = { message: "Simulated failure", error: "Failure", statusCode };
  return Response.json(body, { status: statusCode, headers });
}

function contentType(type: string): Record<string, string> {
  return { "content-type": `${type}; charset=utf-8` };
}

/** Waits, or rejects when the signal aborts. Removes its timer and listener. */
function delay(delayMs: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const giveUp = () => reject(signal?.reason);
  if (signal?.aborted) giveUp();
  const timer = setTimeout(resolve, delayMs);
  signal?.addEventListener("abort", giveUp);
  return promise.finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", giveUp);
  });
}
