/** Manifests: their chain, their signatures, and what a verifier finds. */
import { assertEquals } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import {
  checkManifests,
  type ManifestSource,
} from "../../../services/downloads/manifest_check.ts";
import { describeManifestKeys } from "../../../services/downloads/manifest_keys.ts";
import { verifyManifestsAt } from "../../../services/operator/verify_command.ts";
import type {
  DownloadsAnswer,
  Manifest,
} from "../../../services/downloads/manifests_schema.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import { fill } from "../../support/chain_data/downloads.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { succeed } from "../../support/jobs.ts";

/** Two keys made by openssl genpkey -algorithm ed25519. */
const KEY = "MC4CAQAwBQYDK2VwBCIEIA9lfBoDY5jPDfwwgI3QsxZWOF1HNAbu3iF1eq8HoiGN";
const NEXT_KEY =
  "MC4CAQAwBQYDK2VwBCIEIP2HBDl7P6qrOFImuAWmYS/WB2CBH7r8RWdmpYjl0L8E";

async function publicKeyOf(privateKey: string): Promise<string> {
  const { keys } = await describeManifestKeys({ privateKey, formerKeys: [] });
  return keys[0]!.x;
}

type Files = Map<string, Uint8Array<ArrayBuffer>>;

/** Builds three releases and copies them as a mirror would. */
async function mirror(
  settings: Record<string, string> = { MANIFEST_PRIVATE_KEY: KEY },
): Promise<{ files: Files; dates: string[] }> {
  using deps = await testDeps({ settings });
  const dates: string[] = [];
  for (let day = 0; day < 3; day++) {
    if (day > 0) deps.advance(DAY_MS);
    await fill(deps, { gasUsed: day });
    await succeed(deps, "build-downloads");
    dates.push(deps.now().toISOString().slice(0, 10));
  }
  return { files: await copyAll(deps, dates), dates };
}

async function copyAll(deps: TestDeps, dates: string[]): Promise<Files> {
  const app = createApp(deps);
  const get = async (path: string) => {
    const headers = { "Accept-Encoding": "identity" };
    return await (await app.request(path, { headers })).bytes();
  };
  const index: DownloadsAnswer = await (await app.request(
    "/downloads/index.json",
  )).json();
  const names = [
    "index.json",
    ...index.files.map(({ name }) => name),
    ...dates.flatMap((date) => [
      `manifests/${date}.json`,
      `manifests/${date}.json.sig`,
    ]),
  ];
  const files: Files = new Map();
  for (const name of names) files.set(name, await get(`/downloads/${name}`));
  const keys = await get("/.well-known/firn-manifest-key.json");
  return files.set("firn-manifest-key.json", keys);
}

/** Returns a folder with these files. */
function folderOf(files: Files): ManifestSource {
  const read = (path: string) => Promise.resolve(files.get(path) ?? null);
  return {
    read,
    readKeys: () => read("firn-manifest-key.json"),
    listDates: () =>
      Promise.resolve(
        [...files.keys()].filter((name) => /manifests\/.*json$/.test(name))
          .map((name) => name.slice(10, 20)),
      ),
    isPartial: true,
  };
}

/** Returns a copy in which a bit of a file is flipped. */
function flipped(files: Files, name: string, at = 100): Files {
  const content = files.get(name)!.slice();
  content[at]! ^= 1;
  return new Map(files).set(name, content);
}

function without(files: Files, name: string): Files {
  const others = new Map(files);
  others.delete(name);
  return others;
}

const problemsOf = async (files: Files) =>
  (await checkManifests(folderOf(files))).problems;

