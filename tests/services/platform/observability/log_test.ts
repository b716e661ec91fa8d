/** The log: lines of JSON, bounded in number and length, and no secret in any field. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  EVENT_NAMES,
  EVENTS,
} from "../../../../services/platform/observability/log_events_schema.ts";
import { openProcessMetrics } from "../../../../services/platform/observability/process_metrics.ts";
import {
  causesOf,
  createLog,
  messageOf,
  stackOf,
  typeOf,
} from "../../../../services/platform/observability/log.ts";
import { redactor } from "../../../../services/platform/observability/redact.ts";
import { SILENT } from "../../../../services/platform/observability/telemetry.ts";
import { anySecret } from "../../../support/secrets.ts";
import { fc } from "../../../support/properties.ts";

/** Makes a log with a settable clock that collects its lines. */
function newLog(traceId?: string) {
  const clock = { ms: Date.parse("2026-11-21T08:00:00Z") };
  const now = () => new Date(clock.ms);
  const lines: string[] = [];
  const log = createLog({
    now,
    write: (line) => lines.push(line),
    redact: redactor(),
    telemetry: { traceId: () => traceId },
    processMetrics: openProcessMetrics({ now }, SILENT),
  });
  return {
    log,
    lines,
    clock,
    read: () => lines.map((line) => JSON.parse(line)),
  };
}

Deno.test("log() writes every event as one line with its time and level", () => {
  const { log, lines, read } = newLog();
  for (const event of EVENT_NAMES) log(event, { job: "x", items: 3 });
  assertEquals(
    read(),
    EVENT_NAMES.map((event) => ({
      time: "2026-11-21T08:00:00.000Z",
      level: EVENTS[event].level,
      event,
      job: "x",
      items: 3,
    })),
  );
  for (const line of lines) assert(!line.includes("\n"));
});

Deno.test("log() writes an error with its stack, causes and trace id", () => {
  const { log, read } = newLog("0af7651916cd43dd8448eb211c80319c");
  const cause = new TypeError("no connection", { cause: "port 1" });
  log("job.failed", { error: new Error("Cannot read up.test", { cause }) });
  const [{ stack, ...record }] = read();
  assertEquals(record, {
    time: "2026-11-21T08:00:00.000Z",
    level: "error",
    event: "job.failed",
    error: "Cannot read up.test",
    causes: ["TypeError: no connection", "string: port 1"],
    traceId: "0af7651916cd43dd8448eb211c80319c",
  });
  assertMatch(stack, /^Error: Cannot read up\.test\n +at .*log_test\.ts/);
});

Deno.test("log() escapes line breaks and control characters in any text", () => {
  const part = fc.oneof(
    fc.constantFrom("\n", "\r", "\x1b[2J", "\x9b", "\x7f", "\u2028", '"', "\\"),
    fc.string({ unit: "binary", maxLength: 4 }),
  );
  const told = fc.array(part, { maxLength: 10 }).map((parts) => parts.join(""));
  const { log, lines, clock } = newLog();
  fc.assert(fc.property(told, (text) => {
    clock.ms += 1_001;
    log("job.ended", { outcome: text, amount: 10n });
    const line = lines.at(-1)!;
    assertEquals(line.match(/\p{Cc}|\u2028|\u2029/u), null);
    assertEquals(JSON.parse(line).event, "job.ended");
  }));
});

Deno.test("log() redacts secrets in every field, error and cause, at any depth", () => {
  const { log, lines, clock } = newLog();
  const fields = fc.constantFrom<(text: string) => Record<string, unknown>>(
    (text) => ({ requestId: text }),
    (text) => ({ route: text, method: text }),
    (text) => ({ job: text, outcome: `${text} items` }),
    (text) => ({ txHash: `${text}.` }),
    (text) => ({ wallet: [text, { deep: text }] }),
    (text) => ({ error: new Error(text) }),
    (text) => ({ error: text }),
    (text) => ({ error: new Error("Cannot", { cause: new Error(text) }) }),
    (text) => ({ error: new Error(`${"long ".repeat(790)}${text}`) }),
    (text) => ({ outcome: `${"x ".repeat(1_990)}${text}` }),
  );
  fc.assert(
    fc.property(anySecret, fields, ({ secret, text }, make) => {
      clock.ms += 1_001;
      log("request.failed", make(text));
      const line = lines.at(-1)!.toLowerCase();
      assert(!line.includes(secret.toLowerCase()), line);
      // A long part of a secret could be completed by guessing.
      if (secret.length < 30) return;
      assert(!line.includes(secret.slice(0, 30).toLowerCase()), line);
    }),
    { numRuns: 1_000 },
  );
});

Deno.test("log() writes at most 60 lines of an event a minute, and counts the omitted ones", () => {
  const { log, read, clock } = newLog();
  for (let nth = 0; nth < 100; nth++) log("request.unavailable", { nth });
  log("job.ended");
  clock.ms += 60_000;
  log("request.unavailable", { nth: 100 });
  log("request.unavailable", { nth: 101 });
  const lines = read().filter(({ event }) => event === "request.unavailable");
  assertEquals(lines.length, 62);
  assertEquals(
    lines.slice(59).map(({ nth, omitted }) => [nth, omitted]),
    [[59, undefined], [100, 40], [101, undefined]],
  );
  assertEquals(read().length, 63, "each event has its own limit");
});

// The text of errors in logs.

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
  const types = [
    new Other(),
    Object.assign(new Error("late"), { name: "TimeoutError" }),
    "text",
    7,
    null,
  ].map(
    typeOf,
  );
  assertEquals(types, ["Other", "TimeoutError", "string", "number", "object"]);
  assertEquals([messageOf(new Error("a")), messageOf(7)], ["a", "7"]);
  assert(stackOf(new Error("a")).includes("log_test.ts"));
  const bare = Object.assign(new Error("a"), { stack: undefined });
  assertEquals([stackOf("text"), stackOf(bare)], ["", ""]);
});
