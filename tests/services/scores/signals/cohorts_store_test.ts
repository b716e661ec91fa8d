/** Cohorts: wallets of one funder that act alike, in the store. */
import { assert, assertEquals } from "@std/assert";
import { DAY_MS } from "../../../../services/platform/days.ts";
import {
  type Cohort,
  MAX_MEMBERS,
} from "../../../../services/scores/signals/cohort.ts";
import * as keys from "../../../../services/scores/keys.ts";
import { useOf } from "../../../../services/model/own_use.ts";
import {
  type ChainSignals,
  NO_CHAIN,
} from "../../../../services/model/signals.ts";
import { REASON_DETAILS } from "../../../../services/model/reasons_schema.ts";
import { signalStore } from "../../../../services/scores/signals/signals_store.ts";
import { tapKv } from "../../../support/kv/tapped_kv.ts";

const NOW = Date.UTC(2026, 10, 21);
const origin = "http://up.test";
const FUNDER = "0xf0";

/** The script of a farm: the same calls on the same days, some days later. */
const scripted = (lateDays: number, script = "farm") =>
  useOf(Array.from({ length: 40 }, (_, nth) => ({
    at: NOW - (100 - lateDays - nth) * DAY_MS,
    to: `${script}${nth % 12}`,
    method: `${nth % 5}`,
    paidAvax: 0,
    movesValue: false,
    failed: false,
  })));

function fundedAt(
  daysAgo: number,
  fields: Partial<ChainSignals> = {},
): ChainSignals {
  return {
    ...NO_CHAIN,
    firstTxAt: NOW - daysAgo * DAY_MS,
    nonce: 40,
    use: scripted(0),
    funding: { funder: FUNDER, at: NOW - daysAgo * DAY_MS },
    fetchedAt: NOW,
    ...fields,
  };
}

/** Stores wallets one after the other, and returns how many each resembles. */
async function alikes(wallets: readonly ChainSignals[]): Promise<number[]> {
  using kv = await Deno.openKv(":memory:");
  const store = signalStore(kv);
  const found: number[] = [];
  for (const [nth, signals] of wallets.entries()) {
    const put = await store.put(`0x${nth}`, { signals, origin });
    found.push(put!.alike);
    assertEquals(
      (await store.findAll([`0x${nth}`]))[0]!.signals.alike,
      put!.alike,
    );
  }
  return found;
}

Deno.test("a wallet resembles those of its funder that did the same before", async () => {
  const farm = Array.from({ length: 4 }, () => fundedAt(200));
  assertEquals(await alikes(farm), [0, 1, 2, 3]);
});

Deno.test("other behaviour, other funders and other times of funding do not count", async (t) => {
  const cases: [name: string, Partial<ChainSignals>][] = [
    ["other behaviour", { use: scripted(0, "own") }],
    ["another funder", { funding: { funder: "0xe", at: NOW - 200 * DAY_MS } }],
    ["no known funder", { funding: null }],
    ["31 days earlier", {
      funding: { funder: FUNDER, at: NOW - 231 * DAY_MS },
    }],
  ];
  for (const [name, fields] of cases) {
    await t.step(name, async () => {
      assertEquals(await alikes([fundedAt(200), fundedAt(200, fields)]), [
        0,
        0,
      ]);
    });
  }
});

Deno.test("a wallet is not blamed for copies that act after it", async () => {
  // The copies were scored first.
  const copies = Array.from(
    { length: 5 },
    () => fundedAt(200, { use: scripted(30) }),
  );
  const found = await alikes([...copies, fundedAt(200)]);
  assertEquals(found.at(-1), 0);
});

Deno.test("wallets that swept to one address are a cohort, too", async () => {
  const swept = (funder: string) =>
    fundedAt(200, {
      funding: { funder, at: NOW - 200 * DAY_MS },
      sweptTo: "0xbank",
    });
  assertEquals(await alikes([swept("0xa"), swept("0xb")]), [0, 1]);
  const detail = REASON_DETAILS.SHARED_FUNDER;
  assert(detail.includes("or that moved their AVAX to the same address"));
});

Deno.test("a funder of wallets of many times and kinds is a hub without a cohort", async () => {
  const customers = Array.from(
    { length: MAX_MEMBERS },
    (_, nth) => fundedAt(1_000 - 15 * nth, { use: scripted(0, `of ${nth} `) }),
  );
  const found = await alikes([...customers, fundedAt(200), fundedAt(200)]);
  assertEquals(found.slice(-2), [0, 0]);
});

Deno.test("a cohort keeps its newest members, and a farm scored at once is counted once each", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = signalStore(kv);
  const addresses = Array.from({ length: MAX_MEMBERS + 5 }, (_, n) => `0x${n}`);
  for (let from = 0; from < addresses.length; from += 8) {
    await Promise.all(
      addresses.slice(from, from + 8).map((address) =>
        store.put(address, { signals: fundedAt(200), origin })
      ),
    );
  }
  const key = keys.cohort("funder", FUNDER);
  const { members } = (await kv.get<Cohort>(key)).value!;
  assertEquals(members.length, MAX_MEMBERS);
  const names = new Set(members.map(({ address }) => address));
  assertEquals(names.size, MAX_MEMBERS);
  assert(names.isSubsetOf(new Set(addresses)));
});

/** Two processes on one database, which store wallets by what they read before. */
async function twoProcesses() {
  const kv = await Deno.openKv(":memory:");
  const stores = [signalStore(kv), signalStore(kv)] as const;
  return {
    kv,
    async put(process: 0 | 1, address: string, fields = {}) {
      const store = stores[process];
      const held = await store.findHeld(address);
      const signals = fundedAt(200, fields);
      const put = await store.put(address, { signals, origin }, { held });
      return put!.alike;
    },
    [Symbol.dispose]: () => kv.close(),
  };
}

Deno.test("what a process remembers of a cohort is checked by the commit, so no wallet of another process is missed", async () => {
  using processes = await twoProcesses();
  const found: number[] = [];
  for (const [nth, process] of ([0, 1, 0, 0, 1] as const).entries()) {
    found.push(await processes.put(process, `0x${nth}`));
  }
  assertEquals(found, [0, 1, 2, 3, 4]);
  const key = keys.cohort("funder", FUNDER);
  const { members } = (await processes.kv.get<Cohort>(key)).value!;
  assertEquals(members.map(({ address }) => address), [
    "0x0",
    "0x1",
    "0x2",
    "0x3",
    "0x4",
  ]);
});

Deno.test("a cohort that is remembered as one of a hub is checked too", async () => {
  using processes = await twoProcesses();
  for (let nth = 0; nth < MAX_MEMBERS; nth++) {
    await processes.put(0, `0xc${nth}`, {
      use: scripted(0, `of ${nth} `),
      firstTxAt: NOW - (1_000 - 15 * nth) * DAY_MS,
      funding: { funder: FUNDER, at: NOW - (1_000 - 15 * nth) * DAY_MS },
    });
  }
  assertEquals(await processes.put(0, "0x1"), 0);
  // After its cohort has expired, the funder is no longer known as a hub.
  const key = keys.cohort("funder", FUNDER);
  await processes.kv.delete(key);
  assertEquals(await processes.put(1, "0x2"), 0);
  assertEquals(await processes.put(0, "0x3"), 1);
});

Deno.test("wallets of a remembered cohort are stored by one commit, beside one read", async () => {
  using processes = await twoProcesses();
  await processes.put(0, "0x0");
  const calls = tapKv(processes.kv);
  assertEquals(await processes.put(0, "0x1"), 1);
  assertEquals([calls.reads.length, calls.commits], [2, 1]);
});
