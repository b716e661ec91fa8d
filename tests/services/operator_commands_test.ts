/** Operator commands: what they write, print and return. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createApiKey } from "../../services/accounts/api_keys.ts";
import {
  createKey,
  grantPlan,
  listKeys,
  revokeKey,
  scoreAddress,
} from "../../services/operator/wallet_commands.ts";
import { STORED_METRICS } from "../../services/chain_data/catalogue/metrics_schema.ts";
import { forgetSeries } from "../../services/operator/series_commands.ts";
import {
  checkStore,
  exportBackup,
  importBackup,
} from "../../services/operator/backup.ts";
import { HOUR_MS } from "../../services/platform/days.ts";
import {
  hideProfile,
  showProfile,
  verifyHuman,
} from "../../services/operator/profile_commands.ts";
import { newProfile } from "../../services/profiles/profile.ts";
import { runCommand } from "../support/commands.ts";
import { testDeps } from "../support/deps.ts";
import { putSeries } from "../support/series.ts";
import { after, standingOf } from "../support/evm/payers.ts";

const WALLET = `0x${"AA".repeat(20)}`;
const OWNER = WALLET.toLowerCase();
const OTHER = `0x${"bb".repeat(20)}`;
const NO_WALLET = {
  status: 2,
  text:
    'Invalid wallet "0x12": expected 0x and 40 hexadecimal digits, in one case or with a valid checksum (EIP-55)',
};

Deno.test("key create, key list and key revoke: a key of a wallet from its first to its last request", async () => {
  using deps = await testDeps();
  const run = (command: typeof createKey, ...args: string[]) =>
    runCommand(command, deps, ...args);
  assertEquals(await run(listKeys, WALLET), { status: 0, text: "0 keys" });
  const live = await run(createKey, WALLET, "--name", "first");
  assertEquals(live.status, 0);
  const [, id = ""] = live.text.match(/^id (\S+)\nfirn_live_\w+$/) ?? [];
  deps.advance(24 * HOUR_MS);
  const test = await run(createKey, OWNER, "--test");
  assertMatch(test.text, /^id \S+\nfirn_test_\w+$/);
  const listed = await run(listKeys, WALLET);
  const [first, second, count] = listed.text.split("\n");
  assertMatch(
    first!,
    new RegExp(`^${id}  firn_live_\\w+…  2026-11-21  first$`),
  );
  assertMatch(second!, /^\S+ {2}firn_test_\w+… {2}2026-11-22 {2}operator$/);
  assertEquals(count, "2 keys");
  assertEquals(await run(revokeKey, id), { status: 0, text: "revoked" });
  assertEquals(await run(revokeKey, "none"), {
    status: 1,
    text: 'no key has the id "none"',
  });
  assertMatch((await run(listKeys, OWNER)).text, /^\S+.*\n1 key$/);
  for (const command of [createKey, listKeys]) {
    assertEquals(await run(command, "0x12"), NO_WALLET);
  }
});

Deno.test("key create refuses more keys than a wallet may have", async () => {
  using deps = await testDeps();
  for (let nth = 0; nth < 20; nth++) {
    const { status, text } = await runCommand(createKey, deps, WALLET);
    if (status === 0) continue;
    assertEquals([nth, status, text], [
      10,
      2,
      `Cannot create a key: ${OWNER} has 10 keys, the maximum`,
    ]);
    return;
  }
  throw new Error("the wallet may have any number of keys");
});

Deno.test("plan grant puts a wallet on a plan for 30 days, or for those that are given", async () => {
  using deps = await testDeps();
  const run = (...args: string[]) => runCommand(grantPlan, deps, ...args);
  assertEquals(await run(WALLET, "builder"), {
    status: 0,
    text: `builder until ${after(30)}`,
  });
  assertEquals(await standingOf(deps, OWNER), ["builder", 0n]);
  assertEquals(await run(OTHER, "growth", "--days", "9999"), {
    status: 0,
    text: `growth until ${after(9_999)}`,
  });
  deps.advance(30 * 24 * HOUR_MS);
  assertEquals(await standingOf(deps, OWNER), ["free", 0n]);
  assertEquals(await run("0x12", "builder"), NO_WALLET);
  assertEquals(await run(WALLET, "free"), { status: 0, text: "free" });
  const plans = "expected one of free, builder, growth, scale";
  const days = "expected a whole number from 1 to 9999";
  const cases: [args: string[], text: string][] = [
    [["pro"], `Invalid plan "pro": ${plans}`],
    [[], `Invalid plan "": ${plans}`],
    [["builder", "--days", "0"], `Invalid days "0": ${days}`],
    [["free", "--days", "10000"], `Invalid days "10000": ${days}`],
  ];
  for (const [args, text] of cases) {
    assertEquals(await run(WALLET, ...args), { status: 2, text });
  }
});

Deno.test("forget-series deletes a series, and names what it expects", async () => {
  using deps = await testDeps();
  const run = (...args: string[]) => runCommand(forgetSeries, deps, ...args);
  const nothing = { status: 1, text: "nothing stored" };
  assertEquals(await run("43114", "txCount"), nothing);
  for (const bad of [[], ["0", "txCount"], ["1", "no"], ["1".repeat(16)]]) {
    assertEquals(await run(...bad), {
      status: 2,
      text: `Invalid series "${bad[0] ?? ""} ${bad[1] ?? ""}": expected a ` +
        `chain id and one of ${STORED_METRICS.join(", ")}`,
    });
  }
  const id = { subject: 43114, metric: "txCount" } as const;
  await putSeries(deps, id, { from: "2026-11-01", values: [1] });
  assertEquals(await run("43114", "gasUsed"), nothing);
  const forgotten = { status: 0, text: "forgotten" };
  assertEquals(await run("43114", "txCount"), forgotten);
  assertEquals(await run("43114", "txCount"), nothing);
});

Deno.test("check-store counts the records, and says which rule one breaks", async () => {
  using deps = await testDeps();
  const run = () => runCommand(checkStore, deps);
  assertEquals(await run(), {
    status: 0,
    text: "0 records, 0 rules broken",
  });
  await deps.kv.set(["signals", OTHER], "no signals");
  const { status, text } = await run();
  const [broken, count] = text.split("\n");
  assertMatch(broken!, /^\S+ \["signals",".*"\] breaks the rule ".+"/);
  assertEquals([status, count], [1, "1 records, 1 rules broken"]);
});

Deno.test("profile commands: a number for a person, and a profile that is hidden and shown", async () => {
  using deps = await testDeps();
  const run = (command: typeof hideProfile, ...args: string[]) =>
    runCommand(command, deps, ...args);
  const unclaimed = { status: 1, text: "the profile is unclaimed" };
  for (const command of [verifyHuman, hideProfile, showProfile]) {
    assertEquals((await run(command)).status, 2);
    assertEquals(await run(command, "0x12"), NO_WALLET);
    assertEquals(await run(command, WALLET), unclaimed);
  }
  const at = deps.now().getTime();
  const profile = { ...newProfile(at), displayName: "Ada", slug: null };
  await deps.store.profiles.change(OWNER, () => ({
    profile,
    audit: { at, event: "profile.update", requestId: "test" },
  }));
  assertEquals(await run(verifyHuman, WALLET), { status: 0, text: "1" });
  assertEquals(await run(hideProfile, WALLET), { status: 0, text: "hidden" });
  assertEquals(await run(showProfile, WALLET), { status: 0, text: "shown" });
});

Deno.test("export writes a private file under its name once it is complete, and import reads it into an empty store", async () => {
  const folder = await Deno.makeTempDir();
  try {
    using deps = await testDeps();
    await createApiKey(deps, { wallet: OWNER, name: "mine" });
    const [file, part] = [
      `${folder}/copy.ndjson`,
      `${folder}/copy.ndjson.part`,
    ];
    // What another run left, which others may read.
    await Deno.writeTextFile(part, "left", { mode: 0o644 });
    const done = await runCommand(exportBackup, deps, file);
    assertEquals(done.status, 0);
    assertMatch(done.text, /^\d+ entries, SHA-256 [0-9a-f]{64}$/);
    const { mode } = await Deno.stat(file);
    assertEquals(mode! & 0o777, 0o600);
    assertEquals(await Deno.stat(part).then(() => 1, () => 0), 0);
    const text = await Deno.readTextFile(file);
    assertEquals(JSON.parse(text.split("\n")[0]!).takenAt !== undefined, true);

    using empty = await testDeps();
    const kept = await runCommand(importBackup, empty, file, "--keep-keys");
    assertEquals(kept, { status: 0, text: done.text });
    const { text: keys } = await runCommand(listKeys, empty, WALLET);
    assertMatch(keys, /\n1 keys?$|^1 keys?$/m);
    using other = await testDeps();
    const { status, text: lines } = await runCommand(importBackup, other, file);
    assertEquals(status, 0);
    assert(lines.endsWith(done.text), lines);
    assertMatch(lines, /^1 .*\n/);
    const missing = {
      status: 2,
      text: "Missing file: expected the path of an NDJSON file",
    };
    assertEquals(await runCommand(exportBackup, deps), missing);
    assertEquals(await runCommand(importBackup, deps, "--keep-keys"), missing);
    assertEquals(await runCommand(importBackup, deps, `${folder}/none`), {
      status: 2,
      text:
        `Invalid file "${folder}/none": expected the path of a file that exists`,
    });
    await Deno.mkdir(`${folder}/folder.part`);
    await Deno.writeTextFile(`${folder}/folder.part/x`, "");
    const failed = await runCommand(exportBackup, deps, `${folder}/folder`)
      .catch((error: unknown) => error);
    assert(failed instanceof Error, "a folder is not removed");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("commands that only read work on a copy of the database", () => {
  const traits = [
    exportBackup,
    importBackup,
    checkStore,
    scoreAddress,
    forgetSeries,
    createKey,
  ].map(({ readsSnapshot = false }) => readsSnapshot);
  assertEquals(traits, [true, false, true, true, false, false]);
});
