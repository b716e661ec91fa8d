/** The donation store. */
import { assertEquals } from "@std/assert";
import { DAY_MS } from "../../../services/platform/days.ts";
import { newProfile } from "../../../services/profiles/profile.ts";
import type { Donation } from "../../../services/profiles/donations_store.ts";
import { openStores } from "../../../services/stores.ts";

const CAUSE = { at: 0, requestId: null };
const [A, B] = [`0x${"aa".repeat(20)}`, `0x${"bb".repeat(20)}`] as const;

function give(fields: Partial<Donation> = {}): Donation {
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
    Array.from({ length: 50 }, () => store.donations.record(give(), CAUSE)),
  );
  const kinds = outcomes.map(({ kind }) => kind);
  assertEquals(kinds.filter((kind) => kind === "recorded").length, 1);
  assertEquals(kinds.filter((kind) => kind === "used").length, 49);
  assertEquals(await store.totals(), [5_000_000n, 0n]);
});

Deno.test("two concurrent donations in opposite directions count nothing", async () => {
  for (let round = 0; round < 20; round++) {
    using store = await openDonations();
    const there = give();
    const back = give({ from: B, to: A, txHash: `0x${"22".repeat(32)}` });
    await Promise.all(
      [there, back].map((each) => store.donations.record(each, CAUSE)),
    );
    const [a, b] = await store.totals();
    assertEquals([a, b], [0n, 0n]);
  }
});

Deno.test("one transaction to two profiles is two donations", async () => {
  using store = await openDonations();
  await store.donations.record(give(), CAUSE);
  const other = give({ to: `0x${"cc".repeat(20)}`, amount: 1_000_000n });
  const { kind } = await store.donations.record(other, CAUSE);
  assertEquals(kind, "recorded");
  assertEquals(await store.totals(), [6_000_000n, 0n]);
});

Deno.test("a donation to the own address is stored and counts nothing", async () => {
  using store = await openDonations();
  const { kind } = await store.donations.record(give({ to: A }), CAUSE);
  assertEquals(kind, "recorded");
  assertEquals(await store.totals(), [0n, 0n]);
  const again = await store.donations.record(give({ to: A }), CAUSE);
  assertEquals(again.kind, "used");
});

Deno.test("a giver without a profile is unclaimed", async () => {
  using store = await openDonations();
  const from = `0x${"cc".repeat(20)}`;
  const { kind } = await store.donations.record(give({ from }), CAUSE);
  assertEquals(kind, "unclaimed");
});

Deno.test("counted donations are kept over many months", async () => {
  using store = await openDonations();
  for (let month = 0; month < 24; month++) {
    const txHash = `0x${String(month).padStart(64, "0")}`;
    const at = month * 30 * DAY_MS;
    await store.donations.record(give({ txHash, at }), CAUSE);
  }
  assertEquals(await store.totals(), [120_000_000n, 0n]);
  const at = 23 * 30 * DAY_MS + 1;
  const late = give({ at, txHash: `0x${"33".repeat(32)}` });
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
    ["the whole amount", give({ at: 7 }), [{ ...flow(5_000_000n), to: B }], [
      flow(5_000_000n),
    ], 5_000_000n],
    [
      "the net of each side",
      give({ at: 7, ...NET }),
      [
        { ...flow(3_000_000n), to: B },
      ],
      [flow(2_000_000n)],
      3_000_000n,
    ],
    [
      "only a loss",
      give({ at: 7, netGiven: 1n, netReceived: 0n }),
      [
        { ...flow(1n), to: B },
      ],
      [],
      1n,
    ],
    ["only a gain", give({ at: 7, netGiven: 0n, netReceived: 1n }), [], [
      flow(1n),
    ], 0n],
    ["to itself", give({ at: 7, to: A }), [], [], 0n],
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
    await donations.record(give(), CAUSE);
    if (isDeleted) await profiles.delete(A, CAUSE);
    const txHash = `0x${"22".repeat(32)}`;
    const back = give({ from: B, to: A, txHash, amount: 2_000_000n });
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
  await store.donations.record(give({ to }), CAUSE);
  assertEquals(await store.profiles.findStored(to), null);
  assertEquals((await store.donations.findFlows(to)).received, [
    { at: 0, amount: 5_000_000n },
  ]);
});
