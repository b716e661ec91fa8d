/** Cohorts: wallets of one funder that were emptied into one address, in the store. */
import { assert, assertEquals } from "@std/assert";
import { DAY_MS } from "../../../../services/platform/days.ts";
import {
  type Cohort,
  MAX_MEMBERS,
} from "../../../../services/scores/signals/cohort.ts";
import {
  type ChainSignals,
  NO_CHAIN,
} from "../../../../services/model/signals.ts";
import { signalStore } from "../../../../services/scores/signals/signals_store.ts";

const NOW = Date.UTC(2026, 10, 21);
const origin = "http://up.test";
const FUNDER = "0xf0";

function fundedAt(
  daysAgo: number,
  fields: Partial<ChainSignals> = {},
): ChainSignals {
  return {
    ...NO_CHAIN,
    firstTxAt: NOW - daysAgo * DAY_MS,
    nonce: 40,
    funding: { funder: FUNDER, at: NOW - daysAgo * DAY_MS },
    sweptTo: "0xbank",
    fetchedAt: NOW,
    ...fields,
  };
}

/** Stores wallets one after the other, and returns how many each is tied to. */
async function tiesOf(
  wallets: readonly ChainSignals[],
  areTied = true,
): Promise<number[]> {
  using kv = await Deno.openKv(":memory:");
  const store = signalStore(kv);
  const found: number[] = [];
  for (const [nth, signals] of wallets.entries()) {
    const put = await store.put(`0x${nth}`, { signals, origin }, { areTied });
    found.push(put!.alike);
    assertEquals(
      (await store.findAll([`0x${nth}`]))[0]!.signals.alike,
      put!.alike,
    );
  }
  return found;
}

Deno.test("a wallet is tied to those of its funder that were emptied into the same address", async () => {
  const farm = Array.from({ length: 4 }, () => fundedAt(200));
  assertEquals(await tiesOf(farm), [0, 1, 2, 3]);
  assertEquals(await tiesOf(farm, false), [0, 0, 0, 0]);
});

Deno.test("other funders, other targets and other times of funding do not count", async (t) => {
  const cases: [name: string, Partial<ChainSignals>][] = [
    ["another funder", { funding: { funder: "0xe", at: NOW - 200 * DAY_MS } }],
    ["no known funder", { funding: null }],
    ["another target", { sweptTo: "0xother" }],
    ["no target", { sweptTo: null }],
    ["31 days later", {
      funding: { funder: FUNDER, at: NOW - 169 * DAY_MS },
    }],
    ["before it", { funding: { funder: FUNDER, at: NOW - 201 * DAY_MS } }],
  ];
  for (const [name, fields] of cases) {
    await t.step(name, async () => {
      assertEquals(await tiesOf([fundedAt(200), fundedAt(200, fields)]), [
        0,
        0,
      ]);
    });
  }
});

Deno.test("hubs have to be looked up from two ties on, and are remembered", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = signalStore(kv);
  const signals = fundedAt(200);
  const due: boolean[] = [];
  for (const address of ["0x0", "0x1", "0x2"]) {
    due.push(await store.isTieDue(address, signals));
    await store.put(address, { signals, origin });
  }
  assertEquals(due, [false, false, true]);
  assertEquals(await store.findHubs([FUNDER, "0xbank"]), [null, null]);
  const facts = { nonce: 5, isContract: true };
  await store.put("0x3", { signals, origin }, { hubs: [["0xbank", facts]] });
  assertEquals(await store.findHubs([FUNDER, "0xbank"]), [null, facts]);
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
  const key = ["cohorts", FUNDER];
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
      const put = await store.put(address, { signals, origin }, {
        held,
        areTied: true,
      });
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
  const key = ["cohorts", FUNDER];
  const { members } = (await processes.kv.get<Cohort>(key)).value!;
  assertEquals(members.map(({ address }) => address), [
    "0x0",
    "0x1",
    "0x2",
    "0x3",
    "0x4",
  ]);
});
