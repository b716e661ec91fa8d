/** Score histories of 1 to 90 days, compared with a peer that stores each point as a row. */
import { assertEquals } from "@std/assert";
import { readHistory } from "../../services/scores/scores.ts";
import { openStores } from "../../services/stores.ts";
import { testDeps } from "../../tests/support/deps.ts";
import { tapKv } from "../../tests/support/kv/tapped_kv.ts";
import { askOnce, getRequest } from "../measure/connection.ts";
import { cpuCurve, curveOf } from "../measure/curve.ts";
import type { BenchmarkOptions, Measurement } from "../measure/measurement.ts";
import { type BenchCaller, fillCallers } from "./keyed_callers.ts";
import { findMissingTool } from "./keyed_peer.ts";
import { startKeyedService } from "./keyed_service.ts";
import { startHistoryPeer, TOOLS } from "./history_peer.ts";
import {
  compareSides,
  coreUsage,
  type Plan,
  planFor,
  type Side,
  takeTurns,
} from "../measure/round.ts";

/** Lengths of histories in days, and the number of callers for each length. */
const LONGEST = 90;
const LENGTHS = [1, 7, 30, LONGEST];
const CALLERS = 25;

/** Window of the burst limit, so short that the log of each key is as long as at its real limit. */
const BURST_MS = 400;

const QUERY = `history?days=${LONGEST}&include=breakdown`;

type Stores = ReturnType<typeof openStores>;

/** Compares histories of 90 days with the peer and measures the growth with the length. */
export async function measureHistory(
  { short }: BenchmarkOptions,
): Promise<Measurement[]> {
  const plan = planFor({ short });
  const lengths = short ? [1, LONGEST] : LENGTHS;
  await using database = await fillCallers(lengths.length * CALLERS);
  const { settings, callers } = database;
  await using service = await startKeyedService(settings, {
    burstMs: BURST_MS,
  });
  const callersByDays = new Map(
    lengths.map((days, nth) => {
      const first = nth * CALLERS;
      return [days, callers.slice(first, first + CALLERS)];
    }),
  );
  using kv = await Deno.openKv(settings.KV_PATH);
  const store = openStores(kv);
  for (const [days, some] of callersByDays) {
    for (const caller of some) {
      // The first request records the first point.
      await ask(service.url, caller, "");
      await lengthen(store, caller.address, days);
    }
  }
  const ours = { url: service.url, pids: [service.process.pid] };
  const sides = new Map(
    [...callersByDays].map(([days, some]) => [days, sideOf(ours, some)]),
  );
  return [
    ...await compareWithPeer(
      sides.get(LONGEST)!,
      callersByDays.get(LONGEST)!,
      plan,
    ),
    await countReads(),
    curveOf(
      {
        name: "history, CPU time",
        of: "days",
        unit: "us",
        most: null,
      },
      await cpuCurve(sides, plan),
    ),
  ];
}

async function compareWithPeer(
  ours: Side,
  callers: readonly BenchCaller[],
  plan: Plan,
): Promise<Measurement[]> {
  const missing = await findMissingTool(TOOLS);
  if (missing !== null) {
    // deno-lint-ignore no-console
    console.log(
      `history: the comparison is skipped, ${missing} is not installed`,
    );
    return [];
  }
  const histories: HistoryBody[] = [];
  for (const caller of callers) {
    histories.push(await ask(ours.url, caller, `/${QUERY}`));
  }
  await using peer = await startHistoryPeer(callers, histories);
  for (const [nth, caller] of callers.entries()) {
    const { history } = await ask(peer.url, caller, `/${QUERY}`);
    assertEquals(history, histories[nth]!.history);
  }
  const rounds = await takeTurns([ours, sideOf(peer, callers)], plan);
  const name = `history of ${LONGEST} days`;
  return [
    ...compareSides(name, rounds, {
      perSecond: { of: "ratio", is: ">=", than: 1 },
      p99Ms: { of: "ratio", is: "<=", than: 1 },
    }),
    ...coreUsage("history", [rounds]),
  ];
}

/** Counts the database records that are read for a history of 90 days. */
async function countReads(): Promise<Measurement> {
  using deps = await testDeps();
  const calls = tapKv(deps.kv);
  const query = { days: LONGEST, breakdown: true };
  await readHistory(deps, `0x${"11".repeat(20)}`, query);
  return {
    name: `records read for a history of ${LONGEST} days`,
    value: calls.reads.flat().length,
    unit: "",
    peer: null,
    target: { of: "value", is: "=", than: 1 },
  };
}

interface HistoryBody {
  readonly history: unknown;
}

async function ask(
  url: string,
  { key, address }: BenchCaller,
  below: string,
): Promise<HistoryBody> {
  const endpoint = `${url}/api/v1/score/${address}${below}`;
  const { body } = await askOnce(endpoint, { "X-Api-Key": key });
  return JSON.parse(new TextDecoder().decode(body));
}

/** Adds older points to a history, with different scores. */
async function lengthen(
  { scores }: Stores,
  address: string,
  days: number,
): Promise<void> {
  const { points: [last] } = (await scores.find(address))!;
  for (let back = 1; back < days; back++) {
    const headline = last!.headline + back % 7;
    const point = { ...last!, day: last!.day - back, headline };
    await scores.put(address, point, { readAt: null });
  }
}

function sideOf(
  { url, pids }: Pick<Side, "url" | "pids">,
  callers: readonly BenchCaller[],
): Side {
  const requests = callers.map(({ key, address }) =>
    getRequest(`${url}/api/v1/score/${address}/${QUERY}`, { "X-Api-Key": key })
  );
  return { url, pids, requests };
}
