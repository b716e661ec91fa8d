/** A service in this process, and clients of it, for tests of the SDK. */
import { createApp } from "../../../routes/app.ts";
import { Firn } from "../../../sdk/mod.ts";
import { SIGNING } from "../attestations.ts";
import { enrol } from "../callers.ts";
import { testDeps } from "../deps.ts";

/** An address that the service never listens at. */
export const BASE_URL = "http://localhost";

/** Opens a service that signs, and a client with a key of the Growth plan. */
export async function openFirn() {
  const deps = await testDeps({ settings: SIGNING });
  const app = createApp(deps);
  const { key } = await enrol(deps, { plan: "growth" });
  const requests: Request[] = [];
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input, init);
    requests.push(request);
    return await app.fetch(request.clone());
  };
  return {
    deps,
    /** Requests a path without the client. */
    request: (path: string) => app.request(path),
    /** The requests that were sent. */
    requests,
    key,
    fetch,
    firn: new Firn({ baseUrl: BASE_URL, apiKey: key, fetch }),
    [Symbol.dispose]: () => deps[Symbol.dispose](),
  };
}

/** What a scripted server answers: a response, or nothing at all. */
export type Scripted = () => Response | Promise<Response>;

/** A client whose requests get these answers in turn, the requests, and when they were sent. */
export function scripted(
  answers: readonly Scripted[],
  options: Partial<ConstructorParameters<typeof Firn>[0]> = {},
) {
  const requests: Request[] = [];
  const sentAt: number[] = [];
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input, init);
    sentAt.push(Date.now());
    const answer = answers[requests.push(request) - 1];
    if (answer === undefined) throw new Error("One request too many");
    const aborted = Promise.withResolvers<never>();
    request.signal.addEventListener("abort", () => {
      aborted.reject(request.signal.reason);
    });
    return await Promise.race([answer(), aborted.promise]);
  };
  const firn = new Firn({
    baseUrl: BASE_URL,
    apiKey: "firn_test_key",
    fetch,
    ...options,
  });
  return { firn, requests, sentAt };
}
