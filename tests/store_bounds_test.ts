/** Who makes each collection of the store grow, and what ends it: the table of SECURITY.md, held by clients that store as much as they can. */
import { assert, assertEquals } from "@std/assert";
import { COLLECTIONS } from "../services/stores.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../services/platform/days.ts";
import { claim } from "./support/graph.ts";
import type { Answer } from "./support/callers.ts";
import type { TestDeps } from "./support/deps.ts";
import { paidDeps } from "./support/evm/payers.ts";
import { keyPair, newOwner, type Owner } from "./support/owners.ts";

/** What ends the growth of a collection. */
interface Bound {
  /** Who causes new records. */
  readonly by: string;
  /** The most records of one wallet. */
  readonly ofWallet: string;
  /** The most records that one network causes; "as changes" is `freeWrite`. */
  readonly ofNetwork: string;
}

const CHANGES = "120 a minute, 600 an hour, 2,000 a day";
const SIGN_INS = "12 a minute, 120 an hour";
const SCORES = "200 new scores a day, and the quotas of 20 new keys a day";
const one = (by: string) => ({ by, ofWallet: "1", ofNetwork: "as wallets" });
const service = (ofNetwork: string) => ({
  by: "the service",
  ofWallet: "none",
  ofNetwork,
});
const payer = {
  by: "who pays",
  ofWallet: "its payments",
  ofNetwork: "its payments",
};

/** The bounds by collection. */
const BOUNDS: Readonly<Record<string, Bound>> = {
  api_key_owners: { by: "an owner", ofWallet: "10", ofNetwork: CHANGES },
  api_key_revision: service("1"),
  api_keys: { by: "an owner", ofWallet: "its changes", ofNetwork: CHANGES },
  attestation_nonces: {
    by: "a plan with signing",
    ofWallet: "its quota",
    ofNetwork: "as wallets",
  },
  audit: { by: "an owner", ofWallet: "its changes", ofNetwork: CHANGES },
  block_samples: service("1 a day"),
  budgets: {
    by: "anyone",
    ofWallet: "1 a kind of change",
    ofNetwork: "3 a kind of change",
  },
  call_logs: one("a key"),
  chains: service("1 a chain"),
  challenges: { by: "anyone", ofWallet: "none", ofNetwork: SIGN_INS },
  cohorts: {
    by: "who asks for scores",
    ofWallet: "2 a score",
    ofNetwork: SCORES,
  },
  disputes: service("1 a day"),
  domain_claims: { by: "an owner", ofWallet: "5", ofNetwork: CHANGES },
  donation_flows: one("an owner"),
  donations: {
    by: "who donates",
    ofWallet: "20 a minute",
    ofNetwork: CHANGES,
  },
  download_build: service("1"),
  download_chunks: service("the files of two releases"),
  download_garbage: service("the files of two releases"),
  download_manifests: service("1 a day"),
  download_release: service("1"),
  download_staged: service("the files of a release"),
  download_tables: service("the files of a release"),
  empty_followers: {
    by: "an owner",
    ofWallet: "1 a day",
    ofNetwork: CHANGES,
  },
  format: service("1"),
  graph_changes: one("an owner"),
  graph_cursor: service("1"),
  graphs: {
    by: "an owner, or who asks for scores",
    ofWallet: "50 follows, or 5,000 once it has paid gas",
    ofNetwork: CHANGES,
  },
  hubs: {
    by: "who asks for scores",
    ofWallet: "2 a score",
    ofNetwork: SCORES,
  },
  human_count: service("1"),
  human_evidence: {
    by: "an owner",
    ofWallet: "1 an account",
    ofNetwork: CHANGES,
  },
  human_proof_queue: {
    by: "who asks for scores",
    ofWallet: "1 a score",
    ofNetwork: SCORES,
  },
  human_proofs: {
    by: "who asks for scores",
    ofWallet: "1 a score",
    ofNetwork: SCORES,
  },
  humans: one("an owner"),
  import: service("1"),
  job_incidents: service("1 a job"),
  job_leases: service("1 a job"),
  job_runs: service("1 a job"),
  last_export: service("1"),
  ledgers: payer,
  oauth_states: {
    by: "an owner",
    ofWallet: "10 a minute, 30 an hour",
    ofNetwork: CHANGES,
  },
  paid_blocks: payer,
  paid_transactions: payer,
  payment_scan: service("1"),
  payment_watch: service("1 a treasury"),
  ping: service("1"),
  plan_ends: one("who pays"),
  plans: one("who pays"),
  profile_imports: { ...service("none"), by: "the operator" },
  profile_reports: service("none: nothing writes it"),
  profiles: one("an owner"),
  publications: service("4"),
  quotes: one("an owner"),
  read_queue: { ...service("1 a series"), by: "who reads chain data" },
  rechecks: service("1 a metric"),
  revoked_payments: payer,
  score_cursor: service("1"),
  score_histories: {
    by: "who asks for scores",
    ofWallet: "1 a score",
    ofNetwork: SCORES,
  },
  score_refreshes: {
    by: "who asks for scores",
    ofWallet: "2 a score",
    ofNetwork: SCORES,
  },
  series: service("1 a series and year"),
  series_doubts: service("1 a series"),
  series_failures: service("1 a series"),
  sessions: {
    by: "who signs in",
    ofWallet: "its sign-ins",
    ofNetwork: SIGN_INS,
  },
  set_aside: service("1 a list of a source"),
  signals: {
    by: "who asks for scores",
    ofWallet: "1 a score",
    ofNetwork: SCORES,
  },
  slugs: one("an owner"),
  socials: { by: "an owner", ofWallet: "2 an account", ofNetwork: CHANGES },
  store_id: service("1"),
  traffic_days: service("1 a day"),
  traffic_receipts: service("1 a batch of counts"),
  unknown_followers: {
    by: "an owner",
    ofWallet: "50",
    ofNetwork: CHANGES,
  },
  unsettled_units: {
    by: "a key",
    ofWallet: "1 a commit that got no answer",
    ofNetwork: "as wallets",
  },
  usage: one("a key"),
  validator_days: service("1 a day"),
  waiting_scores: service("1"),
  wallet_keys: one("an owner"),
};

