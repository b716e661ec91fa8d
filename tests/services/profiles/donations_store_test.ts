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
  const { donations, profiles } = openStores(kv);
  const audit = { ...CAUSE, event: "profile.update" } as const;
  for (const address of [A, B]) {
    await profiles.change(address, () => ({ profile: newProfile(0), audit }));
  }
  return {
    kv,
    donations,
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
