/** The store of Verified Human numbers. */
import { assertEquals, assertRejects } from "@std/assert";
import { DAY_MS } from "../../../services/platform/days.ts";
import { newProfile } from "../../../services/profiles/profile.ts";
import { openStores } from "../../../services/stores.ts";
import { breakKv } from "../../support/kv/faulty_kv.ts";
import { sizeOf } from "../../support/kv/hosted.ts";

const CAUSE = { at: 0, requestId: null };
const WALLETS = Array.from(
  { length: sizeOf({ local: 200, hosted: 40 }) },
  (_, nth) => `0x${String(nth).padStart(40, "0")}`,
);

Deno.test("two concurrent grants to each of many wallets give the numbers from 1 on, each once", async () => {
  using kv = await Deno.openKv(":memory:");
  const { humans, profiles } = openStores(kv);
  const audit = { ...CAUSE, event: "profile.update" } as const;
  for (const wallet of WALLETS) {
    await profiles.change(wallet, () => ({ profile: newProfile(0), audit }));
  }
  const wanted = [...WALLETS, ...WALLETS.toReversed()];
  const given = await Promise.all(
    wanted.map((wallet) => humans.grant(wallet, CAUSE)),
  );
  const count = WALLETS.length;
  assertEquals(given.slice(0, count), given.slice(count).toReversed());
  assertEquals(
    given.slice(0, count).toSorted((a, b) => a! - b!),
    Array.from({ length: count }, (_, nth) => nth + 1),
  );
  for (const [nth, wallet] of WALLETS.entries()) {
    assertEquals((await profiles.find(wallet))?.verifiedHuman, given[nth]);
    assertEquals((await kv.get(["humans", given[nth]!])).value, wallet);
  }
  assertEquals(await humans.grant(WALLETS[0]!, CAUSE), given[0]);
  assertEquals((await kv.get(["humans", count + 1])).value, null);
});

Deno.test("an unclaimed address gets no number and uses none up", async () => {
  using kv = await Deno.openKv(":memory:");
  const { humans } = openStores(kv);
  assertEquals(await humans.grant(WALLETS[0]!, CAUSE), null);
  assertEquals(await Array.fromAsync(kv.list({ prefix: [] })), []);
});

Deno.test("grantByEvidence() spends each account once, and remembers which were spent", async () => {
  using kv = await Deno.openKv(":memory:");
  const { audit, humans, profiles } = openStores(kv);
  const update = { ...CAUSE, event: "profile.update" } as const;
  const accounts = (["x", "discord", "farcaster", "telegram"] as const).map((
    kind,
  ) => ({
    kind,
    id: kind,
    handle: "ada",
    verifiedAt: 0,
  }));
  const claim = (wallet: string, socials: typeof accounts) =>
    profiles.change(wallet, () => ({
      profile: { ...newProfile(0), socials },
      audit: update,
    }));
  const unclaimed = await humans.grantByEvidence(WALLETS[9]!, CAUSE);
  assertEquals(unclaimed, null);
  const cause = { at: 365 * DAY_MS, requestId: "request" };
  const steps = [
    // What was linked and unlinked before stays with the first number.
    { wallet: 0, socials: accounts.slice(0, 1), number: null, spent: [] },
    { wallet: 1, socials: accounts.slice(1), number: 1, spent: [] },
    {
      wallet: 2,
      socials: accounts.slice(0, 3),
      number: null,
      spent: ["discord", "farcaster"],
    },
    {
      wallet: 3,
      socials: accounts.slice(1),
      number: null,
      spent: ["discord", "farcaster", "telegram"],
    },
  ];
  for (const { wallet, socials, number, spent } of steps) {
    const address = WALLETS[wallet]!;
    await claim(address, socials);
    const granted = await humans.grantByEvidence(address, cause);
    assertEquals(granted, await profiles.find(address));
    assertEquals(granted?.verifiedHuman, number);
    assertEquals(
      granted?.numberEvidence,
      number === null ? undefined : {
        rule: "accounts",
        kinds: ["discord", "farcaster", "telegram"],
        at: cause.at,
      },
    );
    assertEquals([...granted!.spentKinds].sort(), [...spent].sort());
    for (const { kind } of socials) {
      await profiles.change(address, (held) => ({
        profile: {
          ...held!,
          socials: held!.socials.filter((social) => social.kind !== kind),
        },
        audit: update,
      }));
    }
  }
  const [entry] = await audit.list(WALLETS[1]!);
  assertEquals(entry, { ...cause, event: "human.grant", number: 1 });
  assertEquals(await humans.grant(WALLETS[3]!, CAUSE), 2, "by the operator");
  assertEquals((await kv.get(["humans", 2])).value, WALLETS[3]!);
});

Deno.test("grantByEvidence() rests a number on a proof, and spends the accounts with it", async () => {
  using kv = await Deno.openKv(":memory:");
  const { humanProofs, humans, profiles } = openStores(kv);
  const [wallet, other] = WALLETS as [string, string];
  const audit = { ...CAUSE, event: "profile.update" } as const;
  const x = { kind: "x", id: "1", handle: "ada", verifiedAt: 0 } as const;
  await profiles.change(wallet, () => ({
    profile: { ...newProfile(0), socials: [x] },
    audit,
  }));
  assertEquals(
    (await humans.grantByEvidence(wallet, CAUSE))?.verifiedHuman,
    null,
  );
  const proof = { strength: 1, verifiedAt: null, expiresAt: 9 };
  await humanProofs.answer({ address: wallet, key: ["queued"] }, {
    coinbase: { readAt: 0, failedAt: null, proof },
  });
  const granted = await humans.grantByEvidence(wallet, { ...CAUSE, at: 8 });
  assertEquals(granted?.numberEvidence, {
    rule: "uniqueHuman",
    kinds: ["coinbase"],
    at: 8,
  });
  await profiles.change(wallet, (held) => ({
    profile: { ...held!, socials: [] },
    audit,
  }));
  await profiles.change(other, () => ({
    profile: { ...newProfile(0), socials: [x] },
    audit,
  }));
  const refused = await humans.grantByEvidence(other, CAUSE);
  assertEquals([refused?.verifiedHuman, refused?.spentKinds], [null, ["x"]]);
});

Deno.test("a grant that fails does not stop the next one", async () => {
  using kv = await Deno.openKv(":memory:");
  const faults = breakKv(kv);
  const { humans, profiles } = openStores(kv);
  const audit = { ...CAUSE, event: "profile.update" } as const;
  const [wallet] = WALLETS as [string];
  await profiles.change(wallet, () => ({ profile: newProfile(0), audit }));
  faults.reads = new Error("down");
  await assertRejects(() => humans.grant(wallet, CAUSE), Error, "down");
  faults.reads = null;
  assertEquals(await humans.grant(wallet, CAUSE), 1);
});
