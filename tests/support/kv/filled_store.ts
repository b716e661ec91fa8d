/** A store with records as the service writes them: of most kinds, and with `fillRest` of each. */
import { assert } from "@std/assert";
import { exampleOf } from "../../../simnet/accounts.ts";
import { enrol } from "../callers.ts";
import type { TestDeps } from "../deps.ts";
import { addressOf, claim, know, paid } from "../graph.ts";
import { checkDaily, succeed } from "../jobs.ts";
import { DAY_MS, dayAt } from "../../../services/platform/days.ts";
import { chargeOf } from "../../../services/accounts/quota/quota.ts";
import { PROOF_SOURCE_NAMES } from "../../../services/model/human_proofs_schema.ts";
import { NO_CHAIN } from "../../../services/model/signals.ts";
import { NOW, orderOf } from "../evm/orders.ts";
import { payerOf } from "../payers.ts";
import { breakKv, loseOutcome } from "./faulty_kv.ts";
import { newOwner } from "../owners.ts";

export const [ADA, BOB, EVE] = [
  addressOf(1),
  addressOf(2),
  addressOf(3),
] as const;
export const PAYER = addressOf(9);
const TX_HASH = `0x${"12".repeat(32)}`;
const BLOCK = 77;

/** Makes the service write records of most kinds; `fillRest` adds the others. */
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

/**
 * Adds records of the other kinds: failures, what waits for a job, what counts over
 * days, and the files of a release.
 */
export async function fillRest(deps: TestDeps): Promise<void> {
  const { store } = deps;
  const at = deps.now().getTime();
  await store.payments.watchFrom(
    { token: addressOf(20), treasury: addressOf(21) },
    BLOCK,
  );
  await store.jobs.end({
    job: "refresh-chains",
    startedAt: at,
    endedAt: at,
    outcome: null,
    items: 0,
    error: "no",
  }, "test");
  await store.trafficDays.add(dayAt(at), { requests: 9, serverErrors: 1 });
  const rows = { of: "a list", rows: 1, reason: "no number", foundAt: at };
  await store.setAside.put(rows);
  await store.entries.putExport(at);
  await store.scores.listRefresh(ADA, at + DAY_MS);
  await store.scores.putCursor(ADA);
  await store.series.putFailure({ subject: 43114, metric: "gasUsed" }, at);
  await store.readQueue.add({ subject: 43114, metric: "gasUsed" }, { at });
  const claim = { token: "token", expiresAt: at + DAY_MS };
  await store.socialProofs.putClaim(ADA, {
    domain: "ada.example",
    claim,
    now: at,
  });
  await store.socialProofs.putState("hash", {
    wallet: ADA,
    session: "session",
    browser: "browser",
    codeVerifier: "verifier",
    expiresAt: at + DAY_MS,
  });
  await proveHumans(deps);
  await changeGraph(deps);
  const spend = () =>
    store.usage.spend(payerOf(EVE, "key"), chargeOf("free", "score"), at);
  await loseOutcome(deps.kv, breakKv(deps.kv), { isMade: true }, spend);
  await store.usage.storeUnsettled();
  await succeed(deps, "build-downloads");
  await leaveBuild(deps);
  await store.identity.init();
  // The job reads such a series again.
  const day = dayAt(at) - 9;
  const kind = "otherUnit" as const;
  const doubt = { from: day, to: day, kind, value: 9, against: 1, foundAt: at };
  await store.series.update(
    { subject: 43114, metric: "feesPaid" },
    (stored) => ({ ...stored!, doubts: [doubt] }),
  );
}

/** Leaves files that a release replaced, and what a process leaves that is killed while it builds the next one. */
async function leaveBuild(
  { store: { downloads, jobs, manifests }, now }: TestDeps,
) {
  const at = now().getTime();
  const release = (await downloads.findRelease())!;
  const manifest = (await manifests.find(release.date))!;
  const table = (await downloads.listTables()).at(-1)!;
  const removed = [table.name];
  const change = { release, manifest, changed: [], removed };
  assert(
    await downloads.publish(await downloads.beginBuild(release.date), change),
  );
  await jobs.hold("build-downloads", "killed", { now: at, forMs: 45_000 });
  await downloads.beginBuild(release.date);
  await downloads.stage({ ...table, files: [] }, []);
}

/** Reads proofs of two people, and lets one wait to be read again. */
async function proveHumans({ store, now }: TestDeps): Promise<void> {
  const at = now().getTime();
  const read = {
    readAt: at,
    failedAt: at,
    proof: { strength: 0.5, verifiedAt: at, expiresAt: at + DAY_MS },
  };
  const reads = Object.fromEntries(
    PROOF_SOURCE_NAMES.map((name) => [name, read]),
  );
  for (const address of [EVE, BOB]) {
    await store.humanProofs.queue(address, PROOF_SOURCE_NAMES, at);
  }
  const queued = await Array.fromAsync(store.humanProofs.listQueued());
  const [first] = queued.filter(({ address }) => address === EVE);
  await store.humanProofs.answer(first!, reads);
}

/** Leaves followers to look up, weights to update, and what is known of an account that many use. */
async function changeGraph(
  { store, now, upstream }: TestDeps,
): Promise<void> {
  const at = now().getTime();
  for (const follower of [addressOf(30), addressOf(31)]) {
    const ends = { follower, followee: ADA };
    await store.follows.change({ kind: "follow", at, ...ends });
  }
  const lookups = await Array.fromAsync(store.followerLookups.list(at));
  const [first] = lookups.filter(({ follower }) => follower === addressOf(31));
  await store.followerLookups.answer([first!], { nonce: 0, at });
  const origin = upstream.explorer.baseUrl;
  const hubs = [[addressOf(40), { nonce: 1, isContract: false }]] as const;
  const signals = { ...NO_CHAIN, fetchedAt: at, ...paid(7) };
  await store.signals.put(ADA, { signals, origin }, { hubs });
  const [update] = await Array.fromAsync(store.pendingWeightUpdates.list());
  await store.pendingWeightUpdates.advance(update!, addressOf(0));
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
