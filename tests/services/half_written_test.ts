/** Changes of several records are one transaction: a write that fails leaves nothing half written. */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import {
  createApiKey,
  limitApiKey,
  revokeApiKey,
  rotateApiKey,
} from "../../services/accounts/api_keys.ts";
import { NO_LIMITS } from "../../services/accounts/key_limits_schema.ts";
import { PRODUCTS } from "../../services/payments/plans_schema.ts";
import { newProfile } from "../../services/profiles/profile.ts";
import { unlinkSocial } from "../../services/profiles/socials.ts";
import { openStores } from "../../services/stores.ts";
import { breakKv } from "../support/kv/faulty_kv.ts";
import { assertSound } from "../support/kv/invariants.ts";
import { dumpOf } from "../support/kv/stored.ts";

const NOW = Date.parse("2026-11-21T08:00:00Z");
const [A, B] = [`0x${"aa".repeat(20)}`, `0x${"bb".repeat(20)}`] as const;
const TX_HASH = `0x${"12".repeat(32)}`;
const BLOCK = { blockNumber: 7, blockHash: `0x${"34".repeat(32)}` };
const CAUSE = { at: NOW, requestId: "a request" };

/** Opens stores with a key of A, and profiles of A and B. A has linked an account. */
async function open() {
  const kv = await Deno.openKv(":memory:");
  const faults = breakKv(kv);
  const deps = { store: openStores(kv), now: () => new Date(NOW) };
  const key = await createApiKey(deps, { wallet: A, name: "test" });
  await putProfile(deps, A, [socialOf("github")]);
  await putProfile(deps, B, []);
  return { ...deps, kv, faults, id: key!.id };
}

type Opened = Awaited<ReturnType<typeof open>>;

const socialOf = (kind: "domain" | "github") => ({
  kind,
  handle: kind === "domain" ? "example.com" : "ada",
  id: kind === "domain" ? null : "1",
  verifiedAt: NOW,
});

function putProfile(
  { store }: Pick<Opened, "store">,
  address: string,
  socials: ReturnType<typeof socialOf>[],
) {
  return store.profiles.change(address, (held) => ({
    profile: { ...held ?? newProfile(NOW), socials },
    audit: { ...CAUSE, event: "profile.update" },
  }));
}

function credit({ store }: Pick<Opened, "store">) {
  const transaction = { txHash: TX_HASH, logIndexes: [0], ...BLOCK };
  const { price } = PRODUCTS.builder;
  const order = { product: "builder", periods: 1, valuedAt: NOW } as const;
  return store.payments.credit(A, {
    ...CAUSE,
    amount: price,
    transaction: { ...transaction, paidAt: NOW },
  }, () => ({ order: { ...order, price, slug: null }, quoteId: null }));
}

interface Change {
  readonly prepare?: (opened: Opened) => Promise<unknown>;
  readonly make: (opened: Opened) => Promise<unknown>;
}

const CHANGES: Readonly<Record<string, Change>> = {
  "a key is created": {
    make: (opened) => createApiKey(opened, { wallet: A, name: "other" }),
  },
  "a key is replaced": {
    make: (opened) =>
      rotateApiKey(opened, {
        wallet: A,
        id: opened.id,
        graceSeconds: 60,
        requestId: "a request",
      }),
  },
  "a key is revoked": {
    make: (opened) => revokeApiKey(opened, opened.id, { wallet: A }),
  },
  "a key is limited": {
    make: (opened) =>
      limitApiKey(opened, {
        wallet: A,
        id: opened.id,
        limits: { ...NO_LIMITS, maxUnits: 5 },
        requestId: "a request",
      }),
  },
  "a payment is credited": { make: credit },
  "a payment is taken back": {
    prepare: credit,
    make: ({ store }) =>
      store.payments.revoke({ wallet: A, txHash: TX_HASH, ...BLOCK }, NOW),
  },
  "a donation is recorded": {
    make: ({ store }) => {
      const donation = { from: A, to: B, txHash: TX_HASH, at: NOW };
      return store.donations.record({ ...donation, amount: 5_000_000n }, CAUSE);
    },
  },
  "a profile is deleted": {
    make: ({ store }) => store.profiles.delete(A, CAUSE),
  },
  "a Verified Human number is granted": {
    make: ({ store }) => store.humans.grant(A, CAUSE),
  },
  "a plan is granted": {
    make: ({ store }) =>
      store.payments.grant(A, {
        at: NOW,
        plan: "growth",
        paidUntil: NOW + 86_400_000,
      }),
  },
  "an account is linked": {
    make: (opened) =>
      putProfile(opened, A, [socialOf("github"), socialOf("domain")]),
  },
  "an account is unlinked": {
    make: (opened) =>
      unlinkSocial(opened, A, { kind: "github", requestId: "a request" }),
  },
};

for (const [name, { prepare, make }] of Object.entries(CHANGES)) {
  Deno.test(`a failing write leaves nothing half written where ${name}`, async () => {
    for (let failing = 1;; failing++) {
      const opened = await open();
      using _kv = { [Symbol.dispose]: () => opened.kv.close() };
      await prepare?.(opened);
      const before = await dumpOf(opened);
      opened.faults.failingWrite = failing;
      const isMade = await make(opened).then(() => true, () => false);
      const hasFailed = opened.faults.failingWrite === 0;
      opened.faults.failingWrite = 0;
      assertEquals(isMade, !hasFailed);
      if (hasFailed) {
        assertEquals(await dumpOf(opened), before);
        continue;
      }
      assertNotEquals(await dumpOf(opened), before);
      await assertSound(opened.kv, NOW);
      assert(failing > 1, "no write has failed");
      break;
    }
  });
}