Deno.test("checkManifests() finds nothing in a whole copy, and names what was altered or removed", async (t) => {
  const { files, dates } = await mirror();
  const [first, second, third] = dates.map((date) => `manifests/${date}.json`);
  const checked = await checkManifests(folderOf(files));
  assertEquals(checked.problems, []);
  assertEquals([checked.manifests, checked.signed], [3, 3]);
  assertEquals(checked.absentFiles, 0);

  await t.step("a flipped bit of any kind of file", async () => {
    for (
      const name of [
        "txCount-2026.parquet",
        "gasUsed-2026.csv.gz",
        "checked-fees.ndjson.gz",
        "datapackage.json",
      ]
    ) {
      assertEquals(await problemsOf(flipped(files, name)), [
        `${name} is altered: it has another SHA-256`,
      ]);
    }
  });
  await t.step("a file that is cut", async () => {
    const cut = files.get("txCount-2026.parquet")!.slice(0, -1);
    assertEquals(
      (await problemsOf(new Map(files).set("txCount-2026.parquet", cut)))
        .length,
      1,
    );
  });
  await t.step(
    "a removed file, unless the copy has a part of the files",
    async () => {
      const part = folderOf(without(files, "txCount-2026.parquet"));
      const { problems, absentFiles } = await checkManifests(part);
      assertEquals([problems, absentFiles], [[], 1]);
      const whole = await checkManifests({ ...part, isPartial: false });
      assertEquals(whole.problems, ["txCount-2026.parquet is missing"]);
    },
  );
  await t.step("a removed manifest", async () => {
    assertEquals(await problemsOf(without(files, second!)), [
      `${second} is missing: ${third} names it`,
    ]);
    assertEquals(await problemsOf(without(files, first!)), [
      `${first} is missing: ${second} names it`,
    ]);
    // The files are newer than the manifest that is now the newest.
    const [missing] = await problemsOf(without(files, third!));
    assertEquals(missing, `${third} is missing: index.json names it`);
  });
  await t.step("a rewritten manifest", async () => {
    const rewritten: Manifest = JSON.parse(
      new TextDecoder().decode(files.get(second!)),
    );
    const text = JSON.stringify({ ...rewritten, revisionCount: 9 });
    const bytes = new TextEncoder().encode(text);
    assertEquals(await problemsOf(new Map(files).set(second!, bytes)), [
      `${second} is altered: ${third} names another SHA-256`,
      `${second}.sig is not the signature of ${second}`,
    ]);
  });
  await t.step("a signature that is altered or missing", async () => {
    assertEquals(await problemsOf(flipped(files, `${first}.sig`, 5)), [
      `${first}.sig is not the signature of ${first}`,
    ]);
    assertEquals(await problemsOf(without(files, `${first}.sig`)), [
      `${first}.sig is missing`,
    ]);
  });
  await t.step("a key that is not published", async () => {
    const text = new TextDecoder().decode(files.get("firn-manifest-key.json"));
    const unknown = JSON.stringify({ ...JSON.parse(text), keys: [] });
    const problems = await problemsOf(
      new Map(files).set(
        "firn-manifest-key.json",
        new TextEncoder().encode(unknown),
      ),
    );
    assertEquals(
      problems.toSorted(),
      [first, second, third].map((name) =>
        `${name} is signed by an unknown key`
      )
        .toSorted(),
    );
  });
  await t.step("manifests that name each other as the one before", async () => {
    const manifest: Manifest = JSON.parse(
      new TextDecoder().decode(files.get(second!)),
    );
    const previous = { date: dates[2]!, sha256: "0".repeat(64) };
    const text = JSON.stringify({ ...manifest, signedBy: null, previous });
    const circle = new Map(files).set(second!, new TextEncoder().encode(text));
    const altered = [
      `${second} is altered: ${third} names another SHA-256`,
      `${second} names the manifest of ${
        dates[2]
      }, which is not earlier, as the previous one`,
    ];
    // A folder goes on with the first manifest, a deployment lists no dates.
    assertEquals(await problemsOf(circle), [
      ...altered,
      `${second} is unsigned, although ${first} is signed`,
    ]);
    const { problems, manifests } = await checkManifests({
      ...folderOf(circle),
      listDates: () => Promise.resolve(null),
    });
    assertEquals([problems, manifests], [altered, 2]);
  });
  await t.step("a manifest of another chain", async () => {
    const stray = new Map(files)
      .set("manifests/2020-01-01.json", files.get(first!)!);
    assertEquals(await problemsOf(stray), [
      "manifests/2020-01-01.json does not belong to the chain: no later manifest names it",
    ]);
  });
});

