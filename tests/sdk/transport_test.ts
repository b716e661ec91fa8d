/** How the SDK sends requests: retries, limits, timeouts, aborts, keys. */
import { assert, assertEquals } from "@std/assert";
import { FakeTime } from "@std/testing/time";
import { Firn } from "../../sdk/mod.ts";
import { scripted } from "../support/sdk/service.ts";
import {
  answer,
  failureOf,
  offline,
  refuse,
  settle,
} from "../support/sdk/outcomes.ts";

const ADDRESS = `0x${"ab".repeat(20)}`;

/** Returns the milliseconds between the first and the second request. */
function waitedMs([first, second]: readonly number[]): number {
  return second! - first!;
}

Deno.test("a burst waits for Retry-After, and is then answered", async () => {
  using time = new FakeTime();
  const burst = refuse(429, {
    code: "RATE_LIMITED",
    headers: { "Retry-After": "7" },
  });
  const { firn, sentAt } = scripted([burst, answer]);
  const call = firn.score(ADDRESS);
  await settle(time, call);
  assertEquals((await call).meta.attempts, 2);
  const waited = waitedMs(sentAt);
  assert(waited >= 7_000 && waited < 8_000, `${waited} ms`);
});

Deno.test("a Retry-After may be an HTTP date", async () => {
  using time = new FakeTime("2026-11-21T08:00:00Z");
  const busy = refuse(503, {
    headers: { "Retry-After": "Sat, 21 Nov 2026 08:00:20 GMT" },
  });
  const { firn, sentAt } = scripted([busy, answer]);
  await settle(time, firn.chains());
  const waited = waitedMs(sentAt);
  assert(waited >= 19_000 && waited < 21_000, `${waited} ms`);
});

Deno.test("without a Retry-After the wait doubles, from 125 to 250 ms", async () => {
  using time = new FakeTime();
  const { firn, sentAt } = scripted([offline, offline, offline, answer], {
    retries: 3,
  });
  await settle(time, firn.chains());
  const waits = sentAt.slice(1).map((at, nth) => at - sentAt[nth]!);
  for (const [nth, waited] of waits.entries()) {
    const most = 250 * 2 ** nth;
    assert(waited >= most / 2 && waited <= most + 100, `${waits} ms`);
  }
});

Deno.test("clients wait for different times: up to 100 ms more, and up to half of the backoff less", async () => {
  const random = Math.random;
  try {
    for (
      const [drawn, asked, backoff] of [[0, 7_000, 150], [0.8, 7_100, 350]]
    ) {
      Math.random = () => drawn!;
      // Times are rounded up to the 50 ms by which `settle` advances.
      using time = new FakeTime();
      const busy = refuse(503, { headers: { "Retry-After": "7" } });
      const waits: number[] = [];
      for (const failure of [busy, offline]) {
        const { firn, sentAt } = scripted([failure, answer]);
        await settle(time, firn.chains());
        waits.push(waitedMs(sentAt));
      }
      assertEquals(waits, [asked, backoff]);
    }
  } finally {
    Math.random = random;
  }
});

Deno.test("a spent quota fails at once and says when it ends", async () => {
  const spent = refuse(429, {
    code: "QUOTA_EXCEEDED",
    headers: {
      "Retry-After": "30",
      "X-RateLimit-Limit": "2500",
      "X-RateLimit-Remaining": "0",
      "X-RateLimit-Reset": "2026-12-01T00:00:00.000Z",
      "RateLimit-Policy": '"period";q=2500;w=2592000, "burst";q=60;w=60',
      "RateLimit": '"period";r=0;t=30, "burst";r=59;t=60',
    },
  });
  const { firn, requests } = scripted([spent]);
  const error = await failureOf(firn.score(ADDRESS));
  assertEquals(requests.length, 1);
  assertEquals([error.code, error.status], ["QUOTA_EXCEEDED", 429]);
  assertEquals([error.isRateLimited, error.retryAfterMs], [true, 30_000]);
  assertEquals(error.rateLimit, {
    limit: 2500,
    remaining: 0,
    resetAt: "2026-12-01T00:00:00.000Z",
    windows: [
      {
        name: "period",
        limit: 2500,
        perSeconds: 2_592_000,
        remaining: 0,
        resetSeconds: 30,
      },
      {
        name: "burst",
        limit: 60,
        perSeconds: 60,
        remaining: 59,
        resetSeconds: 60,
      },
    ],
  });
});

Deno.test("a request that the key does not allow, and a used-up cap, fail at once", async () => {
  const refusals: [status: number, code: string][] = [
    [403, "SCOPE_REQUIRED"],
    [403, "NETWORK_NOT_ALLOWED"],
    [429, "KEY_CAP_EXCEEDED"],
  ];
  for (const [status, code] of refusals) {
    const headers = { "Retry-After": "1" };
    const { firn, requests } = scripted([refuse(status, { code, headers })]);
    assertEquals((await failureOf(firn.score(ADDRESS))).code, code);
    assertEquals(requests.length, 1);
  }
});

