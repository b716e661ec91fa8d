import { assert, assertEquals, assertMatch } from "@std/assert";
import { createApp } from "../../routes/app.ts";
import { chooseDays, sampleDay } from "../../jobs/own_measurements.ts";
import { BlocksAnswer } from "../../services/chain_data/checks/checked_series_schema.ts";
import { type Deps } from "../../services/deps.ts";
import { formatDay, parseDay } from "../../services/platform/days.ts";
import { rpcBlocksOf } from "../../services/chain_data/checks/measurements.ts";
import { jobCallOptions } from "../../services/platform/rate_limit/call_budget.ts";
import { testDeps } from "../support/deps.ts";
import {
  dyingAfter,
  LEASE_OVER_MS,
  runNamed,
  succeed,
} from "../support/jobs.ts";
import {
  firstBlockOf,
  putIndex,
  timestampOf,
  unevenDeps,
} from "../support/chain_data/uneven_blocks.ts";
import { upstreamDown } from "../../services/platform/fault.ts";

const JOB = "sample-blocks";

async function listDays({ store }: Deps): Promise<string[]> {
  const samples = await store.blockSamples.list();
  return samples.map(({ day }) => formatDay(day));
}

async function readSamples(deps: Deps) {
  const response = await createApp(deps).request(
    "/api/chain-data/block-production",
  );
  return BlocksAnswer.parse(await response.json()).samples;
}

Deno.test("sample-blocks counts exactly with 100,000,000 blocks at uneven intervals", async (t) => {
  const { deps, calls } = await unevenDeps("2026-11-12T03:40:00Z");
  using _ = deps;
  await putIndex(deps, { from: "2026-10-20", to: "2026-11-11" });
  assertEquals(await succeed(deps, JOB), "8 of 8 days sampled");
  assert(calls.count <= 16 * 12, `${calls.count} calls for 16 boundaries`);
  const samples = await readSamples(deps);

  await t.step("the newest seven complete days, and one older", () => {
    assertEquals(samples.map(({ day }) => day).slice(-7), [
      "2026-11-04",
      "2026-11-05",
      "2026-11-06",
      "2026-11-07",
      "2026-11-08",
      "2026-11-09",
      "2026-11-10",
    ]);
    assertEquals(samples.length, 8);
  });
  for (const sample of samples) {
    await t.step(
      `${sample.day} begins and ends where the chain's timestamps say`,
      () => {
        const timeOf = (height: number) =>
          new Date(timestampOf(height) * 1000).toISOString();
        const midnight = `${sample.day}T00:00:00.000Z`;
        assertEquals(sample.previousBlock, sample.firstBlock - 1);
        const first = timeOf(sample.firstBlock);
        const previous = timeOf(sample.previousBlock!);
        assert(previous < midnight && midnight <= first);
        assertEquals(
          [sample.firstBlockTimestamp, sample.previousBlockTimestamp],
          [first, previous],
        );
        const nextMidnight = formatDay(parseDay(sample.day) + 1);
        assert(timeOf(sample.nextDayFirstBlock - 1) < nextMidnight);
        assert(timeOf(sample.nextDayFirstBlock) >= nextMidnight);
        assertEquals(
          [sample.rpcBlocks, sample.blocks, sample.agrees],
          [
            sample.nextDayFirstBlock - sample.firstBlock,
            sample.nextDayFirstBlock - sample.firstBlock,
            true,
          ],
        );
      },
    );
  }
});

