/** The modules in links/ behave like the packages that they replace. */
import * as assertions from "@std/assert";
import {
  assert,
  assertEquals,
  assertExists,
  assertFalse,
  assertInstanceOf,
  AssertionError,
  assertIsError,
  assertRejects,
  assertStrictEquals,
  assertThrows,
} from "@std/assert";
import * as csv from "@std/csv";
import { parse } from "@std/csv/parse";
import { stringify } from "@std/csv/stringify";
import {
  assertSpyCalls,
  MockError,
  returnsNext,
  spy,
  stub,
} from "@std/testing/mock";
import { FakeTime, TimeError } from "@std/testing/time";

/** The stand-ins of `deno.json`: none once it uses the published packages. */
const { default: { links = [] } }: { default: { links?: string[] } } =
  await import("../deno.json", { with: { type: "json" } });

for (const link of links.filter((link) => link.endsWith("/assert"))) {
  Deno.test("the types of @std/assert declare every export", async () => {
    const declarations = await Deno.readTextFile(
      new URL(`../${link}/mod.d.ts`, import.meta.url),
    );
    const names = declarations.matchAll(/^export declare \w+ (\w+)/gm)
      .map(([, name]) => name);
    assertEquals([...new Set(names)].sort(), Object.keys(assertions).sort());
  });
}

Deno.test("assertions narrow the type of their argument", () => {
  const days: Record<string, string> = { today: "2026-11-21" };
  const today = days.today;
  assertExists(today);
  assertEquals(today.slice(0, 4), "2026");

  const value = JSON.parse("7") as unknown;
  assert(typeof value === "number");
  assertEquals(value.toFixed(1), "7.0");

  const either = Math.max(0) as 0 | 1;
  assertFalse(either);
  const zero: 0 = either;
  assertStrictEquals(value, 7 as const);
  const seven: 7 = value;
  assertEquals(zero + seven, 7);

  const thrown: unknown = new RangeError("too far");
  assertInstanceOf(thrown, Error);
  assertIsError(thrown, RangeError, /far/);
  assertEquals(thrown.message, "too far");
});

Deno.test("assertions throw AssertionError and return the caught error", async () => {
  assertThrows(() => assertEquals({ a: [1] }, { a: [2] }), AssertionError);
  const error = assertThrows(() => BigInt(0.5), RangeError, "0.5");
  assertEquals(error.name, "RangeError");
  const reason = await assertRejects(
    () => Promise.reject(new TypeError("no")),
    TypeError,
    "no",
  );
  assertEquals(reason.message, "no");
});

Deno.test("parse() is the inverse of stringify()", () => {
  const rows = [
    { name: "comma, inside", note: 'a "quoted" word' },
    { name: "two\nlines", note: "" },
  ];
  const text = stringify(rows, { columns: ["name", "note"] });
  assertEquals(
    text,
    'name,note\r\n"comma, inside","a ""quoted"" word"\r\n"two\nlines",\r\n',
  );
  assertEquals(parse(text, { skipFirstRow: true }), rows);
});

Deno.test("stringify() applies its options", () => {
  const columns = [{ prop: ["fee", 0], header: "fee" }, "day"];
  const items = [{ day: "2026-11-21", fee: [25, 1] }];
  assertEquals(
    csv.stringify(items, { columns, separator: ";", bom: true }),
    "\ufefffee;day\r\n25;2026-11-21\r\n",
  );
  assertEquals(
    csv.stringify(items, { columns, headers: false }),
    "25,2026-11-21\r\n",
  );
});

Deno.test("parse() types records by the given columns", () => {
  const [record] = csv.parse("1,2\n", { columns: ["a", "b"] });
  assertExists(record);
  const { a, b }: Record<"a" | "b", string> = record;
  assertEquals([a, b], ["1", "2"]);
});

Deno.test("FakeTime is stopped until tick() advances it", () => {
  using time = new FakeTime("2026-11-21T00:00:00Z");
  const onSecond = spy();
  const interval = setInterval(onSecond, 1000);
  time.tick(999);
  assertSpyCalls(onSecond, 0);
  time.tick(2001);
  assertSpyCalls(onSecond, 3);
  clearInterval(interval);
  time.tick(5000);
  assertSpyCalls(onSecond, 3);
  assertEquals(new Date().toISOString(), "2026-11-21T00:00:08.000Z");
  assertEquals(Date.now() - time.start, 8000);
});

