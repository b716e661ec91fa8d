/** Simulated farms: sybils whose truth is known, from a lazy script to a patient one. */
import { DAY_MS } from "../../services/platform/days.ts";
import { type OwnTx, useOf } from "../../services/model/own_use.ts";
import {
  NO_CHAIN,
  NO_GRAPH,
  NO_PROFILE,
} from "../../services/model/signals.ts";
import { randomFrom } from "../../tests/support/random.ts";
import { NOW } from "../attack/honest_life.ts";
import { populationSignals } from "../attack/population.ts";
import type { Labelled } from "./labelled.ts";

/** A kind of farm. */
interface Farm {
  readonly list: string;
  readonly ageDays: number;
  readonly days: number;
  readonly txsADay: number;
  readonly targets: number;
  /** Hours of the day over which the script spreads its work. */
  readonly hours: number;
  /** Units of gas per transaction. */
  readonly gas: number;
}

const FARMS: readonly Farm[] = [
  {
    list: "airdrop script",
    ageDays: 60,
    days: 12,
    txsADay: 3,
    targets: 4,
    hours: 1,
    gas: 80_000,
  },
  {
    list: "daily bot",
    ageDays: 200,
    days: 180,
    txsADay: 4,
    targets: 2,
    hours: 1,
    gas: 30_000,
  },
  {
    list: "patient farm",
    ageDays: 500,
    days: 60,
    txsADay: 2,
    targets: 25,
    hours: 16,
    gas: 150_000,
  },
];

/** Returns a mixture: sybils of each farm, and honest wallets of the simulated population. */
export function simulatedLabels(
  { humans = 1_500, sybilsEach = 300, seed = 1 } = {},
): Labelled[] {
  const honest = populationSignals(humans, seed).map((signals, nth) => ({
    address: addressOf(nth),
    isHuman: true,
    list: nth % 2 === 0 ? "honest A" : "honest B",
    signals,
  }));
  const sybils = FARMS.flatMap((farm, kind) =>
    Array.from({ length: sybilsEach }, (_, nth) => ({
      address: addressOf(10_000 * (kind + 1) + nth),
      isHuman: false,
      list: farm.list,
      signals: sybilOf(
        farm,
        nth,
        randomFrom(seed * 7_919 + kind * 1_009 + nth),
      ),
    }))
  );
  return [...honest, ...sybils];
}

function sybilOf(
  { ageDays, days, txsADay, targets, hours, gas }: Farm,
  nth: number,
  random: () => number,
): Labelled["signals"] {
  const txs: OwnTx[] = [];
  for (let day = 0; day < days; day++) {
    const ago = Math.floor(ageDays * (1 - day / days));
    for (let tx = 0; tx < txsADay; tx++) {
      txs.push({
        at: NOW - ago * DAY_MS - Math.floor(random() * hours * 3_600_000),
        to: `target${(day * txsADay + tx) % targets}`,
        gasUnits: Math.round(gas * (0.5 + random())),
        failed: false,
      });
    }
  }
  const times = txs.map(({ at }) => at).sort((a, b) => b - a);
  return {
    chain: {
      ...NO_CHAIN,
      firstTxAt: times.at(-1)!,
      recentTxAt: times.slice(0, 1_000),
      nonce: txs.length,
      use: useOf(txs),
      // The first wallet of a farm led nobody; later ones resemble those before.
      alike: Math.min(nth, 47),
      fetchedAt: NOW,
    },
    profile: NO_PROFILE,
    graph: NO_GRAPH,
    freshness: "fresh",
  };
}

function addressOf(nth: number): string {
  return `0x${nth.toString(16).padStart(40, "0")}`;
}
