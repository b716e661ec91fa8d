/** How long records are kept: as long as something rests on them, and not much longer. */
import { assert, assertEquals } from "@std/assert";
import { COLLECTIONS } from "../../services/stores.ts";
import { CHALLENGE_MS } from "../../services/accounts/challenges.ts";
import { SESSION_MS } from "../../services/accounts/sessions.ts";
import { PERIOD_DAYS } from "../../services/payments/plans_schema.ts";
import { CLAIMABLE_MS } from "../../services/payments/quotes_store.ts";
import { DAY_MS, HOUR_MS } from "../../services/platform/days.ts";
import { HISTORY_DAYS as STATUS_DAYS } from "../../services/platform/observability/process_metrics_schema.ts";
import { CLAIM_MS, SIGN_IN_MS } from "../../services/profiles/socials.ts";
import { HISTORY_DAYS } from "../../services/model/scores_schema.ts";
import { PROOF_SOURCE_NAMES } from "../../services/model/human_proofs_schema.ts";
import { NO_CHAIN } from "../../services/model/signals.ts";
import { exampleOf } from "../../simnet/accounts.ts";
import { payerOf } from "../support/payers.ts";
import { breakKv, loseOutcome } from "../support/kv/faulty_kv.ts";
import { chargeOf } from "../../services/accounts/quota/quota.ts";
import { enrol } from "../support/callers.ts";
import { testDeps } from "../support/deps.ts";
import { newPayer, paidDeps } from "../support/evm/payers.ts";
import { newOwner } from "../support/owners.ts";

const MINUTE_MS = 60_000;

/** Of each collection: how long something rests on its records, and what that is. */
const NEEDED = {
  attestation_nonces: [7 * DAY_MS, "an attestation is valid for a week"],
  audit: [2 * 365 * DAY_MS, "the audit trail shows two years"],
  budgets: [DAY_MS, "limits of a day count its calls"],
  call_logs: [30 * DAY_MS, "a key that was used this month says when"],
  challenges: [CHALLENGE_MS, "a message can be signed for ten minutes"],
  cohorts: [90 * DAY_MS, "wallets are compared with those funded before"],
  hubs: [30 * DAY_MS, "a hub is looked up once in 30 days"],
  human_proof_queue: [HOUR_MS, "a job reads registries next"],
  human_proofs: [90 * DAY_MS, "a proof counts while its address is scored"],
  domain_claims: [CLAIM_MS, "a domain can be verified for a week"],
  oauth_states: [SIGN_IN_MS, "a sign-in at GitHub takes ten minutes"],
  ping: [MINUTE_MS, "it is written to be read at once"],
  quotes: [CLAIMABLE_MS, "a quote can be claimed for a week"],
  read_queue: [HOUR_MS, "a job reads the series next"],
  score_histories: [HISTORY_DAYS * DAY_MS, "the history shows ninety days"],
  score_refreshes: [7 * DAY_MS, "reads of the last seven days count"],
  set_aside: [DAY_MS, "the lists are read once a day"],
  sessions: [SESSION_MS, "a session lasts half a day"],
  signals: [
    (30 + HISTORY_DAYS) * DAY_MS,
    "an address whose history shows a point was scored",
  ],
  job_incidents: [STATUS_DAYS * DAY_MS, "the status page shows ninety days"],
  traffic_days: [STATUS_DAYS * DAY_MS, "the status page shows ninety days"],
  traffic_receipts: [MINUTE_MS, "a commit is tried again for seconds"],
  unsettled_units: [3 * DAY_MS, "a job that fails is mended within days"],
  usage: [PERIOD_DAYS * DAY_MS + HOUR_MS, "units count until 30 days later"],
} as const satisfies Record<string, readonly [ms: number, why: string]>;

/** Longer than needed by at most this factor, and by a day. */
const SPARE = 5;

type Expiring = keyof typeof NEEDED;

/** A write of a record. */
interface Write {
  readonly key: Deno.KvKey;
  readonly expireIn: number | undefined;
}

