/** The donation store, and the counted part of donations. */
import { assert, assertEquals } from "@std/assert";
import { DAY_MS } from "../../../services/platform/days.ts";
import { newProfile } from "../../../services/profiles/profile.ts";
import {
  type Donation,
  type DonationFlows,
  give,
  MAX_REMEMBERED,
  NO_FLOWS,
  receive,
} from "../../../services/profiles/donations_store.ts";
import { openStores } from "../../../services/stores.ts";
import { serialize } from "node:v8";
import { fc } from "../../support/properties.ts";

const CAUSE = { at: 0, requestId: null };
const [A, B] = [`0x${"aa".repeat(20)}`, `0x${"bb".repeat(20)}`] as const;

function record(fields: Partial<Donation> = {}): Donation {
  const txHash = `0x${"11".repeat(32)}`;
  return { from: A, to: B, txHash, at: 0, amount: 5_000_000n, ...fields };
}

/** Opens a store in which A and B have profiles. */
async function openDonations() {
  const kv = await Deno.openKv(":memory:");
  const { audit, donations, profiles } = openStores(kv);
  const claim = { ...CAUSE, event: "profile.update" } as const;
  for (const address of [A, B]) {
    const profile = newProfile(0);
    await profiles.change(address, () => ({ profile, audit: claim }));
  }
  return {
    audit,
    donations,
    profiles,
    async totals() {
      const [a, b] = await Promise.all([A, B].map(profiles.find));
      return [a!.donated, b!.donated];
    },
    [Symbol.dispose]: () => kv.close(),
  };
}

Deno.test("record() records a donation once under concurrent calls", async () => {
  using store = await openDonations();
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, () => store.donations.record(record(), CAUSE)),
  );
  const kinds = outcomes.map(({ kind }) => kind);
  assertEquals(kinds.filter((kind) => kind === "recorded").length, 1);
  assertEquals(kinds.filter((kind) => kind === "used").length, 49);
  assertEquals(await store.totals(), [5_000_000n, 0n]);
});

Deno.test("two concurrent donations in opposite directions count nothing", async () => {
  for (let round = 0; round < 20; round++) {
    using store = await openDonations();
    const there = record();
    const back = record({ from: B, to: A, txHash: `0x${"22".repeat(32)}` });
    await Promise.all(
      [there, back].map((each) => store.donations.record(each, CAUSE)),
    );
    const [a, b] = await store.totals();
    assertEquals([a, b], [0n, 0n]);
  }
});

Deno.test("one transaction to two profiles is two donations", async () => {
  using store = await openDonations();
  await store.donations.record(record(), CAUSE);
  const other = record({ to: `0x${"cc".repeat(20)}`, amount: 1_000_000n });
  const { kind } = await store.donations.record(other, CAUSE);
  assertEquals(kind, "recorded");
  assertEquals(await store.totals(), [6_000_000n, 0n]);
});

Deno.test("a donation to the own address is stored and counts nothing", async () => {
  using store = await openDonations();
  const { kind } = await store.donations.record(record({ to: A }), CAUSE);
  assertEquals(kind, "recorded");
  assertEquals(await store.totals(), [0n, 0n]);
  const again = await store.donations.record(record({ to: A }), CAUSE);
  assertEquals(again.kind, "used");
});

Deno.test("a giver without a profile is unclaimed", async () => {
  using store = await openDonations();
  const from = `0x${"cc".repeat(20)}`;
  const { kind } = await store.donations.record(record({ from }), CAUSE);
  assertEquals(kind, "unclaimed");
});

Deno.test("counted donations are kept over many months", async () => {
  using store = await openDonations();
  for (let month = 0; month < 24; month++) {
    const txHash = `0x${String(month).padStart(64, "0")}`;
    const at = month * 30 * DAY_MS;
    await store.donations.record(record({ txHash, at }), CAUSE);
  }
  assertEquals(await store.totals(), [120_000_000n, 0n]);
  const at = 23 * 30 * DAY_MS + 1;
  const late = record({ at, txHash: `0x${"33".repeat(32)}` });
  const recorded = await store.donations.record(late, CAUSE);
  assertEquals(recorded.kind === "recorded" && recorded.donation.counted, 0n);
});