Deno.test("FakeTime.tickAsync() runs microtasks before it advances time", async () => {
  using time = new FakeTime(0);
  const late = Promise.resolve().then(() =>
    new Promise<number>((resolve) => setTimeout(() => resolve(Date.now()), 50))
  );
  await time.tickAsync(50);
  assertEquals(await late, 50);
});

Deno.test("FakeTime.next() runs all timers of the next instant", async () => {
  using time = new FakeTime(0);
  const ran = spy();
  for (const delayMs of [10, 10, 30]) setTimeout(ran, delayMs);
  assert(time.next());
  assertEquals([time.now, ran.calls.length], [10, 2]);
  await time.runAllAsync();
  assertEquals([time.now, ran.calls.length], [30, 3]);
  assertFalse(time.next());
});

Deno.test("FakeTime advances by itself at the given rate", async () => {
  using time = new FakeTime(0, { advanceRate: 1000, advanceFrequency: 1 });
  await time.delay(20);
  assert(time.now >= 1000);
});

Deno.test("FakeTime.restoreFor() restores real time during a callback", async () => {
  const { setTimeout } = globalThis;
  using _time = new FakeTime(0);
  const realNow = FakeTime.restoreFor(() => Date.now());
  assertEquals(Date.now(), 0);
  assert(await realNow > 0);
  await FakeTime.restoreFor(async () => {
    await Promise.resolve();
    assertStrictEquals(globalThis.setTimeout, setTimeout);
  });
  assert(globalThis.setTimeout !== setTimeout);
});

Deno.test("FakeTime refuses a second instance, an invalid start and the past", () => {
  assertThrows(() => new FakeTime("soon"), TypeError, "invalid start");
  using time = new FakeTime(100);
  assertThrows(() => new FakeTime(), TimeError, "already faked");
  assertThrows(() => time.tick(-1), RangeError, "past");
});

Deno.test("FakeTime.restore() restores real time", () => {
  const { Date, setTimeout, clearInterval } = globalThis;
  new FakeTime(0).restore();
  assertStrictEquals(globalThis.Date, Date);
  assertStrictEquals(globalThis.setTimeout, setTimeout);
  assertStrictEquals(globalThis.clearInterval, clearInterval);
  assertThrows(() => FakeTime.restore(), TimeError, "already restored");
});

Deno.test("stub() replaces a method until it is restored", async () => {
  const { fetch } = globalThis;
  {
    using fetched = stub(
      globalThis,
      "fetch",
      returnsNext([Promise.resolve(new Response("ok")), new TypeError("down")]),
    );
    const response = await globalThis.fetch("http://firn.test/");
    assertEquals(await response.text(), "ok");
    assertThrows(() => globalThis.fetch("http://firn.test/"), TypeError);
    assertThrows(() => globalThis.fetch("http://firn.test/"), MockError);
    assertSpyCalls(fetched, 3);
    assertEquals(fetched.calls[0]?.args, ["http://firn.test/"]);
    assertEquals(fetched.calls[1]?.error?.message, "down");
  }
  assertStrictEquals(globalThis.fetch, fetch);
});

Deno.test("spy() records arguments, result and self of a method", () => {
  const counter = { step: 2, add: (n: number) => n + 2 };
  const added = spy(counter, "add");
  assertEquals(counter.add(1), 3);
  assertThrows(() => spy(counter, "add"), MockError, "already spying");
  added.restore();
  assertFalse("calls" in counter.add);
  assertEquals(added.calls, [{ args: [1], returned: 3, self: counter }]);
  assertThrows(() => added.restore(), MockError, "already restored");
});

Deno.test("assertSpyCalls() checks the number of calls", () => {
  const called = spy((n: number) => -n);
  assertEquals([1, 2].map((n) => called(n)), [-1, -2]);
  assertThrows(
    () => assertSpyCalls(called, 3),
    AssertionError,
    "not called as much as expected",
  );
});