Deno.test("manifests without a key are unsigned and say so", async () => {
  const { files, dates } = await mirror({});
  const manifest: Manifest = JSON.parse(
    new TextDecoder().decode(files.get(`manifests/${dates[2]}.json`)),
  );
  assertEquals(manifest.signedBy, null);
  assertEquals(manifest.previous?.date, dates[1]);
  const { problems, signed, authenticity } = await checkManifests(
    folderOf(files),
  );
  assertEquals([problems, signed, authenticity], [[], 0, "unsigned"]);
});

Deno.test("manifests of a former key stay verifiable after a change of the key", async () => {
  using before = await testDeps({ settings: { MANIFEST_PRIVATE_KEY: KEY } });
  await fill(before);
  await succeed(before, "build-downloads");
  const keysOf = async (deps: TestDeps) =>
    await (await createApp(deps).request(
      "/.well-known/firn-manifest-key.json",
    )).json();
  const { keys: [former] } = await keysOf(before);
  using other = await testDeps({
    settings: {
      MANIFEST_PRIVATE_KEY: NEXT_KEY,
      MANIFEST_FORMER_KEYS: former.x,
    },
  });
  const { manifestSigning } = other;
  const after = { ...before, manifestSigning };
  before.advance(DAY_MS);
  await fill(after);
  await succeed(after, "build-downloads");
  const files = await copyAll(after, ["2026-11-21", "2026-11-22"]);
  const { problems, signed } = await checkManifests(folderOf(files));
  assertEquals([problems, signed], [[], 2]);
  assertEquals(
    (await keysOf(after)).keys.map(({ status }: { status: string }) => status),
    ["active", "former"],
  );
});

Deno.test("verify-manifests checks a deployment over HTTP and a folder, and tells verified, altered, unsigned and unproved apart", async () => {
  using deps = await testDeps({ settings: { MANIFEST_PRIVATE_KEY: KEY } });
  const { run } = verifyManifestsAt(() => deps.now().getTime());
  await fill(deps);
  await succeed(deps, "build-downloads");
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    createApp(deps).fetch,
  );
  const url = `http://127.0.0.1:${server.addr.port}`;
  const pinned = ["--key", await publicKeyOf(KEY)];
  assertEquals(await run({}, [url]), 4);
  assertEquals(await run({}, [url, ...pinned]), 0);
  assertEquals(await run({}, [url, "--key", await publicKeyOf(NEXT_KEY)]), 1);
  const folder = await Deno.makeTempDir();
  try {
    assertEquals(await run({}, [folder]), 1);
    await Deno.mkdir(`${folder}/manifests`);
    for (const [name, content] of await copyAll(deps, ["2026-11-21"])) {
      await Deno.writeFile(`${folder}/${name}`, content);
    }
    assertEquals(await run({}, [folder, ...pinned]), 0);
    assertEquals(await run({}, [folder, "--since", "2026-11-21"]), 4);
    assertEquals(await run({}, [folder, "--since", "2026-11-22"]), 1);
    // A deployment has a release each day, a folder may be a copy of any day.
    deps.advance(4 * DAY_MS);
    assertEquals(await run({}, [url, ...pinned]), 1);
    assertEquals(await run({}, [folder, ...pinned]), 0);
    await Deno.writeTextFile(`${folder}/chains.csv.gz`, "x", { append: true });
    assertEquals(await run({}, [folder, ...pinned]), 1);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  for (const args of [[], [url, "--key", "x"], [url, "--since", "soon"]]) {
    assertEquals(await run({}, args), 2);
  }
});

Deno.test("verify-manifests calls a chain without signatures unsigned, with an exit status of its own", async () => {
  using deps = await testDeps();
  await fill(deps);
  await succeed(deps, "build-downloads");
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    createApp(deps).fetch,
  );
  const { run } = verifyManifestsAt(() => deps.now().getTime());
  const url = `http://127.0.0.1:${server.addr.port}`;
  assertEquals(await run({}, [url]), 3);
  assertEquals(await run({}, [url, "--key", await publicKeyOf(KEY)]), 1);
});
