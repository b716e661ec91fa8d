/** The client with what React Native 0.76 has: no more of URL, of signals and of fetch. */
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { Firn } from "../../sdk/mod.ts";
import { failureOf } from "../support/sdk/outcomes.ts";

const BASE_URL = "http://firn.example:80";
const ADDRESS = `0x${"ab".repeat(20)}`;

/** The properties that React Native 0.76 lacks, or that throw there. */
const LACKING: readonly [owner: object, names: readonly PropertyKey[]][] = [
  [URLSearchParams.prototype, [
    ...["set", "get", "getAll", "has", "delete", "sort", "keys", "values"],
  ]],
  [URL.prototype, [
    ...["origin", "protocol", "host", "hostname", "port", "pathname"],
    ...["search", "hash", "username", "password"],
  ]],
  [URL, ["canParse", "parse"]],
  [AbortSignal.prototype, ["throwIfAborted", "reason"]],
  [AbortSignal, ["timeout", "any", "abort"]],
  [Request.prototype, ["redirect"]],
  [Response.prototype, ["body", "bytes"]],
  [Response, ["json"]],
  [globalThis, ["structuredClone", "ReadableStream"]],
];

/** Hides what React Native lacks until it is disposed. */
function reactNative(): Disposable {
  const hidden = LACKING.flatMap(([owner, names]) =>
    names.map((name) => {
      const property = Object.getOwnPropertyDescriptor(owner, name)!;
      delete (owner as Record<PropertyKey, unknown>)[name];
      return () => Object.defineProperty(owner, name, property);
    })
  );
  return { [Symbol.dispose]: () => hidden.forEach((restore) => restore()) };
}

/** A fetch that follows every redirect with all headers, and the requests it got. */
function following(
  answeringUrl: (url: string) => string,
  body: object = { series: [], results: [], count: 0, history: [] },
) {
  const requests: [method: string, url: string, key: string | undefined][] = [];
  const fetch = (input: unknown, init: RequestInit = {}) => {
    const { method = "GET", headers } = init;
    const key = (headers as Record<string, string>)?.["X-Api-Key"];
    requests.push([method, input as string, key]);
    const text = () => Promise.resolve(JSON.stringify(body));
    const url = answeringUrl(String(input));
    const response = { ok: true, status: 200, headers: new Headers(), url };
    return Promise.resolve({ ...response, text } as Response);
  };
  return { requests, fetch };
}

Deno.test("both surfaces work with what React Native has", async () => {
  using _ = reactNative();
  // The system's HTTP client leaves a default port out.
  const { requests, fetch } = following((url) => url.replace(":80/", "/"));
  const firn = new Firn({ baseUrl: BASE_URL, apiKey: "firn_key", fetch });
  await firn.metrics({ metric: "avgTps", range: "30d" });
  await firn.batch([ADDRESS]);
  await firn.history(ADDRESS, { days: 7 });
  const host = "http://firn.example";
  assertEquals(requests, [
    [
      "GET",
      `${host}/api/chain-data/metrics?metric=avgTps&range=30d`,
      undefined,
    ],
    // It shows once, without the key, that the service does not redirect.
    ["HEAD", `${host}/api/v1`, undefined],
    ["POST", `${host}/api/v1/score/batch`, "firn_key"],
    ["GET", `${host}/api/v1/score/${ADDRESS}/history?days=7`, "firn_key"],
  ]);
});

Deno.test("a service that redirects never gets the key where fetch follows every redirect", async () => {
  using _ = reactNative();
  const { requests, fetch } = following(() => "https://other.example/api/v1");
  const firn = new Firn({ baseUrl: BASE_URL, apiKey: "firn_key", fetch });
  for (const call of [firn.usage(), firn.score(ADDRESS)]) {
    const { code, message } = await failureOf(call);
    assertEquals(code, "BAD_ANSWER");
    assertMatch(message, /redirects to https:\/\/other\.example, and a key/);
  }
  assertEquals(requests.map(([, , key]) => key), [undefined, undefined]);
});

Deno.test("an abort needs neither throwIfAborted nor reason", async () => {
  using _ = reactNative();
  const fetch = (_: unknown, init?: RequestInit) =>
    new Promise<Response>((_, reject) =>
      init!.signal!.addEventListener("abort", () => reject(new Error("ended")))
    );
  const firn = new Firn({ baseUrl: BASE_URL, fetch });
  const controller = new AbortController();
  const { signal } = controller;
  const running = firn.chains({ signal });
  const failed = assertRejects(() => running, Error, "The call was aborted");
  controller.abort();
  assertEquals((await failed).name, "AbortError");
  await assertRejects(
    () => firn.chains({ signal }),
    Error,
    "The call was aborted",
  );
});
