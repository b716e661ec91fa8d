/** The plan of the next reads: which series are due, and in which order. */
import { assertEquals } from "@std/assert";
import {
  C_CHAIN,
  STORED_METRICS,
} from "../../../../services/chain_data/catalogue/metrics_schema.ts";
import {
  isCanaryDue,
  isSweepDue,
  listSeries,
  noteProgress,
  type PlanFacts,
  planReads,
} from "../../../../services/chain_data/series/refresh_plan.ts";
import { nameSeries } from "../../../../services/chain_data/catalogue/series_id.ts";
import type { SeriesState } from "../../../../services/chain_data/series/stored_series.ts";
import { startOfDay } from "../../../../services/platform/days.ts";
import { testDeps } from "../../../support/deps.ts";
import { runNamed } from "../../../support/jobs.ts";

const MINUTE = 60_000;
const DAY = 20_000;
const NOW = startOfDay(DAY + 1) + 600 * MINUTE;
const CHAIN = 7;

const PUBLICATION = {
  newestDay: DAY,
  publishedAt: NOW - 300 * MINUTE,
  confirmedAt: NOW,
  unpublishedAt: null,
  previousAt: null,
} as PlanFacts["publication"];

const SWEEP = { publishedAt: PUBLICATION.publishedAt } as PlanFacts["sweep"];

/** A series that was read just now and has every published day. */
const READ: SeriesState = {
  newestDay: DAY,
  fetchedAt: NOW,
  newestAt: null,
  wholeAt: NOW,
};

const nameOf = (subject: number | "primary-network", metric: string) =>
  nameSeries({ subject, metric } as Parameters<typeof nameSeries>[0]);

/** Plans the reads of these states; returns their names, with a mark for a whole history. */
function plan(
  states: Record<string, Partial<SeriesState> | null>,
  more: Partial<PlanFacts> = {},
) {
  return planReads({
    publication: PUBLICATION,
    sweep: SWEEP,
    chainIds: [CHAIN, C_CHAIN, 8],
    states: new Map(
      Object.entries(states).map(([name, state]) => [
        name,
        state && { ...READ, ...state },
      ]),
    ),
    failures: new Map(),
    now: NOW,
    ...more,
  }).map(({ id, isWhole }) => `${nameSeries(id)}${isWhole ? " whole" : ""}`);
}

const TX = nameOf(CHAIN, "txCount");
const GAS = nameOf(CHAIN, "avgTps");
const C_TX = nameOf(C_CHAIN, "txCount");
const STAKE = nameOf("primary-network", "validatorCount");
const UNREAD = PUBLICATION.publishedAt - 1;

Deno.test("listSeries() begins with the C-Chain and the Primary Network, each chain with its transactions", () => {
  const names = listSeries([CHAIN, C_CHAIN, 8]).map(nameSeries);
  const count = STORED_METRICS.length;
  assertEquals(names.length, 3 * count + 4);
  assertEquals(names[0], C_TX);
  assertEquals(names[count], STAKE);
  assertEquals(names[count + 4], TX);
  assertEquals(names[2 * count + 4], nameOf(8, "txCount"));
});

Deno.test("planReads() leaves out what is current, unknown or just failed", () => {
  assertEquals(plan({}), []);
  assertEquals(plan({ [TX]: {}, [C_TX]: {}, [STAKE]: {} }), []);
  const failed = (ago: number) =>
    plan({ [TX]: null }, { failures: new Map([[TX, NOW - ago]]) });
  assertEquals(failed(20 * MINUTE - 1), []);
  assertEquals(failed(20 * MINUTE), [TX]);
  assertEquals(failed(-20 * MINUTE), [TX], "a clock that is ahead");
});

Deno.test("planReads() lets a silent series wait for a quarter of its silence, at least 20 minutes and at most half a day", () => {
  const waits = (silentMs: number, waitMs: number) => {
    const due = [waitMs - 1, waitMs].map((ago) => {
      const failedAt = NOW - ago;
      const silent = { fetchedAt: UNREAD, silentSince: failedAt - silentMs };
      return plan({ [TX]: silent }, { failures: new Map([[TX, failedAt]]) });
    });
    assertEquals(due, [[], [TX]], `${silentMs / MINUTE} minutes of silence`);
  };
  waits(0, 20 * MINUTE);
  waits(80 * MINUTE, 20 * MINUTE);
  waits(84 * MINUTE, 21 * MINUTE);
  waits(47 * 60 * MINUTE, 705 * MINUTE);
  waits(48 * 60 * MINUTE, 720 * MINUTE);
  waits(49 * 60 * MINUTE, 720 * MINUTE);
});

Deno.test("planReads() reads the C-Chain and the Primary Network after 55 minutes, other chains after a publication", () => {
  const aged = (name: string, ms: number) =>
    plan({ [name]: { fetchedAt: NOW - ms } });
  for (const name of [C_TX, STAKE]) {
    assertEquals(aged(name, 55 * MINUTE - 1), [], name);
    assertEquals(aged(name, 55 * MINUTE), [name], name);
    assertEquals(aged(name, -55 * MINUTE), [name], name);
  }
  assertEquals(aged(TX, 299 * MINUTE), []);
  assertEquals(aged(TX, 301 * MINUTE), [TX]);
});

