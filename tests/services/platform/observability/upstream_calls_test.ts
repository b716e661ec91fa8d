/** Calls to upstreams: how they are counted and timed. */
import { assertEquals, assertRejects } from "@std/assert";
import {
  instrumentCalls,
  SILENT,
} from "../../../../services/platform/observability/telemetry.ts";

Deno.test("a call is counted under its upstream with its time, and as failed only if it throws", async () => {
  const counted: [upstream: string, ms: number, failed: boolean][] = [];
  const instrument = instrumentCalls({
    telemetry: SILENT,
    processMetrics: {
      calls: {
        add: (upstream: string, ms: number, { failed }: { failed: boolean }) =>
          counted.push([upstream, ms, failed]),
      },
    } as unknown as Parameters<typeof instrumentCalls>[0]["processMetrics"],
  });
  const call = {
    host: "up.test",
    operation: () => {
      throw new Error("not needed without traces");
    },
  };
  const { now } = performance;
  let ms = 1_000;
  performance.now = () => ms;
  try {
    const answer = await instrument("pChain")(call, () => {
      ms += 7;
      return Promise.resolve("answer");
    });
    assertEquals(answer, "answer");
    await assertRejects(() =>
      instrument("metrics")(call, () => {
        ms += 9;
        return Promise.reject(new Error("down"));
      })
    );
  } finally {
    performance.now = now;
  }
  assertEquals(counted, [["pChain", 7, false], ["metrics", 9, true]]);
});