Deno.test("record() stores what each side gains and loses, what counts, and who asked", async () => {
  const NET = { netGiven: 3_000_000n, netReceived: 2_000_000n };
  const flow = (amount: bigint) => ({ at: 7, amount });
  const cases: readonly [
    name: string,
    donation: Donation,
    given: readonly unknown[],
    received: readonly unknown[],
    counted: bigint,
  ][] = [
    ["the whole amount", record({ at: 7 }), [{ ...flow(5_000_000n), to: B }], [
      flow(5_000_000n),
    ], 5_000_000n],
    [
      "the net of each side",
      record({ at: 7, ...NET }),
      [
        { ...flow(3_000_000n), to: B },
      ],
      [flow(2_000_000n)],
      3_000_000n,
    ],
    [
      "only a loss",
      record({ at: 7, netGiven: 1n, netReceived: 0n }),
      [
        { ...flow(1n), to: B },
      ],
      [],
      1n,
    ],
    ["only a gain", record({ at: 7, netGiven: 0n, netReceived: 1n }), [], [
      flow(1n),
    ], 0n],
    ["to itself", record({ at: 7, to: A }), [], [], 0n],
  ];
  for (const [name, donation, given, received, counted] of cases) {
    using store = await openDonations();
    const { donations, profiles, audit } = store;
    assertEquals(await donations.findFlows(A), { given: [], received: [] });
    const cause = { at: 8, requestId: "request" };
    assertEquals(await donations.record(donation, cause), {
      kind: "recorded",
      donation: { at: 7, amount: donation.amount, counted },
    }, name);
    assertEquals(
      [
        (await donations.findFlows(A)).given,
        (await donations.findFlows(B)).received,
      ],
      [given, received],
      name,
    );
    const giver = await profiles.find(A);
    assertEquals(
      [giver!.donated, giver!.selfDonated],
      [counted, donation.to === A],
      name,
    );
    const [entry] = await audit.list(A);
    assertEquals(entry, {
      ...cause,
      event: "donation",
      to: donation.to,
      txHash: donation.txHash,
      amount: String(donation.amount),
      counted: String(counted),
    }, name);
  }
});

Deno.test("what comes back is taken from the counted sum, also of a deleted profile", async () => {
  for (const isDeleted of [false, true]) {
    using store = await openDonations();
    const { donations, profiles } = store;
    await donations.record(record(), CAUSE);
    if (isDeleted) await profiles.delete(A, CAUSE);
    const txHash = `0x${"22".repeat(32)}`;
    const back = record({ from: B, to: A, txHash, amount: 2_000_000n });
    await donations.record(back, CAUSE);
    assertEquals((await profiles.findStored(A))?.donated, 3_000_000n);
    assertEquals((await donations.findFlows(A)).given, [
      { at: 0, to: B, amount: 3_000_000n },
    ]);
  }
});

Deno.test("donations to an address without a profile are compared, and leave no profile", async () => {
  using store = await openDonations();
  const to = `0x${"cc".repeat(20)}`;
  await store.donations.record(record({ to }), CAUSE);
  assertEquals(await store.profiles.findStored(to), null);
  assertEquals((await store.donations.findFlows(to)).received, [
    { at: 0, amount: 5_000_000n },
  ]);
});

/** A donation: day, dollars, giver and receiver. */
type Gift = readonly [day: number, usdc: number, from: string, to: string];

/** Counts donations in recording order; returns what counts for each wallet. */
function countAll(gifts: readonly Gift[]): Record<string, number> {
  const flows = new Map<string, DonationFlows>();
  const counted: Record<string, number> = {};
  const put = (wallet: string, credit: ReturnType<typeof give>) => {
    flows.set(wallet, credit.flows);
    counted[wallet] = (counted[wallet] ?? 0) + Number(credit.counted);
  };
  for (const [day, usdc, from, to] of gifts) {
    const moved = { at: day * DAY_MS, amount: BigInt(usdc) };
    put(from, give(flows.get(from) ?? NO_FLOWS, { ...moved, to }));
    put(to, receive(flows.get(to) ?? NO_FLOWS, moved));
  }
  return counted;
}

Deno.test("give() and receive() count what a wallet gave and did not get back within 30 days", async (t) => {
  const cases: [name: string, gifts: Gift[], counted: object][] = [
    ["one donation", [[0, 100, "A", "B"]], { A: 100, B: 0 }],
    ["there and back", [[0, 9, "A", "B"], [1, 9, "B", "A"]], { A: 0, B: 0 }],
    [
      "to and fro",
      [[0, 5, "A", "B"], [1, 5, "B", "A"], [2, 5, "A", "B"]],
      { A: 5, B: 0 },
    ],
    ["more back", [[0, 10, "A", "B"], [1, 15, "B", "A"]], { A: 0, B: 5 }],
    ["less back", [[0, 10, "A", "B"], [1, 6, "B", "A"]], { A: 4, B: 0 }],
    [
      "in a ring",
      [[0, 9, "A", "B"], [1, 9, "B", "C"], [2, 9, "C", "A"]],
      { A: 0, B: 0, C: 0 },
    ],
    [
      "in a ring, recorded backwards",
      [[2, 9, "C", "A"], [1, 9, "B", "C"], [0, 9, "A", "B"]],
      { A: 0, B: 0, C: 0 },
    ],
    [
      "in parts to one",
      [[0, 10, "A", "B"], [1, 10, "A", "B"], [2, 25, "A", "B"]],
      { A: 25, B: 0 },
    ],
    [
      "to several",
      [[0, 10, "A", "B"], [1, 10, "A", "C"]],
      { A: 20, B: 0, C: 0 },
    ],
    ["a month apart", [[0, 9, "A", "B"], [30, 9, "A", "B"]], { A: 18, B: 0 }],
    ["back later", [[0, 9, "A", "B"], [30, 9, "B", "A"]], { A: 9, B: 9 }],
    [
      "one receipt is deducted once",
      [[0, 9, "C", "A"], [1, 9, "A", "B"], [2, 9, "A", "D"]],
      { A: 9, B: 0, C: 9, D: 0 },
    ],
    ["nothing", [[0, 0, "A", "B"]], { A: 0, B: 0 }],
  ];
  for (const [name, gifts, counted] of cases) {
    await t.step(name, () => assertEquals(countAll(gifts), counted));
  }
});

