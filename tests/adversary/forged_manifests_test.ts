/** Who can change the files of a release decides neither whether they are signed nor with which key. */
import { assertEquals } from "@std/assert";
import { createApp } from "../../routes/app.ts";
import {
  type Anchor,
  checkManifests,
} from "../../services/downloads/manifest_check.ts";
import {
  describeManifestKeys,
  signBytes,
} from "../../services/downloads/manifest_keys.ts";
import { DAY_MS } from "../../services/platform/days.ts";
import { sha256Hex } from "../../services/platform/sha256.ts";
import { checkChain } from "../../static/downloads/manifests.js";
import { fill } from "../support/chain_data/downloads.ts";
import { testDeps } from "../support/deps.ts";
import { succeed } from "../support/jobs.ts";

/** Two keys made by openssl genpkey -algorithm ed25519. */
const KEY = "MC4CAQAwBQYDK2VwBCIEIA9lfBoDY5jPDfwwgI3QsxZWOF1HNAbu3iF1eq8HoiGN";
const ATTACKER =
  "MC4CAQAwBQYDK2VwBCIEIP2HBDl7P6qrOFImuAWmYS/WB2CBH7r8RWdmpYjl0L8E";

const KEYS = "/.well-known/firn-manifest-key.json";
const INDEX = "/downloads/index.json";
const DATES = ["2026-11-21", "2026-11-22"];
const [FIRST, NEWEST] = DATES.map((date) =>
  `/downloads/manifests/${date}.json`
);

type Files = Map<string, Uint8Array<ArrayBuffer>>;

/** Returns what a deployment serves after its first release, and after its second. */
async function releases(settings: Record<string, string>): Promise<Files[]> {
  using deps = await testDeps({ settings });
  const app = createApp(deps);
  const states: Files[] = [];
  for (const nth of [0, 1]) {
    if (nth > 0) deps.advance(DAY_MS);
    await fill(deps, { gasUsed: nth });
    await succeed(deps, "build-downloads");
    const files: Files = new Map();
    for (
      const path of [
        KEYS,
        INDEX,
        FIRST!,
        `${FIRST}.sig`,
        NEWEST!,
        `${NEWEST}.sig`,
      ]
    ) {
      const response = await app.request(path);
      const bytes = await response.bytes();
      if (response.status === 200) files.set(path, bytes);
    }
    states.push(files);
  }
  return states;
}

const keysOf = (privateKey: string) =>
  describeManifestKeys({ privateKey, formerKeys: [] });
const parse = (bytes: Uint8Array) =>
  JSON.parse(new TextDecoder().decode(bytes));
const write = (value: unknown) =>
  new TextEncoder().encode(`${JSON.stringify(value, null, 1)}\n`);

/** Alters the newest manifest, and the index with it; signs it with a key or removes the signature. */
async function forge(files: Files, privateKey: string | null): Promise<Files> {
  const keys = privateKey === null ? null : await keysOf(privateKey);
  const manifest = write({
    ...parse(files.get(NEWEST!)!),
    revisionCount: 99,
    signedBy: keys?.keys[0]!.kid ?? null,
  });
  const index = parse(files.get(INDEX)!);
  index.release.manifestSha256 = sha256Hex(manifest);
  const forged = new Map(files).set(NEWEST!, manifest)
    .set(INDEX, write(index));
  forged.delete(`${NEWEST}.sig`);
  if (keys) {
    const served = parse(files.get(KEYS)!);
    forged.set(KEYS, write({ ...served, keys: [...served.keys, ...keys.keys] }))
      .set(
        `${NEWEST}.sig`,
        (await signBytes({ privateKey, formerKeys: [] }, manifest))!,
      );
  }
  return forged;
}

/** Checks files as the command and as the page do. They find the same. */
async function check(files: Files, anchor: Anchor = {}) {
  const read = (path: string) => Promise.resolve(files.get(path) ?? null);
  const command = await checkManifests({
    read: (path) => read(`/downloads/${path}`),
    readKeys: () => read(KEYS),
    listDates: () => Promise.resolve(null),
    isPartial: true,
  }, anchor);
  const page = await checkChain(read, {
    pinned: anchor.keys?.[0],
    since: anchor.since,
  });
  const { authenticity, problems } = command;
  assertEquals(page.authenticity, authenticity);
  assertEquals(page.problems.length, problems.length);
  return { authenticity, problems };
}

const names = (path: string | undefined) => path!.replace("/downloads/", "");

Deno.test("a manifest that was altered never passes as verified, however it is signed", async (t) => {
  const [, files] = await releases({ MANIFEST_PRIVATE_KEY: KEY });
  const { keys: [{ x } = { x: "" }] } = await keysOf(KEY);
  const pinned = { keys: [x] };
  await t.step(
    "a whole chain is verified by a pinned key, and by no served one",
    async () => {
      assertEquals(await check(files!, pinned), {
        authenticity: "verified",
        problems: [],
      });
      assertEquals(await check(files!), {
        authenticity: "keyNotPinned",
        problems: [],
      });
    },
  );
  await t.step("the signature is removed", async () => {
    const forged = await forge(files!, null);
    assertEquals((await check(forged, pinned)).problems, [
      `${names(NEWEST)} is unsigned: expected a signature of a given key`,
    ]);
    // Without a key it is noticed as well: the manifest before is signed.
    assertEquals((await check(forged)).problems, [
      `${names(NEWEST)} is unsigned, although ${names(FIRST)} is signed`,
    ]);
  });
  await t.step("the attacker's key is added to the served ones", async () => {
    const forged = await forge(files!, ATTACKER);
    assertEquals((await check(forged, pinned)).problems, [
      `${names(NEWEST)} is signed by an unknown key`,
    ]);
    assertEquals((await check(forged)).authenticity, "keyNotPinned");
  });
});

Deno.test("files without any signature are unsigned, and with a pinned key a problem", async () => {
  const [, files] = await releases({});
  const { keys: [{ x } = { x: "" }] } = await keysOf(KEY);
  assertEquals((await check(files!)).authenticity, "unsigned");
  assertEquals((await check(files!, { keys: [x] })).problems.length, 2);
});

Deno.test("an older release in place of a newer one is noticed", async () => {
  const [older] = await releases({ MANIFEST_PRIVATE_KEY: KEY });
  const { keys: [{ x } = { x: "" }] } = await keysOf(KEY);
  const pinned = { keys: [x] };
  assertEquals((await check(older!, pinned)).problems, []);
  assertEquals((await check(older!, { ...pinned, since: DATES[1] })).problems, [
    `the newest release is of ${DATES[0]}: expected one of ${
      DATES[1]
    } or later`,
  ]);
});

Deno.test("a signed manifest proves the unsigned and former-signed ones before it", async () => {
  using deps = await testDeps({ settings: { MANIFEST_PRIVATE_KEY: ATTACKER } });
  await fill(deps);
  await succeed(deps, "build-downloads");
  using later = await testDeps({ settings: { MANIFEST_PRIVATE_KEY: KEY } });
  const after = { ...deps, manifestSigning: later.manifestSigning };
  deps.advance(DAY_MS);
  await fill(after, { gasUsed: 1 });
  await succeed(after, "build-downloads");
  const app = createApp(after);
  const files: Files = new Map();
  for (const path of [KEYS, INDEX, FIRST!, NEWEST!, `${NEWEST}.sig`]) {
    files.set(path, await (await app.request(path)).bytes());
  }
  const { keys: [{ x } = { x: "" }] } = await keysOf(KEY);
  assertEquals(await check(files, { keys: [x] }), {
    authenticity: "verified",
    problems: [],
  });
});