Deno.test("a burst and a spent quota without a code are told apart by what remains", async () => {
  const of = async (remaining: string) => {
    const headers = { "X-RateLimit-Remaining": remaining };
    const { firn } = scripted([refuse(429, { headers })], { retries: 0 });
    return (await failureOf(firn.score(ADDRESS))).code;
  };
  assertEquals(await of("0"), "QUOTA_EXCEEDED");
  assertEquals(await of("12"), "RATE_LIMITED");
});

Deno.test("a wait of just maxRetryWaitMs, as for a whole burst, is waited for", async () => {
  using time = new FakeTime();
  const burst = refuse(429, {
    code: "RATE_LIMITED",
    headers: { "Retry-After": "60" },
  });
  const { firn, sentAt } = scripted([burst, answer]);
  const call = firn.score(ADDRESS);
  await settle(time, call);
  assertEquals((await call).meta.attempts, 2);
  const waited = waitedMs(sentAt);
  assert(waited >= 60_000 && waited < 61_000, `${waited} ms`);
});

Deno.test("a wait beyond maxRetryWaitMs fails at once", async () => {
  const late = refuse(503, { headers: { "Retry-After": "61" } });
  const { firn, requests } = scripted([late]);
  const error = await failureOf(firn.chains());
  assertEquals([requests.length, error.retryAfterMs], [1, 61_000]);
  assertEquals(error.code, "UPSTREAM_UNAVAILABLE");
});

Deno.test("failures that may pass are sent again, up to the retries", async () => {
  const statuses = [408, 500, 502, 503, 504];
  for (const status of statuses) {
    using time = new FakeTime();
    const { firn, requests } = scripted([
      refuse(status, {}),
      offline,
      refuse(status, {}),
    ]);
    const failed = failureOf(firn.chains());
    await settle(time, failed);
    assertEquals((await failed).status, status);
    assertEquals(requests.length, 3, String(status));
  }
});

Deno.test("failures of the request itself are not sent again", async () => {
  const codes = {
    400: "BAD_REQUEST",
    401: "UNAUTHORIZED",
    402: "PLAN_REQUIRED",
    404: "NOT_FOUND",
    501: "NOT_ENABLED",
  };
  for (const [status, code] of Object.entries(codes)) {
    const { firn, requests } = scripted([refuse(Number(status), {})]);
    assertEquals((await failureOf(firn.score(ADDRESS))).code, code);
    assertEquals(requests.length, 1);
  }
});

Deno.test("options of a call replace those of the client", async () => {
  const { firn, requests } = scripted([refuse(500, {})]);
  await failureOf(firn.chains({ retries: 0 }));
  assertEquals(requests.length, 1);
});

Deno.test("an answer that is not JSON is a BAD_ANSWER", async () => {
  const { firn } = scripted([() => new Response("<html>")]);
  const error = await failureOf(firn.chains());
  assertEquals([error.code, error.status], ["BAD_ANSWER", 200]);
});

Deno.test("an error without a JSON body has a code by its status", async () => {
  const { firn } = scripted([() => new Response("<html>", { status: 418 })]);
  const error = await failureOf(firn.chains());
  assertEquals([error.code, error.message], ["INTERNAL", "Status is 418"]);
  assertEquals(error.body, undefined);
});

Deno.test("chain data never receives the key, and a keyed request follows no redirect", async () => {
  const { firn, requests } = scripted([answer, answer, answer]);
  await firn.chains();
  await firn.usage();
  await firn.batch([ADDRESS]).catch(() => {});
  assertEquals(
    requests.map((
      { headers, redirect },
    ) => [headers.get("X-Api-Key"), redirect]),
    [
      [null, "follow"],
      ["firn_test_key", "manual"],
      ["firn_test_key", "manual"],
    ],
  );
});

Deno.test("a keyed call without a key fails before a request", async () => {
  const { firn, requests } = scripted([], { apiKey: undefined });
  const error = await failureOf(firn.usage());
  assertEquals([error.code, error.isUnauthorized], ["UNAUTHORIZED", true]);
  assertEquals(requests.length, 0);
});

Deno.test("a key that no header can hold fails at once, and is not named", async () => {
  for (const apiKey of ["firn_live_…", "firn_live_a\nb", " "]) {
    const firn = new Firn({ baseUrl: "https://firn.example", apiKey });
    const { code, message } = await failureOf(firn.usage());
    assertEquals([code, message], [
      "UNAUTHORIZED",
      "Cannot read /api/v1/usage: apiKey is malformed",
    ]);
  }
  const { firn, requests } = scripted([answer], { apiKey: "firn_live_a\n" });
  await firn.usage();
  assertEquals(requests.length, 1);
});

Deno.test("parameters are encoded, and undefined ones left out", async () => {
  const { firn, requests } = scripted([answer]);
  const from = "a b&c=d+é" as string;
  await firn.metrics({ from, to: undefined, chainId: 43114 });
  const { searchParams } = new URL(requests[0]!.url);
  assertEquals([...searchParams], [["from", from], ["chainId", "43114"]]);
});
