/** A day whose blocks the node lacks, and a node that is down. */
import { assertEquals, assertMatch } from "@std/assert";
import type { Deps } from "../../services/deps.ts";
import { DAY_MS, formatDay } from "../../services/platform/days.ts";
import { upstreamDown } from "../../services/platform/fault.ts";
import { putIndex, unevenDeps } from "../support/chain_data/uneven_blocks.ts";
import { runNamed } from "../support/jobs.ts";

const JOB = "sample-blocks";

Deno.test("sample-blocks samples the other days if the node lacks the blocks of one midnight", async () => {
  const { deps } = await unevenDeps("2026-11-12T03:40:00Z");
  using _ = deps;
  await putIndex(deps, { from: "2026-11-04", to: "2026-11-11" });
  const { cChain } = deps.upstream;
  const lacking = Date.parse("2026-11-05T00:00:00Z") / 1000;
  const asked: number[] = [];
  const lackingOf = (lacks: (instant: number) => boolean): Deps => {
    const findFirstBlock: typeof cChain.findFirstBlock = (instant, ...rest) => {
      asked.push(instant);
      if (!lacks(instant)) return cChain.findFirstBlock(instant, ...rest);
      return Promise.reject(
        upstreamDown("node.test", "blocks contradict each other"),
      );
    };
    const upstream = {
      ...deps.upstream,
      cChain: { ...cChain, findFirstBlock },
    };
    return { ...deps, upstream };
  };
  const { error } = await runNamed(lackingOf((at) => at === lacking), JOB);
  assertMatch(error!, /contradict/);
  const samples = await deps.store.blockSamples.list();
  assertEquals(samples.map(({ day }) => formatDay(day)), [
    "2026-11-06",
    "2026-11-07",
    "2026-11-08",
    "2026-11-09",
    "2026-11-10",
  ]);

  asked.length = 0;
  deps.advance(DAY_MS);
  await putIndex(deps, { from: "2026-11-04", to: "2026-11-12" });
  const down = await runNamed(lackingOf(() => true), JOB);
  assertEquals(asked.length, 3, "a node that is down is asked three times");
  assertMatch(down.error!, /contradict/);
});
