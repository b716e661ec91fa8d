/** A walk over everything that `/openapi.json` documents: each answer is kept. */
import { createApp } from "../../../routes/app.ts";
import type { Deps } from "../../../services/deps.ts";
import type { Answer } from "../callers.ts";
import { connectionFrom } from "../clients.ts";
import type { CallOptions } from "../owners.ts";

/** An answer that the service gave, and what it was asked. */
export interface Visit {
  readonly operationId: string;
  readonly status: number;
  readonly request: { readonly path: string; readonly body?: unknown };
  /** JSON read, other text as it is, null where there is none. */
  readonly answer: unknown;
}

/** An owner, as far as visits need one. */
interface Calling {
  readonly call: (
    method: string,
    path: string,
    options?: CallOptions,
  ) => Promise<Answer>;
}

/** Keeps the answers of the calls that are made through it, in their order. */
export function newWalk() {
  const visits: Visit[] = [];

  function keep(
    operationId: string,
    request: Visit["request"],
    { status, answer }: { status: number; answer: unknown },
  ): void {
    visits.push({ operationId, status, request, answer });
  }

  async function keepResponse(
    operationId: string,
    path: string,
    { init, response }: { init: RequestInit; response: Response },
  ): Promise<Response> {
    const text = await response.clone().text();
    const isJson = response.headers.get("Content-Type")
      ?.startsWith("application/json");
    const answer = text === "" ? null : isJson ? JSON.parse(text) : text;
    const { body } = init;
    keep(operationId, {
      path,
      ...(typeof body === "string" ? { body: readJson(body) } : {}),
    }, { status: response.status, answer });
    return response;
  }

  return {
    visits,

    /** Asks a path of any surface. */
    async ask(
      deps: Deps,
      operationId: string,
      path: string,
      init: RequestInit = {},
    ): Promise<Response> {
      const response = await createApp(deps).request(path, init);
      return keepResponse(operationId, path, { init, response });
    },

    /** Asks a path as a client whose one request has been made. */
    async askOnceTooOften(
      deps: Deps,
      operationId: string,
      [method, path]: readonly [method: string, path: string],
    ): Promise<void> {
      const app = createApp(deps);
      const init = { method };
      const env = connectionFrom("192.0.2.1");
      await app.request(path, init, env);
      const response = await app.request(path, init, env);
      await keepResponse(operationId, path, { init, response });
    },

    /** Asks an account's endpoint as its owner. */
    async call(
      owner: Calling,
      operationId: string,
      [method, path]: readonly [method: string, path: string],
      options: CallOptions = {},
    ): Promise<Answer> {
      const answered = await owner.call(method, path, options);
      const { body } = options;
      keep(operationId, {
        path: `/api/account${path}`,
        ...(body === undefined ? {} : { body }),
      }, { status: answered.status, answer: answered.body });
      return answered;
    },
  };
}

/** A walk. */
export type Walk = ReturnType<typeof newWalk>;

/** What is no JSON was sent to see that it is refused. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
