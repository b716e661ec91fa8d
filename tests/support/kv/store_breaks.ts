/** Writes that break the rules of the store, one each. */
import { gzipSync } from "node:zlib";
import { DAY_MS, dayAt } from "../../../services/platform/days.ts";
import { weigh } from "../../../services/profiles/follows/follow_edges.ts";
import { newProfile } from "../../../services/profiles/profile.ts";
import type { CallLogRecord } from "../../../services/accounts/calls/call_log_store.ts";
import { encodeLog } from "../../../services/chain_data/series/revision_log_codec.ts";
import { pack } from "../../../services/accounts/quota/usage_record.ts";
import { WALLET } from "../callers.ts";
import { type TestDeps } from "../deps.ts";
import { ADA, BLOCK, BOB, EVE, PAYER, TX_HASH } from "./filled_store.ts";
import { NOW, orderOf, pay } from "../evm/orders.ts";

const CHAIN = 43_114;

/** Returns the new value of a record from its current one; null deletes it. */
// deno-lint-ignore no-explicit-any -- records of every collection go through here.
type Change = (held: any) => unknown;

/** The writes that break one rule. */
export type Break = readonly (readonly [key: Deno.KvKey, change: Change])[];

/** Usage records with wrong sums, too many units, and a log out of order. */
async function listUsages({ store }: TestDeps) {
  const { period } = await store.usage.readWallet(WALLET);
  const { since, units } = period.hours;
  const withUnits = (units: readonly number[]) =>
    pack({
      period: { ...period, hours: { since, units } },
      bursts: {},
      keys: {},
    }, []);
  const backwards = { single: [2, 1], batch: [] };
  return {
    // Of a whole day, no endpoint counted anything.
    uneven: withUnits([...units, ...Array(48).fill(1)]),
    tooMuch: withUnits([2_000_000, ...units.slice(1)]),
    backwards: pack({ period, bursts: { id: backwards }, keys: {} }, []),
    // The wallet spent less than one of its keys.
    overspent: pack({
      period,
      bursts: {},
      keys: { id: { since: period.days.score!.since, units: [1_000] } },
    }, []),
  };
}

