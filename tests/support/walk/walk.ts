/** Requests of the operations that `/openapi.json` documents, with their recorded answers. */
import { createApp } from "../../../routes/app.ts";
import { appOf } from "../app.ts";
import type { Deps } from "../../../services/deps.ts";
import type { Answer } from "../callers.ts";
import { connectionFrom } from "../clients.ts";
import type { CallOptions } from "../owners.ts";

/** An answer of the service, and its request. */
export interface Visit {
  readonly operationId: string;
  readonly status: number;
  readonly request: { readonly path: string; readonly body?: unknown };
  /** Parsed JSON, other text as it is, or null for an empty body. */
  readonly answer: unknown;
}

/** An owner, as far as the requests need one. */
interface Calling {
  readonly call: (
    method: string,
    path: string,
    options?: CallOptions,
  ) => Promise<Answer>;
}

/** Records the answers of its requests, in order. */
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

    /** Requests a path of any surface. */
    async ask(
      deps: Deps,
      operationId: string,
      path: string,
      init: RequestInit = {},
    ): Promise<Response> {
      const response = await appOf(deps).request(path, init);
      return keepResponse(operationId, path, { init, response });
    },

    /** Requests a path as a client that has no request left. */
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

    /** Requests an account endpoint as its owner. */
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

/** The recorded requests. */
export type Walk = ReturnType<typeof newWalk>;

/** A body that is not JSON was sent to be refused. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
