/** A store with at least one record of each kind, as the service writes them. */
import { assert } from "@std/assert";
import { exampleOf } from "../../../simnet/accounts.ts";
import { enrol } from "../callers.ts";
import type { TestDeps } from "../deps.ts";
import { addressOf, claim, know, paid } from "../graph.ts";
import { checkDaily, succeed } from "../jobs.ts";
import { NOW, orderOf } from "../evm/orders.ts";
import { newOwner } from "../owners.ts";

export const [ADA, BOB, EVE] = [
  addressOf(1),
  addressOf(2),
  addressOf(3),
] as const;
export const PAYER = addressOf(9);
const TX_HASH = `0x${"12".repeat(32)}`;
const BLOCK = 77;

/** Makes the service write records of every kind. */
export async function fill(deps: TestDeps): Promise<void> {
  await succeed(deps, "refresh-chains");
  await succeed(deps, "refresh-series");
  await checkDaily(deps, 2);
  const caller = await enrol(deps, { plan: "scale" });
  await caller.ask(`/score/${exampleOf("ordinary")}`);
  await caller.batch({ addresses: [exampleOf("ordinary"), ADA] });
  await deps.callLog.writeAll();
  const owner = newOwner(deps);
  await owner.signIn();
  const { body: { id: replaced } } = await owner.createKey("replaced");
  await owner.rotateKey(replaced, 3_600);
  const { body: { id: revoked } } = await owner.createKey("revoked");
  await owner.revokeKey(revoked);
  await payTwice(deps);
  await befriend(deps);
  await succeed(deps, "record-scores");
  await succeed(deps, "refresh-graph");
  await succeed(deps, "find-payments");
  await deps.store.payments.putScanned({
    block: BLOCK,
    disputed: [{ block: BLOCK, foundAt: NOW }],
    unlisted: [{ first: 1, last: 2, foundAt: NOW, triedAt: NOW }],
    checkpoints: [{ block: BLOCK, hash: "0x1" }],
  });
  const score = () => Promise.resolve(null);
  await deps.store.attestationNonces.takeWith(ADA, score, () => NOW);
  await deps.store.waitingScores.add(BOB);
}

/** Buys a plan, and more of it in a block that leaves the chain. */
async function payTwice({ store, now }: TestDeps): Promise<void> {
  const at = now().getTime();
  const quote = { id: "quote", product: "builder", periods: 1 } as const;
  const terms = { slug: null, price: 49_000_000n, amount: 49_000_000n };
  const times = { createdAt: at, expiresAt: at + 60_000 };
  await store.quotes.add(PAYER, { ...quote, ...terms, ...times });
  const transactions = [TX_HASH, `0x${"13".repeat(32)}`].map((txHash, nth) => ({
    txHash,
    logIndexes: [0],
    blockNumber: BLOCK + nth,
    blockHash: `0xb${nth}`,
    paidAt: at,
  }));
  for (const transaction of transactions) {
    const arrived = { at, amount: 49_000_000n, transaction, requestId: null };
    const purpose = { order: orderOf("builder"), quoteId: null };
    await store.payments.credit(PAYER, arrived, () => purpose);
  }
  const { txHash, blockNumber, blockHash } = transactions[1]!;
  const undone = { wallet: PAYER, txHash, blockNumber, blockHash };
  assert(await store.payments.revoke(undone, at));
}

/** Makes profiles with names, numbers and donations, and follows between them. */
async function befriend(deps: TestDeps): Promise<void> {
  const { store } = deps;
  const at = deps.now().getTime();
  const cause = { at, requestId: null };
  await know(deps, [ADA, BOB], paid(3));
  await claim(deps, [ADA, BOB]);
  await store.profiles.change(ADA, (held) => ({
    profile: {
      ...held!,
      slug: "ada-l",
      socials: [{ kind: "github", id: "7", handle: "ada", verifiedAt: at }],
    },
    audit: { ...cause, event: "profile.update" },
  }));
  await store.humans.grant(ADA, cause);
  const given = { from: ADA, to: BOB, txHash: TX_HASH, at, amount: 5n };
  await store.donations.record(given, cause);
  for (const [follower, followee] of [[ADA, BOB], [BOB, ADA], [EVE, ADA]]) {
    const ends = { follower: follower!, followee: followee! };
    await store.follows.change({ kind: "follow", at, ...ends });
  }
  await store.profileImports.put("sha", {
    lines: 2,
    refusedCount: 1,
    refused: [{ line: 1, reason: "no" }],
  });
}