function expiryOf(name: string): string {
  const { expireMs, expireMsOf } = COLLECTIONS[name]!;
  if (expireMs === undefined) return expireMsOf ? "if unused" : "none";
  if (expireMs >= DAY_MS) return `${expireMs / DAY_MS} days`;
  return expireMs >= HOUR_MS
    ? `${expireMs / HOUR_MS} hours`
    : `${expireMs / MINUTE_MS} minutes`;
}

/** Returns the rows of the table in SECURITY.md, cells by collection. */
async function readTable(): Promise<Record<string, string[]>> {
  const text = await Deno.readTextFile(
    new URL("../SECURITY.md", import.meta.url),
  );
  const part = text.split("## What the store keeps")[1] ?? "";
  const rows = part.split("\n").filter((line) => line.startsWith("| `"));
  return Object.fromEntries(rows.map((row) => {
    const [name, ...cells] = row.split("|").slice(1, -1).map((cell) =>
      cell.trim()
    );
    return [name!.replaceAll("`", ""), cells];
  }));
}

Deno.test("every collection has a bound, and SECURITY.md has its row", async () => {
  assertEquals(Object.keys(BOUNDS).sort(), Object.keys(COLLECTIONS).sort());
  const expected = Object.fromEntries(
    Object.entries(BOUNDS).map(([name, { by, ofWallet, ofNetwork }]) => [
      name,
      [by, ofWallet, ofNetwork, expiryOf(name)],
    ]),
  );
  assertEquals(await readTable(), expected);
});

