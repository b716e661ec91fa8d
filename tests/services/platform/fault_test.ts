/** Faults and their words: upstreams, the store, shared calls, and what a log shows of an error. */
import { assert, assertEquals } from "@std/assert";
import {
  causesOf,
  messageOf,
  stackOf,
  typeOf,
} from "../../../services/platform/error_text.ts";
import {
  brokenRule,
  callsUsedUp,
  contended,
  describeUsedUp,
  Fault,
  invalidParameter,
  refusedClient,
  upstreamDown,
} from "../../../services/platform/fault.ts";
import {
  describe,
  OTHER_SHAPE,
  Refused,
  refusedByStatus,
  refusedInWords,
} from "../../../services/platform/http/error_response.ts";
import {
  isLocked,
  withRefusalAsFault,
} from "../../../services/platform/kv/sqlite_errors.ts";

const named = (name: string, message = "words") =>
  Object.assign(new Error(message), { name });

Deno.test("faults have a message, a kind and a default Retry-After", () => {
  const cases: [fault: Fault, message: string, failure: object][] = [
    [
      invalidParameter("days", "91", "1 to 90"),
      'Invalid days "91": expected 1 to 90',
      { kind: "badInput", parameter: "days" },
    ],
    [
      brokenRule("slug", "a", "three letters"),
      'Invalid slug "a": expected three letters',
      { kind: "badInput", parameter: "slug" },
    ],
    [
      upstreamDown("the index", "no connection"),
      "Cannot read the index: no connection",
      { kind: "upstreamDown", upstream: "the index", retryAfterMs: 30_000 },
    ],
    [
      upstreamDown("the index", "busy", { retryAfterMs: 7 }),
      "Cannot read the index: busy",
      { kind: "upstreamDown", upstream: "the index", retryAfterMs: 7 },
    ],
    [contended("Cannot count"), "Cannot count", {
      kind: "contended",
      retryAfterMs: 1_000,
    }],
  ];
  for (const [fault, message, failure] of cases) {
    assertEquals([fault.message, fault.failure as object], [message, failure]);
    assertEquals(fault.name, "Fault");
  }
  const cause = new Error("cause");
  assertEquals(upstreamDown("a", "b", { cause }).cause, cause);
  assertEquals(contended("a", { cause }).cause, cause);
});

Deno.test("callsUsedUp() and refusedClient() name whose calls are used up", () => {
  const used = (usedBy: "wallet" | "network" | "everyone") =>
    callsUsedUp({
      upstream: "the index",
      requester: "0xa",
      usedBy,
      retryAfterMs: 9_001,
    });
  assertEquals(
    used("wallet").message,
    "Cannot read the index now: the share of this wallet of the calls to the index is used up; try again in 10 seconds",
  );
  assertEquals(
    describeUsedUp("the index", "everyone"),
    "the calls to the index that all callers share are used up",
  );
  const down = (cause: unknown) =>
    new Fault("down", {
      kind: "scoringDown",
      upstream: "the index",
      retryAfterMs: 1,
    }, { cause });
  const fair = new Fault(
    "fair",
    {
      kind: "fairUse",
      network: "192.0.2.0/24",
      retryAfterMs: 1,
    } as Fault["failure"],
  );
  const cases: [error: unknown, client: string | undefined][] = [
    [used("wallet"), "0xa"],
    [fair, "192.0.2.0/24"],
    [down(used("network")), "0xa"],
    [down(down(fair)), "192.0.2.0/24"],
    [down(new Error("other")), undefined],
    [contended("other"), undefined],
    [new Error("other"), undefined],
    [null, undefined],
  ];
  for (const [error, client] of cases) {
    assertEquals(refusedClient(error), client);
  }
});

