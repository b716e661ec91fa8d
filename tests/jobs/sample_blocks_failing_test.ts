/** Days whose blocks the node lacks, and a node that is down. */
import { assertEquals, assertMatch } from "@std/assert";
import type { Deps } from "../../services/deps.ts";
import { formatDay } from "../../services/platform/days.ts";
import { upstreamDown } from "../../services/platform/fault.ts";
import { putIndex, unevenDeps } from "../support/chain_data/uneven_blocks.ts";
import { runNamed } from "../support/jobs.ts";

const JOB = "sample-blocks";

const lacks = () => upstreamDown("node.test", "blocks contradict each other");

/** Dependencies with eight days to sample, and a node that fails for some instants, in seconds. */
async function failingDeps(faultOf: (instant: number) => Error | null) {
  const { deps } = await unevenDeps("2026-11-12T03:40:00Z");
  await putIndex(deps, { from: "2026-11-04", to: "2026-11-11" });
  const { cChain } = deps.upstream;
  const asked: number[] = [];
  const findFirstBlock: typeof cChain.findFirstBlock = (instant, ...rest) => {
    asked.push(instant);
    const fault = faultOf(instant);
    return fault
      ? Promise.reject(fault)
      : cChain.findFirstBlock(instant, ...rest);
  };
  const failing: Deps = {
    ...deps,
    upstream: { ...deps.upstream, cChain: { ...cChain, findFirstBlock } },
  };
  return { deps, failing, asked };
}

Deno.test("sample-blocks samples the other days if the node lacks the blocks of two midnights", async () => {
  const lacking = ["2026-11-05", "2026-11-08"]
    .map((day) => Date.parse(`${day}T00:00:00Z`) / 1000);
  const { deps, failing } = await failingDeps((instant) =>
    lacking.includes(instant) ? lacks() : null
  );
  using _ = deps;
  const { error } = await runNamed(failing, JOB);
  assertMatch(error!, /contradict/);
  const samples = await deps.store.blockSamples.list();
  assertEquals(
    samples.map(({ day }) => formatDay(day)),
    ["2026-11-06", "2026-11-09", "2026-11-10"],
  );
});

Deno.test("sample-blocks asks a node that is down three times, and stops at once at a defect", async () => {
  for (
    const [error, times] of [[lacks(), 3], [new TypeError("no"), 1]] as const
  ) {
    const { deps, failing, asked } = await failingDeps(() => error);
    using _ = deps;
    const run = await runNamed(failing, JOB);
    assertEquals(asked.length, times);
    assertEquals(run.error === null, false);
  }
});