/** Counts the records of each collection. */
async function countRecords(kv: Deno.Kv): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for await (const { key } of kv.list({ prefix: [] })) {
    const name = String(key[0]);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** A service with payments and a GitHub app. */
async function openService() {
  const deps = await paidDeps();
  const github = {
    signInUrl: () => Promise.resolve("https://github.test/"),
    readUser: () => Promise.resolve({ kind: "denied" as const }),
  };
  return { ...deps, upstream: { ...deps.upstream, github } };
}

/** An owner with the cookie of the session, which a sign-in elsewhere replaces. */
type SignedIn = Owner & { readonly session: string };

/** What owners do who store as much as they can: each kind of change, `nth` differs. */
const CHANGES_OF: Readonly<
  Record<string, (owner: SignedIn, nth: number) => Promise<Answer>>
> = {
  follow: (owner, nth) =>
    owner.call("PUT", `/follows/0x${nth.toString(16).padStart(40, "f")}`),
  domain: (owner, nth) =>
    owner.call("POST", "/socials/domain", {
      body: { domain: `firn${nth}.com` },
    }),
  gitHub: (owner) =>
    owner.call("POST", "/socials/github", {
      headers: { Cookie: owner.session },
    }),
  quote: (owner) =>
    owner.call("POST", "/quotes", { body: { product: "builder" } }),
  profile: (owner, nth) =>
    owner.call("PUT", "/profile", {
      body: { displayName: `n${nth}`, slug: null, linksPublic: false },
    }),
};

async function signInMany(deps: TestDeps, count: number): Promise<SignedIn[]> {
  const owners: SignedIn[] = [];
  for (let nth = 0; nth < count; nth++) {
    const owner = newOwner(deps, keyPair(nth + 1));
    await owner.signIn();
    owners.push({ ...owner, session: owner.cookie() });
  }
  await claim(deps, owners.map(({ wallet }) => wallet));
  return owners;
}

Deno.test("twelve wallets of one network store no more than a network may, whatever they change", async (t) => {
  for (const [name, change] of Object.entries(CHANGES_OF)) {
    await t.step(name, async () => {
      using deps = await openService();
      const owners = await signInMany(deps, 12);
      const before = await countRecords(deps.kv);
      const statuses: number[] = [];
      for (let nth = 0; nth < 15; nth++) {
        const answers = owners.map((owner, of) =>
          change(owner, 100 * (nth + 1) + of)
        );
        for (const { status } of await Promise.all(answers)) {
          statuses.push(status);
        }
      }
      assert(statuses.includes(200), statuses.join());
      assert(
        statuses.filter((status) => status === 200).length <= 120,
        "more than 120 changes a minute",
      );
      assertEquals(statuses.at(-1), 429);
      const after = await countRecords(deps.kv);
      for (const [collection, count] of Object.entries(after)) {
        assert(Object.hasOwn(BOUNDS, collection), `${collection} has no bound`);
        const more = count - (before[collection] ?? 0);
        // A follow has an edge, an index entry, the sums of both, and arrivals.
        const most = collection === "graphs" ? 5 * 120 : 240;
        assert(more <= most, `${more} more records in ${collection}`);
      }
    });
  }
});

Deno.test("a wallet without gas follows 50 addresses, and one that has paid gas more", async () => {
  using deps = await openService();
  const [owner] = await signInMany(deps, 1);
  const { follow } = CHANGES_OF;
  for (let nth = 0; nth < 50; nth++) {
    assertEquals((await follow!(owner!, nth)).status, 200, String(nth));
  }
  const refused = await owner!.call("PUT", `/follows/0x${"ab".repeat(20)}`);
  assertEquals(
    [refused.status, refused.body.code],
    [409, "TOO_MANY_FOLLOWS"],
    refused.text,
  );
  // Following one of them again changes nothing, and is no refusal.
  assertEquals((await follow!(owner!, 7)).status, 200);
  await deps.kv.set(["graphs", owner!.wallet], {
    ...(await deps.kv.get<object>(["graphs", owner!.wallet])).value,
    known: { claimed: true, hasHistory: true, gasAvax: 0.01 },
  });
  deps.advance(MINUTE_MS + 2_000);
  assertEquals((await follow!(owner!, 51)).status, 200);
});

Deno.test("a wallet has five pending domains: the one that ends first makes room", async () => {
  using deps = await openService();
  const [owner] = await signInMany(deps, 1);
  for (let nth = 0; nth < 9; nth++) {
    deps.advance(1_000);
    const { status, text } = await CHANGES_OF.domain!(owner!, nth);
    assertEquals(status, 200, text);
  }
  const { domain_claims: claims } = await countRecords(deps.kv);
  assertEquals(claims, 5);
  const newest = await deps.store.socialProofs.findClaim(
    owner!.wallet,
    "firn8.com",
    deps.now().getTime(),
  );
  assert(newest !== null);
});