Deno.test("planReads() probes a chain that is up to a week late every half hour or a little early, by its transactions", () => {
  const late = (days: number, ms: number, name = TX) =>
    plan({ [name]: { newestDay: DAY - days, fetchedAt: NOW - ms } });
  assertEquals(late(1, 25 * MINUTE), [TX]);
  assertEquals(late(1, 25 * MINUTE - 1), []);
  assertEquals(late(7, 30 * MINUTE), [TX]);
  assertEquals(late(8, 30 * MINUTE), []);
  assertEquals(late(0, 30 * MINUTE), []);
  assertEquals(late(1, 30 * MINUTE, GAS), []);
});

Deno.test("planReads() orders hourly series, those behind their chain, probes, the sweep, what failed before it and retries", () => {
  const [eight, eightGas] = [nameOf(8, "txCount"), nameOf(8, "avgTps")];
  const planned = plan({
    [nameOf(8, "feesPaid")]: { fetchedAt: UNREAD },
    [TX]: { newestDay: DAY - 1, fetchedAt: NOW - 30 * MINUTE },
    [eight]: { newestAt: NOW - MINUTE },
    [eightGas]: { newestDay: DAY - 1, fetchedAt: NOW - 2 * MINUTE },
    [nameOf(9, "txCount")]: {
      newestDay: DAY - 1,
      fetchedAt: NOW - 30 * MINUTE,
    },
    [GAS]: null,
    [nameOf(8, "gasUsed")]: null,
    [nameOf(CHAIN, "feesPaid")]: { fetchedAt: UNREAD },
    [STAKE]: null,
    [nameOf(C_CHAIN, "avgTps")]: null,
  }, {
    chainIds: [CHAIN, C_CHAIN, 8, 9],
    failures: new Map([
      [GAS, PUBLICATION.publishedAt],
      [nameOf(8, "gasUsed"), UNREAD],
      [nameOf(C_CHAIN, "avgTps"), NOW - 20 * MINUTE],
    ]),
  });
  assertEquals(planned, [
    nameOf(C_CHAIN, "avgTps"),
    STAKE,
    eightGas,
    TX,
    nameOf(9, "txCount"),
    nameOf(CHAIN, "feesPaid"),
    nameOf(8, "feesPaid"),
    nameOf(8, "gasUsed"),
    GAS,
  ]);
});

Deno.test("planReads() fetches whole histories only in a sweep, once a week", () => {
  const old = { wholeAt: NOW - 8 * 1_440 * MINUTE };
  const sweeping = { sweep: null };
  assertEquals(plan({ [C_TX]: old }), []);
  assertEquals(plan({ [C_TX]: old }, sweeping), [`${C_TX} whole`]);
  assertEquals(plan({ [C_TX]: {} }, sweeping), []);
  const gas = nameOf(C_CHAIN, "avgTps");
  assertEquals(
    plan({ [gas]: old }, sweeping),
    [],
    "only the canary is read for it",
  );
  assertEquals(plan({ [TX]: null }, sweeping), [`${TX} whole`]);
  assertEquals(plan({ [TX]: null }), [TX]);
  const unread = { fetchedAt: UNREAD };
  assertEquals(plan({ [TX]: unread }, sweeping), [TX]);
  assertEquals(plan({ [TX]: { ...unread, ...old } }, sweeping), [
    `${TX} whole`,
  ]);
});

Deno.test("isCanaryDue() is five minutes after the last read, isSweepDue() until a publication is swept", () => {
  const confirmed = (ago: number) =>
    isCanaryDue({ ...PUBLICATION, confirmedAt: NOW - ago }, NOW);
  assertEquals([5 * MINUTE - 1, 5 * MINUTE].map(confirmed), [false, true]);
  assertEquals(confirmed(-90 * MINUTE), true, "a clock that is ahead");
  assertEquals(isCanaryDue(null, NOW), true);
  assertEquals(isSweepDue(PUBLICATION, null), true);
  assertEquals(isSweepDue(PUBLICATION, SWEEP), false);
});

Deno.test("noteProgress() notes a chain once, and none that was read in the minute after the publication without its day", async () => {
  using deps = await testDeps({ chains: 3 });
  await runNamed(deps, "refresh-chains");
  const { publications } = deps.store;
  const publishedAt = deps.now().getTime();
  const read = (subject: number, afterMs: number, newestDay: number) =>
    STORED_METRICS.map((metric) =>
      [nameSeries({ subject, metric }), {
        versionstamp: "",
        head: {
          days: { first: 0, newest: newestDay },
          ...{ fetchedAt: publishedAt + afterMs, newestAt: null },
          ...{ wholeAt: 0, changedAt: 0, since: 0, origin: "", source: "" },
        },
      }] as const
    );
  const [first, second] = (await deps.store.chains.find())!.chains
    .map(({ chainId }) => chainId).filter((chainId) => chainId !== C_CHAIN);
  deps.advance(20_000);
  const found = {
    ...{ publication: { ...PUBLICATION, publishedAt }, sweep: null },
    ...{ progress: null, rest: null },
  };
  const known = new Map([
    ...read(first!, 10_000, DAY),
    ...read(second!, 10_000, DAY - 1),
  ]);
  await noteProgress(deps, found, known);
  const { progress } = await publications.findAll();
  assertEquals(progress, { publishedAt, settled: [first!], late: [] });

  const late = { publishedAt, settled: [], late: [first!] };
  await noteProgress(deps, { ...found, progress: late }, known);
  assertEquals((await publications.findAll()).progress, late);
});
