/**
 * A backup holds no session or client address, and restoring an older one
 * revives no key, session, payment or nonce.
 */
import { SERVICE } from "../../services/platform/rate_limit/call_budget.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { signScore } from "../../services/attestations/attestations.ts";
import {
  exportStore,
  exportToFile,
  importStore,
} from "../../services/operator/backup.ts";
import { DAY_MS } from "../../services/platform/days.ts";
import { SIGNING } from "../support/attestations.ts";
import { askScoring } from "../support/callers.ts";
import { START, type TestDeps, testDeps } from "../support/deps.ts";
import { newPayer, paidDeps, standingOf } from "../support/evm/payers.ts";
import { succeed } from "../support/jobs.ts";
import { assertSound } from "../support/kv/invariants.ts";
import { newProfile } from "../../services/profiles/profile.ts";
import { newOwner } from "../support/owners.ts";

const SUBJECT = `0x${"ab".repeat(20)}`;

/** Exports the store and returns the lines. */
async function exportLines(deps: TestDeps): Promise<string[]> {
  let lines: string[] = [];
  await exportStore(deps, async (copy) => {
    lines = (await Array.fromAsync(copy)).map((line) => line.trimEnd());
  });
  return lines;
}

/** Empties the store, as a lost disk does, and imports an export. */
async function restore(
  deps: TestDeps,
  lines: readonly string[],
  { isCurrent = false } = {},
): Promise<string[]> {
  for await (const { key } of deps.kv.list({ prefix: [] })) {
    await deps.kv.delete(key);
  }
  async function* open() {
    yield* lines;
  }
  const { changes } = await importStore(deps, open, { isCurrent });
  return Array.from(changes, ([says, count]) => `${count} ${says}`);
}

async function works(deps: TestDeps, key: string): Promise<boolean> {
  const headers = { "X-Api-Key": key };
  const { status } = await askScoring(deps, "/usage", { headers });
  assert(status === 200 || status === 401, String(status));
  return status === 200;
}

Deno.test("a backup can be read by its user only, also where an older file was open to all", async () => {
  using deps = await testDeps();
  await newOwner(deps).signIn();
  const folder = await Deno.makeTempDir({ prefix: "firn_test_" });
  const file = `${folder}/firn.ndjson`;
  const mode = async () => ((await Deno.stat(file)).mode ?? 0) & 0o777;
  await exportToFile(deps, file);
  assertEquals(await mode(), 0o600);

  await Deno.chmod(file, 0o666);
  await Deno.writeTextFile(`${file}.part`, "of an export that was killed");
  await Deno.chmod(`${file}.part`, 0o666);
  await exportToFile(deps, file);
  assertEquals(await mode(), 0o600);

  // A link to a file of somebody else is replaced, not written through.
  await Deno.writeTextFile(`${folder}/elsewhere`, "as it was");
  await Deno.symlink(`${folder}/elsewhere`, `${file}.part`);
  await exportToFile(deps, file);
  assertEquals(await Deno.readTextFile(`${folder}/elsewhere`), "as it was");
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a backup holds no session, pending sign-in, lease, budget or client address", async () => {
  const client = "198.51.100.77";
  using deps = await testDeps();
  const owner = newOwner(deps);
  await owner.signIn();
  const { id } = (await owner.createKey()).body;
  const body = { address: owner.wallet, action: "session" };
  const { nonce } = (await owner.call("POST", "/challenges", { body, client }))
    .body;
  const at = deps.now().getTime();
  const expiresAt = at + DAY_MS;
  const { store } = deps;
  await store.socialProofs.putState("state", {
    wallet: owner.wallet,
    session: "session",
    browser: "browser",
    codeVerifier: "verifier",
    expiresAt,
  });
  await store.socialProofs.putClaim(owner.wallet, {
    domain: "example.org",
    claim: { token: "domain-token", expiresAt },
    now: at,
  });
  await store.jobs.hold("refresh-chains", "holder", {
    now: at,
    forMs: 60_000,
  });

  const stored = await Array.fromAsync(deps.kv.list({ prefix: [] }));
  const names = new Set(stored.map(({ key }) => String(key[0])));
  const secret = [
    "budgets",
    "challenges",
    "domain_claims",
    "job_leases",
    "oauth_states",
    "sessions",
  ];
  assert(secret.every((name) => names.has(name)), [...names].join());

  const text = (await exportLines(deps)).join("\n");
  assert(text.includes(id), "the key of the wallet is in the backup");
  for (const name of [...secret, nonce, client, "domain-token", "verifier"]) {
    assert(!text.includes(name), name);
  }
});

