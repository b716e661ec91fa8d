/** Imports that are killed at any moment: each goes on, and the store ends as one that was never disturbed. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { openStores } from "../../../services/stores.ts";
import { START } from "../../support/deps.ts";
import { addressOf } from "../../support/graph.ts";
import { assertSound, assertSoundFile } from "../../support/kv/invariants.ts";
import {
  kill,
  type Running,
  startOperator,
  until,
} from "../../support/processes/service.ts";

const AT = "2026-01-01T00:00:00Z";
const PROFILES = 250;

/** Times that each import is killed. */
const KILLS = 3;

/** Runs the operator's commands on a database, with a clock that starts at the same instant. */
function operate(kvPath: string, ...args: string[]): Running {
  return startOperator({ KV_PATH: kvPath, FIRN_NOW: START }, ...args);
}

async function succeed(kvPath: string, ...args: string[]): Promise<string> {
  await using running = operate(kvPath, ...args);
  const { code } = await running.process.status;
  await running[Symbol.asyncDispose]();
  assertEquals(code, 0, running.output());
  return running.output();
}

/** Kills an import as soon as the database has got so far, and a moment later. */
async function killOnce(
  kvPath: string,
  args: readonly string[],
  isFar: (kv: Deno.Kv) => Promise<boolean>,
): Promise<void> {
  await using running = operate(kvPath, ...args);
  {
    using kv = await Deno.openKv(kvPath);
    await until(running, () => isFar(kv));
  }
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 10));
  kill(running.process, "SIGKILL");
  assertEquals((await running.process.status).signal, "SIGKILL");
}

/** Profiles with all that a line may say, who follow and give to one another. */
function profileLine(nth: number): object {
  const other = addressOf(1 + (nth * 7) % PROFILES);
  return {
    address: addressOf(nth),
    displayName: `Nr. ${nth}`,
    slug: `nr-${nth}-x`,
    premiumMonths: nth % 5,
    socials: [
      { kind: "github", handle: `nr${nth}`, id: String(nth), verifiedAt: AT },
      { kind: "domain", handle: `nr${nth}.example`, verifiedAt: AT },
    ],
    follows: [{ address: other, at: AT }, {
      address: addressOf(0xabc_000 + nth),
      at: AT,
    }].filter(({ address }) => address !== addressOf(nth)),
    donations: [{
      to: other,
      usdc: "2.5",
      at: AT,
      txHash: `0x${nth.toString(16).padStart(64, "0")}`,
    }],
    ...nth % 3 === 0 ? { verifiedHuman: true } : {},
  };
}

async function listEntries(kvPath: string) {
  using kv = await Deno.openKv(kvPath);
  return await Array.fromAsync(openStores(kv).entries.list());
}

/** When the two imports ran, which is all that they may differ in. */
const RAN_AT = { audit: /\bat: \d+/g, profiles: /\bclaimedAt: \d+/g };

/** All records by key, without when they were put in; trails by what stands in them, and how often. */
async function contentOf(kvPath: string): Promise<Map<string, string>> {
  const content = new Map<string, string>();
  for (const { key, value } of await listEntries(kvPath)) {
    const [collection, wallet] = key.map(String);
    const text = Deno.inspect(value, { sorted: true, iterableLimit: Infinity });
    if (collection === "audit") {
      const entry = `${wallet} ${text.replace(RAN_AT.audit, "")}`;
      content.set(entry, `${content.get(entry) ?? ""}+`);
    } else if (collection === "profiles") {
      content.set(key.join("/"), text.replace(RAN_AT.profiles, ""));
    } else content.set(key.join("/"), text);
  }
  return content;
}

Deno.test("an import of profiles that is killed again and again ends like one that never was", async () => {
  await using stack = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const file = `${folder}/profiles.ndjson`;
  const lines = Array.from(
    { length: PROFILES },
    (_, nth) => JSON.stringify(profileLine(nth + 1)),
  );
  await Deno.writeTextFile(file, lines.join("\n"));
  const [killed, calm] = [`${folder}/killed.sqlite3`, `${folder}/calm.sqlite3`];
  const args = ["profiles", "import", file];

  for (let turn = 1; turn <= KILLS; turn++) {
    const far = Math.ceil(PROFILES * (turn - Math.random()) / (KILLS + 1));
    await killOnce(killed, args, async (kv) => {
      const { value } = await kv.get(["profiles", addressOf(far)]);
      return value !== null;
    });
    await assertSoundFile(killed, Date.parse(START));
  }
  assertMatch(await succeed(killed, ...args), / 0 lines refused/);
  await succeed(calm, ...args);
  assert(await assertSoundFile(killed, Date.parse(START)) > 10 * PROFILES);
  assertEquals(await contentOf(killed), await contentOf(calm));
});

Deno.test("a backup that is put in and killed again and again ends as it was taken", async () => {
  await using stack = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const [source, target] = [`${folder}/a.sqlite3`, `${folder}/b.sqlite3`];
  const [file, lines] = [`${folder}/backup.ndjson`, `${folder}/lines.ndjson`];
  const profiles = Array.from(
    { length: PROFILES },
    (_, nth) => JSON.stringify(profileLine(nth + 1)),
  );
  await Deno.writeTextFile(lines, profiles.join("\n"));
  await succeed(source, "profiles", "import", lines);
  {
    using kv = await Deno.openKv(source);
    // Behind most others: what is killed before them is far from its end.
    const filler = new Uint8Array(60_000);
    for (let nth = 0; nth < 100; nth++) {
      await kv.set(["series_failures", nth], filler);
    }
  }
  await succeed(source, "export", file);
  const wanted = await listEntries(source);

  for (let turn = 1; turn <= KILLS; turn++) {
    const { key } = wanted[Math.floor(wanted.length * turn / (KILLS + 2))]!;
    await killOnce(target, ["import", file], async (kv) => {
      const { versionstamp } = await kv.get(key);
      return versionstamp !== null;
    });
    using kv = await Deno.openKv(target);
    const { entries, invariants } = openStores(kv);
    assert(await entries.findImport() !== null, "it is half there");
    const { brokenCount } = await invariants.check(Date.parse(START));
    assert(brokenCount > 0, "and said to be");
  }
  await succeed(target, "import", file);
  const withoutVersion = (entries: typeof wanted) =>
    entries.map(({ key, value }) => ({ key, value }));
  assertEquals(
    withoutVersion(await listEntries(target)),
    withoutVersion(wanted),
  );
  assertMatch(await succeed(target, "check-store"), / 0 rules broken/);
  using kv = await Deno.openKv(target);
  await assertSound(kv);
});