Deno.test("sample-blocks samples a disputed day again, and no other", async () => {
  const { deps } = await unevenDeps("2026-11-12T03:40:00Z");
  using _ = deps;
  const days = { from: "2026-11-04", to: "2026-11-11" };
  await putIndex(deps, { ...days, off: { "2026-11-07": -3 } });
  await succeed(deps, JOB);
  const before = await deps.store.blockSamples.list();
  assertEquals(before.length, 7);
  const disputes = (await readSamples(deps)).filter(({ agrees }) => !agrees);
  assertEquals(
    disputes.map(({ day, blocks, rpcBlocks }) => [day, rpcBlocks - blocks!]),
    [["2026-11-07", 3]],
  );

  deps.advance(3_600_000);
  assertEquals(await succeed(deps, JOB), "1 of 1 days sampled");
  const after = await deps.store.blockSamples.list();
  assertEquals(
    after.filter(({ takenAt }, index) => takenAt !== before[index]!.takenAt)
      .map(({ day }) => formatDay(day)),
    ["2026-11-07"],
  );
  assertEquals(
    after.map(({ takenAt: _, firstTakenAt: __, ...sample }) => sample),
    before.map(({ takenAt: _, ...sample }) => sample),
  );

  await putIndex(deps, days);
  assertEquals(await succeed(deps, JOB), "0 of 0 days sampled");
});

Deno.test("chooseDays returns new days, one random older day and every disputed day", async () => {
  const { deps } = await unevenDeps("2026-11-12T03:40:00Z");
  using _ = deps;
  assertEquals(await chooseDays(deps, () => 0.5), [], "without an index");

  const days = { from: "2026-10-20", to: "2026-11-11" };
  await putIndex(deps, days);
  const choose = async (random: number) =>
    (await chooseDays(deps, () => random)).map(formatDay);
  const newest = (await choose(0)).slice(0, 7);
  assertEquals([newest[0], newest.at(-1)], ["2026-11-04", "2026-11-10"]);
  assertEquals((await choose(0)).slice(7), ["2026-10-20"]);
  assertEquals((await choose(0.5)).slice(7), ["2026-10-27"]);
  assertEquals((await choose(0.9999999)).slice(7), ["2026-11-03"]);

  for (let day = parseDay("2026-10-20"); day < parseDay("2026-11-04"); day++) {
    await sampleDay(deps, day, jobCallOptions());
  }
  assertEquals(await choose(0.5), newest, "no older day is left");

  const off = Object.fromEntries(
    (await listDays(deps)).map((day) => [day, 1]),
  );
  await putIndex(deps, { ...days, off });
  assertEquals(await choose(0), [...newest, ...await listDays(deps)]);
});

Deno.test("sample-blocks continues after a killed process", async () => {
  using deps = await testDeps();
  await succeed(deps, "cross-check");
  const { cChain } = deps.upstream;
  const { call, died } = dyingAfter(5, cChain.findFirstBlock);
  const dying = {
    ...deps,
    upstream: {
      ...deps.upstream,
      cChain: { ...cChain, findFirstBlock: call },
    },
  };
  runNamed(dying, JOB);
  await died;
  const kept = await listDays(deps);
  assertEquals(kept, ["2026-11-13", "2026-11-14"], "complete samples only");
  assertEquals(await succeed(deps, JOB), "runs already");
  deps.advance(LEASE_OVER_MS);
  assertEquals(await succeed(deps, JOB), "6 of 6 days sampled");
});

Deno.test("sample-blocks skips a day that the node does not have yet", async () => {
  const { deps } = await unevenDeps("2026-11-10T23:00:00Z");
  using _ = deps;
  await putIndex(deps, { from: "2026-11-07", to: "2026-11-11" });
  const { store } = deps;
  assertEquals(
    await sampleDay(deps, parseDay("2026-11-10"), jobCallOptions()),
    false,
  );
  assertEquals(await store.blockSamples.list(), []);
  deps.advance(2 * 3_600_000);
  assertEquals(
    await sampleDay(deps, parseDay("2026-11-10"), jobCallOptions()),
    true,
  );
  const [sample] = await store.blockSamples.list();
  const day = parseDay("2026-11-10");
  assertEquals(rpcBlocksOf(sample!), firstBlockOf(day + 1) - firstBlockOf(day));
});

// Days whose blocks the node lacks, and a node that is down.

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
