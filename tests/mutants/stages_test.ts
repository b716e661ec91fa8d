import { assertEquals } from "@std/assert";
import { digestOf, readLcov, type TestCoverage } from "./coverage_map.ts";
import { stagesOf } from "./stages.ts";

const PATH = "services/payments/billing.ts";

function coverageOf(
  test: string,
  lines: [number, number][],
  { source = "now", milliseconds = 1_000, passed = true } = {},
): TestCoverage {
  const executed = { [PATH]: { source, lines } };
  return { test, passed, milliseconds, executed };
}

const placeAt = (line: number) => ({ path: PATH, source: "now", line });

Deno.test("readLcov() gives the executed lines of each source, and lines without code to the line before", () => {
  const report = [
    "SF:/a.ts\nFNDA:0,f\nDA:1,2\nDA:2,1\nDA:4,0\nDA:6,3\nend_of_record",
    "SF:/b.ts\nDA:3,0\nend_of_record\n",
  ].join("\n");
  assertEquals(
    readLcov(report),
    new Map([
      ["/a.ts", [[1, 3], [6, Number.MAX_SAFE_INTEGER]] as const],
      ["/b.ts", []],
    ]),
  );
});

Deno.test("stagesOf() tries a mutant against the tests that execute its line, the nearest and then the broadest first", () => {
  const coverage = [
    coverageOf("routes/narrow_test.ts", [[1, 2]]),
    coverageOf("routes/broad_test.ts", [[1, 90]]),
    coverageOf("services/payments/ledger_test.ts", [[2, 2]]),
    coverageOf("services/payments/billing_test.ts", [[2, 4]]),
    coverageOf("services/payments/billing_other_line_test.ts", [[3, 4]]),
    coverageOf("services/payments/billing_failed_test.ts", [[2, 2]], {
      passed: false,
    }),
  ];
  assertEquals(stagesOf(placeAt(2), coverage), [
    ["services/payments/billing_test.ts"],
    ["services/payments/ledger_test.ts"],
    ["routes/broad_test.ts", "routes/narrow_test.ts"],
  ]);
  assertEquals(stagesOf(placeAt(300), coverage), [], "executed by none");
});

Deno.test("stagesOf() counts every line of a source that changed since it was measured", () => {
  const stale = coverageOf("jobs/a_test.ts", [[1, 2]], { source: "before" });
  assertEquals(stagesOf(placeAt(50), [stale]), [["jobs/a_test.ts"]]);
});

Deno.test("stagesOf() runs slow tests apart, and with isNear for a minute only", () => {
  const coverage = [
    coverageOf("jobs/a_test.ts", [[1, 9]], { milliseconds: 15_000 }),
    coverageOf("jobs/b_test.ts", [[1, 8]], { milliseconds: 15_000 }),
    coverageOf("jobs/c_test.ts", [[1, 7]], { milliseconds: 50_000 }),
  ];
  const stages = [["jobs/a_test.ts"], ["jobs/b_test.ts"], ["jobs/c_test.ts"]];
  assertEquals(stagesOf(placeAt(1), coverage), stages);
  assertEquals(stagesOf(placeAt(1), coverage, true), stages.slice(0, 2));
});

Deno.test("digestOf() differs for each text", async () => {
  assertEquals(await digestOf("a"), await digestOf("a"));
  assertEquals((await digestOf("a")).length, 16);
  assertEquals(await digestOf("a") === await digestOf("b"), false);
});
