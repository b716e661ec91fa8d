/** The version before this one and this one, beside each other on one database, as while one is rolled out. */
import { assert, assertEquals } from "@std/assert";
import { chargeOf } from "../../../services/accounts/quota/quota.ts";
import { openStores } from "../../../services/stores.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { assertSoundFile } from "../../support/kv/invariants.ts";
import type { Owner } from "../../support/owners.ts";
import { PREVIOUS_SKIPPED } from "../../support/processes/previous_version.ts";
import {
  ask,
  ask200,
  type BothVersions,
  callAt,
  grantScale,
  operate,
  ownerOf,
  startBoth,
  type Version,
} from "../../support/processes/two_versions.ts";

const ADDRESS = exampleOf("ordinary");

/** Units that are left to the wallet whose quota is used up by both. */
const UNITS_LEFT = 25;

/** One version that writes, and one that reads what it wrote. */
interface Pair extends Pick<BothVersions, "kvPath" | "folder"> {
  readonly writer: Version;
  readonly reader: Version;
  /** Another one for each pair: nobody is there twice. */
  readonly nth: number;
  /** Somebody who signed in where is written. */
  readonly owner: Owner;
  /** The same person where is read. */
  readonly there: ReturnType<typeof callAt>;
  /** The person's key, once there is one. */
  key: string;
}

/** What is written and read; each goes on from those before. */
const RECORDS: Record<string, (pair: Pair) => Promise<void>> = {
  async "a session and a key"(pair) {
    const { owner, reader, there } = pair;
    await owner.signIn();
    const { status, body, text } = await owner.createKey("made by one");
    assertEquals(status, 201, text);
    pair.key = body.key;
    assertEquals((await there("GET", "")).keys.length, 1);
    const { plan } = await ask200(reader, "/api/v1/usage", pair.key);
    assertEquals(plan, "free");
  },
  async "a plan"({ kvPath, owner, reader, writer, key }) {
    await grantScale(kvPath, owner.wallet);
    for (const version of [reader, writer]) {
      const { plan } = await ask200(version, "/api/v1/usage", key);
      assertEquals(plan, "scale");
    }
  },
  async "chain data"({ writer, reader }) {
    const path = "/api/chain-data/metrics?metric=txCount&range=30d";
    const { series } = await ask200(writer, path);
    assert(series.length > 0);
    assertEquals((await ask200(reader, path)).series, series);
  },
  async "signals, a score and its history"({ writer, reader, nth, key }) {
    const path = `/api/v1/score/0x${String(nth).repeat(40)}`;
    const { score } = await ask200(writer, path, key);
    assertEquals((await ask200(reader, path, key)).score, score);
    const { history } = await ask200(reader, `${path}/history`, key);
    assertEquals(history.length, 1);
  },
  async "an attestation, with a nonce above all before"(pair) {
    const { writer, reader, nth, key } = pair;
    const path = `/api/v1/score/0x${String(nth).repeat(40)}/signed`;
    const { message: first } = await ask200(writer, path, key);
    const { message: second } = await ask200(reader, path, key);
    assert(BigInt(second.nonce) > BigInt(first.nonce));
  },
  async "what all that cost"({ writer, reader, key }) {
    for (const version of [writer, reader]) {
      assertEquals((await ask200(version, "/api/v1/usage", key)).used, 5);
    }
  },
  async "a profile"({ owner, there, writer }) {
    const body = { displayName: "Ada", slug: null, linksPublic: true };
    const { status, text } = await owner.call("PUT", "/profile", { body });
    assertEquals(status, 200, text);
    assertEquals((await there("GET", "/profile")).displayName, "Ada");
    await there("PUT", "/profile", { ...body, displayName: "Eve" });
    const found = await ask200(writer, `/api/profiles/${owner.wallet}`);
    assertEquals(found.displayName, "Eve");
  },
  async "profiles that are brought in, with all there is"(pair) {
    const { writer, reader, nth } = pair;
    const file = await writeProfiles(pair);
    await operate(writer, "profiles", "import", file);
    const path = `/api/profiles/version-of-${nth}`;
    const found = await ask200(reader, path);
    assertEquals([found.displayName, found.verifiedHuman], ["Ada", nth]);
    // Put in again by the other one, it changes nothing.
    await operate(reader, "profiles", "import", file);
    assertEquals(await ask200(writer, path), found);
  },
  async "a snapshot of the validators"({ writer, reader }) {
    await operate(writer, "job", "snapshot-validators");
    await operate(reader, "job", "snapshot-validators");
    const path = "/api/chain-data/validators?range=30d";
    const { series } = await ask200(writer, path);
    assert(series.length > 0);
    assertEquals((await ask200(reader, path)).series, series);
  },
  async "an edge of the graph"({ owner, there }) {
    const path = `/follows/${ADDRESS}`;
    assertEquals((await owner.call("PUT", path)).status, 200);
    await there("DELETE", path);
    assertEquals((await owner.call("PUT", path)).status, 200);
  },
  async "a quote, and the trail of all that"({ owner, there }) {
    const body = { product: "builder", periods: 1 };
    assertEquals((await owner.call("POST", "/quotes", { body })).status, 200);
    await there("GET", "/payments");
    const { audit } = await there("GET", "");
    assert(audit.length >= 3, JSON.stringify(audit));
  },
  async "a key that is replaced, and one that is revoked"(pair) {
    const { owner, reader, key } = pair;
    const { body: { keys: [{ id }] } } = await owner.call("GET", "");
    const rotated = await owner.rotateKey(id, 0);
    assertEquals(rotated.status, 201, rotated.text);
    assertEquals((await ask(reader, "/api/v1/usage", key)).status, 401);
    const { key: next, id: nextId } = rotated.body;
    assertEquals((await ask(reader, "/api/v1/usage", next)).status, 200);
    const revoked = await owner.revokeKey(nextId);
    assert(revoked.status < 300, revoked.text);
    assertEquals((await ask(reader, "/api/v1/usage", next)).status, 401);
  },
};

