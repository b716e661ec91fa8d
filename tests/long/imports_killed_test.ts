/** Imports killed at random moments: each resumes, and the store ends as after an undisturbed import. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { openStores } from "../../services/stores.ts";
import { START } from "../support/deps.ts";
import { addressOf } from "../support/graph.ts";
import { assertSound, assertSoundFile } from "../support/kv/invariants.ts";
import { databasePath, sizeOf } from "../support/kv/hosted.ts";
import {
  kill,
  type Running,
  startOperator,
  until,
} from "../support/processes/service.ts";
import { seededRandom } from "../support/random.ts";

const AT = "2026-01-01T00:00:00Z";
const PROFILES = sizeOf({ local: 250, hosted: 60 });

/** How often each import is killed. */
const KILLS = sizeOf({ local: 3, hosted: 2 });

const random = seededRandom("imports_killed_test");

/** Starts an operator command. The clock of each one starts at the same time. */
function operate(kvPath: string, ...args: string[]): Running {
  return startOperator({ KV_PATH: kvPath, FIRN_NOW: START }, ...args);
}

async function succeed(kvPath: string, ...args: string[]): Promise<string> {
  await using running = operate(kvPath, ...args);
  const { code, output } = await running.finish();
  assertEquals(code, 0, output);
  return output;
}

/** Kills an import up to 10 ms after a condition of its database holds. */
async function killOnce(
  kvPath: string,
  args: readonly string[],
  hasReached: (kv: Deno.Kv) => Promise<boolean>,
): Promise<void> {
  await using running = operate(kvPath, ...args);
  {
    using kv = await Deno.openKv(kvPath);
    await until(running, () => hasReached(kv));
  }
  await new Promise((resolve) => setTimeout(resolve, random() * 10));
  kill(running.process, "SIGKILL");
  assertEquals((await running.process.status).signal, "SIGKILL");
}

/** Returns an import line with every field: profiles follow one another and donate to one another. */
function profileLine(nth: number): object {
  const other = addressOf(1 + (nth * 7) % PROFILES);
  return {
    address: addressOf(nth),
    displayName: `Nr. ${nth}`,
    slug: `nr-${nth}-x`,
    premiumMonths: nth % 5,
    socials: [
      { kind: "github", handle: `nr${nth}`, id: String(nth), verifiedAt: AT },
      { kind: "domain", handle: `nr${nth}.org`, verifiedAt: AT },
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

/** Times of the import, in which two imports may differ. */
const RAN_AT = { audit: /\bat: \d+/g, profiles: /\b(claimedAt|at): \d+/g };

/** Returns all records by key, without the time of the import. Audit entries are counted by content. */
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

Deno.test("a profile import that is killed several times ends as an undisturbed one", async () => {
  await using stack = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const file = `${folder}/profiles.ndjson`;
  const lines = Array.from(
    { length: PROFILES },
    (_, nth) => JSON.stringify(profileLine(nth + 1)),
  );
  await Deno.writeTextFile(file, lines.join("\n"));
  const [killed, calm] = [
    databasePath(`${folder}/killed.sqlite3`),
    databasePath(`${folder}/calm.sqlite3`),
  ];
  const args = ["profiles", "import", file];

  for (let turn = 1; turn <= KILLS; turn++) {
    const far = Math.ceil(PROFILES * (turn - random()) / (KILLS + 1));
    await killOnce(killed, args, async (kv) => {
      const { value } = await kv.get(["profiles", addressOf(far)]);
      return value !== null;
    });
    await assertSoundFile(killed, Date.parse(START));
  }
  assertMatch(await succeed(killed, ...args), / 0 lines rejected/);
  await succeed(calm, ...args);
  assert(await assertSoundFile(killed, Date.parse(START)) > 10 * PROFILES);
  assertEquals(await contentOf(killed), await contentOf(calm));
});

Deno.test("a backup import that is killed several times restores every entry", async () => {
  await using stack = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const [source, target] = [
    databasePath(`${folder}/a.sqlite3`),
    databasePath(`${folder}/b.sqlite3`),
  ];
  const [file, lines] = [`${folder}/backup.ndjson`, `${folder}/lines.ndjson`];
  const profiles = Array.from(
    { length: PROFILES },
    (_, nth) => JSON.stringify(profileLine(nth + 1)),
  );
  await Deno.writeTextFile(lines, profiles.join("\n"));
  await succeed(source, "profiles", "import", lines);
  {
    using kv = await Deno.openKv(source);
    // Sorted behind most entries, so that a kill comes well before the end.
    const filler = new Uint8Array(60_000);
    for (let nth = 0; nth < 100; nth++) {
      await kv.set(["series_failures", nth], filler);
    }
  }
  await succeed(source, "export", file);
  const wanted = await listEntries(source);
  const args = ["import", file, "--keep-keys"];

  for (let turn = 1; turn <= KILLS; turn++) {
    const { key } = wanted[Math.floor(wanted.length * turn / (KILLS + 2))]!;
    await killOnce(target, args, async (kv) => {
      const { versionstamp } = await kv.get(key);
      return versionstamp !== null;
    });
    using kv = await Deno.openKv(target);
    const { entries, invariants } = openStores(kv);
    assert(await entries.findImport() !== null, "the import is unfinished");
    const { brokenCount } = await invariants.check(Date.parse(START));
    assert(brokenCount > 0, "check-store reports it");
  }
  await succeed(target, ...args);
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