/** Records every write from now on. */
function tapWrites(kv: Deno.Kv): Write[] {
  const writes: Write[] = [];
  const { set, atomic } = kv;
  kv.set = (key, value, options) => {
    writes.push({ key, expireIn: options?.expireIn });
    return set.call(kv, key, value, options);
  };
  kv.atomic = () => {
    const operation = atomic.call(kv);
    const put = operation.set.bind(operation);
    operation.set = (key, value, options) => {
      writes.push({ key, expireIn: options?.expireIn });
      return put(key, value, options);
    };
    return operation;
  };
  return writes;
}

Deno.test("records that expire are kept as long as they are needed, and not much longer", () => {
  const lives = Object.entries(COLLECTIONS)
    .filter(([, { expireMs }]) => expireMs !== undefined);
  assertEquals(lives.map(([name]) => name).sort(), Object.keys(NEEDED).sort());
  for (const [name, { expireMs }] of lives) {
    const [needed, why] = NEEDED[name as Expiring];
    assert(expireMs! >= needed, `${name} expire too early: ${why}`);
    const most = SPARE * needed + DAY_MS;
    assert(expireMs! <= most, `${name} are kept too long: ${why}`);
  }
});

Deno.test("every write of a collection that expires says when", async () => {
  using deps = await paidDeps();
  using scoring = await testDeps();
  const taps = [deps, scoring].map(({ kv }) => tapWrites(kv));

  const payer = await newPayer(deps);
  await payer.quote("builder");
  await newOwner(scoring).signIn();
  const { ask } = await enrol(scoring);
  assertEquals((await ask(`/score/${exampleOf("ordinary")}`)).status, 200);
  const { store } = scoring;
  const at = scoring.now().getTime();
  const wallet = `0x${"aa".repeat(20)}`;
  const fetched = { signals: NO_CHAIN, origin: "http://explorer.test" };
  const hub = { nonce: 1, isContract: false };
  await store.signals.put(wallet, fetched, { hubs: [[wallet, hub]] });
  await store.socialProofs.putState("state", {
    wallet,
    session: "session",
    browser: "browser",
    codeVerifier: "verifier",
    expiresAt: at,
  });
  const claim = { token: "token", expiresAt: at };
  await store.socialProofs.putClaim(wallet, {
    domain: "example.com",
    claim,
    now: at,
  });
  const score = () => Promise.resolve(null);
  await store.attestationNonces.takeWith(wallet, score, () => at);
  await store.readQueue.add({ subject: 1, metric: "txCount" }, { at });
  await store.humanProofs.queue(wallet, PROOF_SOURCE_NAMES, at);
  await store.setAside.put({
    of: "a list",
    rows: 1,
    reason: "value is null",
    foundAt: at,
  });
  const spend = () =>
    store.usage.spend(payerOf(wallet, "key"), chargeOf("free", "score"), at);
  await loseOutcome(scoring.kv, breakKv(scoring.kv), { isMade: true }, spend);
  await store.usage.storeUnsettled();
  await store.callLogs.add(wallet, [{
    at,
    endpoint: "GET /api/v1/usage",
    keyId: crypto.randomUUID(),
    status: 200,
    units: 0,
    requestId: "request",
  }]);
  await store.trafficDays.add(1, { requests: 1, serverErrors: 0 });
  await store.jobs.end({
    job: "refresh-chains",
    startedAt: 1,
    endedAt: 2,
    outcome: null,
    items: 0,
    error: "down",
  }, "test");
  await store.scores.listRefresh(wallet, at);
  await store.pingWrite();

  const missing = new Set(Object.keys(NEEDED));
  for (const { key, expireIn } of taps.flat()) {
    const name = String(key[0]);
    if (!missing.delete(name) && !(name in NEEDED)) continue;
    if (name === "budgets") {
      assert(expireIn !== undefined, "budgets without an expiry");
      continue;
    }
    assertEquals(expireIn, COLLECTIONS[name as Expiring]!.expireMs, name);
  }
  assertEquals([...missing], [], "not written by this test");
});