/** Returns writes for each rule that break it, and no other rule. */
export async function listBreaks(
  deps: TestDeps,
): Promise<Record<string, Break>> {
  const { kv } = deps;
  const held = await kv.get<object>(["wallet_keys", WALLET]);
  const [keyId = ""] = Object.keys(held.value!);
  const { value: session } = await kv.list({ prefix: ["sessions"] }).next();
  const { uneven, tooMuch, backwards, overspent } = await listUsages(deps);
  const usage = ["usage", WALLET];
  const { value: log } = await kv.get<CallLogRecord>(
    ["call_logs", WALLET],
  );
  const endpoints = log!.endpoints.map(() => `GET /score/${ADA}`);
  const namingAddress = { ...log, endpoints };
  const series = ["series", 43114, "txCount", "head"];
  const bought = { ...pay(49, orderOf("builder")), quoteId: "quote" };
  const line = { ...bought, transaction: null, revokedAt: null };
  const edge = { at: NOW, mutual: false };
  const heavy = { claimed: true, hasHistory: true, gasAvax: 5 };
  const donation = { at: 0, amount: 5n, counted: 6n };
  return {
    "key-listed": [[["wallet_keys", WALLET], () => ({})]],
    "key-owner": [[["api_key_owners", keyId], () => null]],
    "listed-key": [[["wallet_keys", EVE], () => ({
      id: { hash: "no hash", expiresAt: null },
    })]],
    "call-log": [[["call_logs", WALLET], () => namingAddress]],
    "usage-sums": [[usage, () => uneven]],
    "usage-limit": [[usage, () => tooMuch]],
    "usage-burst": [[usage, () => backwards]],
    "usage-keys": [[usage, () => overspent]],
    session: [[session!.key, (held) => ({ ...held, expiresAt: 0 })]],
    "audit-order": [[["audit", ADA, 5, "id"], () => ({ at: 6 })]],
    "attestation-nonce": [[["attestation_nonces", ADA], () => -1]],
    entitlements: [[
      ["plans", PAYER],
      (held) => ({
        ...held,
        entitlements: { ...held.entitlements, credit: 1n },
      }),
    ]],
    "ledger-entry": [[["ledgers", EVE, 0], () => line]],
    payment: [[["paid_blocks", BLOCK, TX_HASH, PAYER], () => null]],
    "paid-transaction": [[["paid_transactions", "0x1", PAYER], () => 0]],
    "paid-block": [[
      ["paid_blocks", 5, TX_HASH, PAYER],
      () => "0xb0",
    ]],
    quotes: [[["quotes", PAYER], (held) => [...held, ...held]]],
    "revoked-payment": [[["revoked_payments", "0x1", PAYER], () => 0]],
    "payment-watch": [[["payment_watch", "0x1", "0x2"], () => -1]],
    "payment-scan": [[
      ["payment_scan"],
      (held) => ({ ...held, block: -1 }),
    ]],
    "profile-names": [[["slugs", "adal"], () => null]],
    "profile-accounts": [[["profiles", ADA], (held) => ({
      ...held,
      socials: [...held.socials, ...held.socials],
    })]],
    "human-proofs": [[["human_proofs", PAYER], () => ({
      reads: { world: { readAt: null, proof: { strength: 2 } } },
    })]],
    "profile-known": [[["profiles", EVE], () => newProfile(NOW)]],
    "profile-number": [[["profiles", BOB], (held) => ({
      ...held,
      verifiedHuman: 5,
    })]],
    slug: [[["slugs", "eve"], () => ({ address: EVE, id: null })]],
    account: [[
      ["socials", "x", "@eve"],
      () => ({ address: ADA, id: null }),
    ]],
    human: [[["humans", 5], () => ADA]],
    "human-evidence": [[
      ["human_evidence", "x", "@eve"],
      () => ({ number: 5, id: null }),
    ]],
    "human-count": [[["human_count"], () => 5]],
    donation: [[["donations", "0x1", BOB, ADA], () => donation]],
    "donation-flows": [[["donation_flows", EVE], () => ({
      given: [],
      received: [{ at: 2, amount: 1n }, { at: 1, amount: 1n }],
    })]],
    "profile-import": [[["profile_imports", "sha"], (held) => ({
      ...held,
      lines: 0,
    })]],
    follow: [[["graphs", ADA, "follows", EVE], () => ({
      ...edge,
      ...weigh({ ...heavy, gasAvax: 3 }, 1),
    })]],
    "follow-weight": [[
      ["graphs", EVE],
      (held) => ({ ...held, known: heavy }),
    ]],
    follower: [[["graphs", EVE, "followers", ADA], () => true]],
    "follow-sums": [[
      ["graphs", EVE],
      (held) => ({ ...held, following: 2 }),
    ]],
    "follow-leaving": [[
      ["graphs", EVE],
      (held) => ({ ...held, isLeaving: true }),
    ]],
    "follow-hours": [[
      ["graphs", PAYER, "hours", 1],
      () => new Float64Array(),
    ]],
    "download-table": [[["download_tables", "none"], () => ({
      name: "none",
      files: [{ version: "none", bytes: 1 }],
    })]],
    "download-manifest": [[
      ["download_manifests", "2026-11-21"],
      () => ({
        date: "2026-11-21",
        sha256: "none",
        zipped: new Uint8Array(gzipSync("{}")),
        signature: null,
      }),
    ]],
    "signals-known": [[
      ["signals", PAYER],
      (held) => ({ ...held, nonce: 1, firstTxAt: 1 }),
    ]],
    "chain-list": [[["chains", CHAIN], () => null]],
    chain: [[["chains", 1], () => ({ chainId: 1 })]],
    series: [[series, (held) => ({
      ...held,
      days: { ...held.days, newest: held.days.newest - 1 },
    })]],
    "series-year": [[
      ["series", 1, "txCount", 2025],
      () => new Float64Array(365),
    ]],
    publication: [[["publications", "newest"], (held) => ({
      ...held,
      publishedAt: held.confirmedAt + 1,
    })]],
    dispute: [[
      ["disputes", "transactions", dayAt(NOW) + 9],
      () => NOW,
    ]],
    "series-log": [[
      ["series", 1, "txCount", "log", 2025],
      () => encodeLog(2025, { isCut: false, entries: [] }).bytes,
    ]],
    sweep: [[
      ["publications", "sweep"],
      (held) => ({ ...held, finishedAt: 0 }),
    ]],
    "validator-day": [[["validator_days", dayAt(NOW) + 9], () => ({
      day: dayAt(NOW),
      takenAt: NOW,
    })]],
    "block-sample": [[["block_samples", 1], () => ({ day: 2 })]],
    "score-history": [[["score_histories", ADA], () => ({
      points: [{ day: 2 }, { day: 2 }],
      readAt: 0,
    })]],
    "cohort-members": [[["cohorts", ADA], () => ({
      members: [{ address: EVE }, { address: EVE }],
    })]],
    "unknown-follower": [[
      ["unknown_followers", 1, ADA, BOB],
      () => true,
    ]],
    "waiting-scores": [[["waiting_scores"], () => [ADA, ADA]]],
    recheck: [[["rechecks", "txCount"], () => NaN]],
    "job-lease": [[["job_leases", "x"], () => ({
      holder: "x",
      until: NOW + 9 * DAY_MS,
    })]],
    "job-run": [[["job_runs", "refresh-series"], (held) => ({
      ...held,
      error: "and yet it ended well",
    })]],
    "job-incidents": [[["job_incidents", "x"], () => [
      { job: "x", from: 1, to: null, failedRuns: 1, error: "it lasts" },
      { job: "x", from: 2, to: 3, failedRuns: 1, error: "behind it" },
    ]]],
    "traffic-day": [[["traffic_days", 1], () => ({
      requests: 1,
      serverErrors: 2,
    })]],
    "whole-copy": [[["import"], () => ({ sha256: "x" })]],
    "known-record": [[["graphs", ADA, "friends", BOB], () => true]],
  };
}