Deno.test("causesOf() lists up to five causes, nearest first", () => {
  const chain = (length: number): Error =>
    new TypeError(
      `error ${length}`,
      length === 0 ? {} : {
        cause: chain(length - 1),
      },
    );
  assertEquals(causesOf(chain(0)), []);
  assertEquals(causesOf(chain(2)), [
    "TypeError: error 1",
    "TypeError: error 0",
  ]);
  assertEquals(causesOf(chain(9)).length, 5);
  assertEquals(causesOf(new Error("a", { cause: "text" })), ["string: text"]);
  assertEquals([causesOf("text"), causesOf(undefined)], [[], []]);
  class Other extends Error {}
  const types = [new Other(), named("TimeoutError"), "text", 7, null].map(
    typeOf,
  );
  assertEquals(types, ["Other", "TimeoutError", "string", "number", "object"]);
  assertEquals([messageOf(new Error("a")), messageOf(7)], ["a", "7"]);
  assert(stackOf(new Error("a")).includes("fault_test.ts"));
  const bare = Object.assign(new Error("a"), { stack: undefined });
  assertEquals([stackOf("text"), stackOf(bare)], ["", ""]);
});

Deno.test("refusedByStatus() and refusedInWords() start a cooldown if the upstream asks for one", () => {
  const byStatus = (status: number, headers: HeadersInit = {}) => {
    const { message, quietMs } = refusedByStatus(
      new Response(null, { status, headers }),
      0,
    );
    return [message, quietMs];
  };
  assertEquals(byStatus(500), ["status is 500", null]);
  assertEquals(byStatus(429), ["status is 429", 30_000]);
  assertEquals(byStatus(503, { "Retry-After": "7" }), ["status is 503", 7_000]);
  assertEquals(byStatus(429, { "Retry-After": "7" }), ["status is 429", 7_000]);
  const cases: [words: string, message: string, quietMs: number | null][] = [
    ["Max rate limit reached.", "Max rate limit reached", 30_000],
    ["Too many requests!", "Too many requests", 30_000],
    ["quota limit exceeded", "quota limit exceeded", 30_000],
    ["No\n\u0007transactions found. ! ", "No transactions found", null],
    ["", "no reason given", null],
    ["x".repeat(101), "x".repeat(100), null],
    ["\u00fc ok", "ok", null],
  ];
  for (const [words, message, quietMs] of cases) {
    const refused = refusedInWords(words);
    assertEquals([refused.message, refused.quietMs], [message, quietMs]);
  }
});

Deno.test("describe() gives a reason that reveals nothing of this machine", () => {
  const cases: [cause: unknown, reason: string][] = [
    [new Refused("status is 500"), "status is 500"],
    [new SyntaxError("at 7"), "answer is not JSON"],
    [named("AbortError"), "answer took too long"],
    [named("TimeoutError"), "answer took too long"],
    [new TypeError("127.0.0.1"), "no connection"],
    [named("ZodError"), OTHER_SHAPE],
    [named("$ZodError"), OTHER_SHAPE],
    [new Error("words"), "words"],
    ["text", "unknown failure"],
  ];
  for (const [cause, reason] of cases) assertEquals(describe(cause), reason);
});

Deno.test("a database that refuses writes is a fault with a Retry-After of a minute", () => {
  const cases: [message: string, words: string][] = [
    ["database or disk is full", "it is full"],
    ["Writes are disabled for this database", "it accepts no writes"],
  ];
  for (const [message, words] of cases) {
    const cause = new Error(message);
    const fault = withRefusalAsFault(cause) as Fault;
    assertEquals(fault.message, `Cannot write to the store: ${words}`);
    assertEquals(fault.failure, { kind: "storeFull", retryAfterMs: 60_000 });
    assertEquals(fault.cause, cause);
  }
  for (const other of [new Error("other"), "text", null]) {
    assertEquals(withRefusalAsFault(other), other);
  }
  const locked = [
    new Error("database is locked"),
    new Error("x"),
    "database is locked",
  ];
  assertEquals(locked.map(isLocked), [true, false, false]);
});