Deno.test("a restored copy revives no revoked key and no ended session; live keys wait for their owner", async () => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  await owner.signIn();
  const gone = (await owner.createKey("gone")).body;
  const revoked = (await owner.createKey("revoked")).body;
  const live = (await owner.createKey("live")).body;
  await owner.revokeKey(gone.id);
  const pending = await owner.prove("session");
  const lines = await exportLines(deps);
  await owner.revokeKey(revoked.id);
  deps.advance(1_000);

  assertEquals(await restore(deps, lines), [
    "2 API keys wait until their owners sign in",
  ]);
  assertEquals(
    (await deps.store.invariants.check(deps.now().getTime())).broken,
    [],
  );
  for (const { key } of [gone, revoked, live]) {
    assertEquals(await works(deps, key), false);
  }
  assertEquals((await owner.call("GET", "")).status, 401, "the session ended");
  const replayed = await owner.call("POST", "/session", { body: pending });
  assertEquals(replayed.status, 401, "the message was issued before");
  assertEquals(await works(deps, live.key), false);

  await owner.signIn();
  assertEquals(await works(deps, live.key), true);
  assertEquals(await works(deps, gone.key), false);
  const { audit, keys } = (await owner.call("GET", "")).body;
  const told = audit.find(({ event }: { event: string }) =>
    event === "key.release"
  );
  assertEquals(told?.keys, 2, "the owner is told, and can revoke again");
  assertEquals(keys.length, 2);
  await owner.revokeKey(revoked.id);
  assertEquals(await works(deps, revoked.key), false);
});

Deno.test("with --keep-keys a current copy works unchanged", async () => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  await owner.signIn();
  const { key } = (await owner.createKey()).body;
  const lines = await exportLines(deps);
  assertEquals(await restore(deps, lines, { isCurrent: true }), []);
  assertEquals(await works(deps, key), true);
});

Deno.test("a restored key has its limits, and what it spent of its cap", async () => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  await owner.signIn();
  const limits = { scopes: ["score" as const], maxUnits: 1, note: "kept" };
  const { key } = (await owner.createKey("bot", "live", limits)).body;
  const ask = (path: string) =>
    askScoring(deps, path, { headers: { "X-Api-Key": key } });
  assertEquals((await ask(`/score/${SUBJECT}`)).status, 200);
  const keysOf = async () => (await owner.call("GET", "")).body.keys;
  const [before] = await keysOf();
  await restore(deps, await exportLines(deps));
  await owner.signIn();
  // The log of calls is in no backup.
  assertEquals(await keysOf(), [{ ...before, lastUsedAt: null }]);
  assertEquals([before.used, before.limits.note], [1, "kept"]);
  assertEquals((await ask("/usage")).body.code, "SCOPE_REQUIRED");
  const refused = await ask(`/score/${SUBJECT}`);
  assertEquals(refused.body.code, "KEY_CAP_EXCEEDED");
});

Deno.test("a payment that was used after the copy was taken buys nothing again", async () => {
  using deps = await paidDeps();
  await succeed(deps, "find-payments");
  const payer = await newPayer(deps);
  const { quoteId } = await payer.quote("growth");
  const lines = await exportLines(deps);
  const hash = payer.pay(249_000_000n);
  await succeed(deps, "find-payments");
  assertEquals(await standingOf(deps, payer.wallet), ["growth", 0n]);
  deps.advance(29 * DAY_MS);
  deps.chain.mine(2_000);

  assertEquals(await restore(deps, lines), [
    "1 payment scan starts anew: earlier blocks may hold payments that were credited after the backup",
    "1 treasury is watched anew: earlier payments may have been credited after the backup",
    "1 wallets lost their open quotes, which may have been paid",
  ]);
  await succeed(deps, "find-payments");
  assertEquals(await standingOf(deps, payer.wallet), ["free", 0n]);
  await payer.signIn();
  const claimed = await payer.claim(quoteId, hash);
  assertEquals([claimed.status, claimed.body.code], [404, "QUOTE_NOT_FOUND"]);
});

Deno.test("nonces of attestations continue from the clock, never from an older copy", async () => {
  using deps = await testDeps({ settings: SIGNING });
  const sign = async () =>
    BigInt((await signScore(deps, SUBJECT, 3_600, SERVICE)).message.nonce);
  await sign();
  const lines = await exportLines(deps);
  deps.advance(DAY_MS);
  const used = await sign();
  deps.advance(1);
  await restore(deps, lines);
  assert(await sign() > used);

  // A clock behind the copy would sign with nonces that were used before it.
  deps.advance(Date.parse(START) - DAY_MS - deps.now().getTime());
  await assertRejects(
    () => restore(deps, lines),
    Error,
    "Cannot import the backup: it was taken at",
  );
});

Deno.test("a Verified Human number that was granted after the copy is never granted again", async (t) => {
  const [first, second, third] = ["1", "2", "3"].map((digit) =>
    `0x${digit.repeat(40)}`
  ) as [string, string, string];
  const cause = { at: 0, requestId: null };
  for (const [isCurrent, expected] of [[false, 1_002], [true, 2]] as const) {
    await t.step(
      isCurrent ? "a current copy skips none" : "a copy",
      async () => {
        using deps = await testDeps();
        const { humans, profiles } = deps.store;
        const audit = { ...cause, event: "profile.update" } as const;
        for (const wallet of [first, second, third]) {
          await profiles.change(
            wallet,
            () => ({ profile: newProfile(0), audit }),
          );
        }
        assertEquals(await humans.grant(first, cause), 1);
        const lines = await exportLines(deps);
        if (!isCurrent) assertEquals(await humans.grant(second, cause), 2);
        await restore(deps, lines, { isCurrent });
        assertEquals(await humans.grant(third, cause), expected);
        assertEquals(await humans.grant(first, cause), 1);
        await assertSound(deps.kv);
      },
    );
  }
});