/** Writes a file with two profiles, one of which follows the other and gives to it. */
async function writeProfiles({ folder, nth }: Pair): Promise<string> {
  const at = "2026-01-01T00:00:00Z";
  const [giver, given] = ["a", "b"].map((letter) =>
    `0x${letter}${nth}`.padEnd(42, "0")
  );
  const txHash = `0x${String(nth).padStart(64, "0")}`;
  const lines = [{ address: given }, {
    address: giver,
    displayName: "Ada",
    slug: `version-of-${nth}`,
    socials: [{ kind: "github", handle: `ada${nth}`, verifiedAt: at }],
    follows: [{ address: given, at }],
    donations: [{ to: given, usdc: "2.5", at, txHash }],
    verifiedHuman: true,
  }];
  const file = `${folder}/profiles${nth}.ndjson`;
  const texts = lines.map((line) => JSON.stringify(line));
  await Deno.writeTextFile(file, texts.join("\n"));
  return file;
}

/** Spends all units of a wallet on the free plan but some. */
async function leave(kvPath: string, wallet: string, units: number) {
  using kv = await Deno.openKv(kvPath);
  const { limit, ...charge } = chargeOf("free", "score");
  const all = { ...charge, limit, units: limit - units };
  const payer = { wallet, keyId: "other" };
  assert((await openStores(kv).usage.spend(payer, all, Date.now())).allowed);
}

Deno.test({
  name:
    "two versions on one store read what the other wrote, and count every unit once",
  ignore: PREVIOUS_SKIPPED,
  async fn(t) {
    await using stack = new AsyncDisposableStack();
    const { older, newer, ...shared } = await startBoth(stack);
    const { kvPath } = shared;
    const directions: [name: string, writer: Version, reader: Version][] = [
      ["the older reads what the newer wrote", newer, older],
      ["the newer reads what the older wrote", older, newer],
    ];
    for (const [index, [name, writer, reader]] of directions.entries()) {
      const nth = index + 1;
      const owner = ownerOf(writer, nth);
      const there = callAt(reader, owner);
      const pair = { ...shared, writer, reader, nth, owner, there, key: "" };
      for (const [record, check] of Object.entries(RECORDS)) {
        await t.step(`${name}: ${record}`, () => check(pair));
      }
    }
    await t.step("both count against one quota", async () => {
      const owner = ownerOf(newer, 3);
      await owner.signIn();
      const { body: { key } } = await owner.createKey();
      await leave(kvPath, owner.wallet, UNITS_LEFT);
      const path = `/api/v1/score/${ADDRESS}`;
      const answers = await Promise.all(
        Array.from({ length: UNITS_LEFT }, () => [older, newer]).flat()
          .map((version) => ask(version, path, key)),
      );
      const count = (wanted: number) =>
        answers.filter(({ status }) => status === wanted).length;
      assertEquals([count(200), count(429)], [UNITS_LEFT, UNITS_LEFT]);
      for (const version of [older, newer]) {
        const { used, limit } = await ask200(version, "/api/v1/usage", key);
        assertEquals(used, limit);
      }
    });
    await t.step("and the store is whole", async () => {
      assert(await assertSoundFile(kvPath, Date.now()) > 50);
    });
  },
});