Deno.test("within 30 days no wallet counts more than its net outflow, in any order", () => {
  const wallet = fc.constantFrom("A", "B", "C", "D", "E");
  const gift = fc.tuple(
    fc.double({ min: 0, max: 29, noNaN: true }),
    fc.nat(1000),
    wallet,
    wallet,
  ).filter(([, , from, to]) => from !== to);
  fc.assert(fc.property(fc.array(gift, { maxLength: 40 }), (gifts) => {
    const net = (wallet: string) =>
      gifts.reduce(
        (sum, [, usdc, from, to]) =>
          sum + (from === wallet ? usdc : 0) - (to === wallet ? usdc : 0),
        0,
      );
    for (const [wallet, counted] of Object.entries(countAll(gifts))) {
      assert(counted >= 0);
      assert(counted <= Math.max(0, net(wallet)), wallet);
    }
  }));
});

Deno.test("more donations in a month than are remembered count for nothing", () => {
  let flows = NO_FLOWS;
  for (let nth = 0; nth < MAX_REMEMBERED; nth++) {
    flows = give(flows, { at: 0, to: `${nth}`, amount: 1n }).flows;
  }
  const more = give(flows, { at: 1, to: "more", amount: 1n });
  assertEquals([more.counted, more.flows], [0n, flows]);
  const later = give(flows, { at: 30 * DAY_MS, to: "more", amount: 1n });
  assertEquals(later.counted, 1n);
  assertEquals(later.flows.given.length, MAX_REMEMBERED);
});

Deno.test("the flows of a wallet with as many donations as are remembered fit into a record of 64 KiB", () => {
  const amount = 2n ** 63n - 1n;
  const at = Date.parse("2026-11-21T08:00:00Z");
  const received = Array.from(
    { length: MAX_REMEMBERED },
    () => ({ at, amount }),
  );
  const given = received.map((one) => ({ ...one, to: `0x${"aa".repeat(20)}` }));
  const bytes = serialize({ given, received }).byteLength;
  assert(bytes < 64 * 1024, `${bytes} bytes`);
});

Deno.test("a donation that a full list cannot remember counts for nothing, however old it is", () => {
  let flows = NO_FLOWS;
  for (let nth = 0; nth < MAX_REMEMBERED; nth++) {
    flows = give(flows, { at: 60 * DAY_MS, to: `${nth}`, amount: 1n }).flows;
  }
  const old = give(flows, { at: 0, to: "old", amount: 1n });
  assertEquals([old.counted, old.flows], [0n, flows]);
});

const USDC = 1_000_000n;
const given = (day: number, usdc: bigint, to = "B") => ({
  at: day * DAY_MS,
  amount: usdc * USDC,
  to,
});

Deno.test("give() and receive() keep one entry a day, and net donations that are less than 30 days apart", () => {
  const first = give(NO_FLOWS, given(0, 5n));
  assertEquals(first, {
    counted: 5n * USDC,
    flows: { ...NO_FLOWS, given: [given(0, 5n)] },
  });
  const more = give(first.flows, given(0.5, 7n));
  assertEquals(more.counted, 2n * USDC, "only more than the same receiver got");
  assertEquals(more.flows.given, [given(0.5, 7n)], "one entry a day");
  assertEquals(give(first.flows, given(0.5, 5n)).flows.given, [given(0, 5n)]);
  const other = give(first.flows, given(0.5, 7n, "C"));
  assertEquals(other.counted, 7n * USDC);
  assertEquals(other.flows.given.length, 2);
  const last = 30 - 1 / DAY_MS;
  assertEquals(give(first.flows, given(last, 5n)).counted, 0n);
  assertEquals(give(first.flows, given(30, 5n)).counted, 5n * USDC);
  assertEquals(give(first.flows, given(-30, 5n)).counted, 5n * USDC);
  assertEquals(give(first.flows, given(-last, 5n)).counted, 0n);

  const back = receive(first.flows, { at: DAY_MS, amount: 2n * USDC });
  assertEquals(back.counted, -2n * USDC);
  assertEquals(back.flows.given, [given(0, 3n)]);
  assertEquals(back.flows.received, []);
  const all = receive(first.flows, { at: DAY_MS, amount: 9n * USDC });
  assertEquals(all.flows.given, []);
  assertEquals(all.flows.received, [{ at: DAY_MS, amount: 4n * USDC }]);
  const taken = give(all.flows, given(2, 3n));
  assertEquals([taken.counted, taken.flows.given], [0n, []]);
  const again = receive(all.flows, { at: 1.5 * DAY_MS, amount: USDC });
  assertEquals(again.flows.received, [{ at: 1.5 * DAY_MS, amount: 5n * USDC }]);
  const earlier = receive(all.flows, { at: 0, amount: USDC });
  assertEquals(earlier.flows.received.map(({ at }) => at), [0, DAY_MS]);
});
