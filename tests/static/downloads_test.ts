/** The manifests of downloads, checked as the browser checks them. */
import { assertEquals } from "@std/assert";
import { createApp } from "../../routes/app.ts";
import { checkManifests } from "../../services/downloads/manifest_check.ts";
import { DAY_MS } from "../../services/platform/days.ts";
import { checkChain, checkFile } from "../../static/downloads/manifests.js";
import { bytesOfFile, fill } from "../support/chain_data/downloads.ts";
import { type TestDeps, testDeps } from "../support/deps.ts";
import { succeed } from "../support/jobs.ts";
import { fc } from "../support/properties.ts";

const KEY = "MC4CAQAwBQYDK2VwBCIEIA9lfBoDY5jPDfwwgI3QsxZWOF1HNAbu3iF1eq8HoiGN";

/** Builds three releases. Returns how the page reads them. */
async function release(deps: TestDeps) {
  for (let day = 0; day < 3; day++) {
    if (day > 0) deps.advance(DAY_MS);
    await fill(deps, { gasUsed: day });
    await succeed(deps, "build-downloads");
  }
  const app = createApp(deps);
  return async (path: string) => {
    const response = await app.request(path);
    const bytes = await response.bytes();
    return response.status === 404 ? null : bytes;
  };
}

Deno.test("checkChain() of the page follows the chain, and names what was altered or removed", async () => {
  using deps = await testDeps({ settings: { MANIFEST_PRIVATE_KEY: KEY } });
  const read = await release(deps);
  const whole = await checkChain(read);
  assertEquals(whole.problems, []);
  assertEquals([whole.manifests, whole.signed], [3, 3]);
  const file = await bytesOfFile(deps, "gasUsed-2026.parquet");
  const check = (name: string) => checkFile(whole.newest, name, file);
  assertEquals(await check("copy.parquet"), {
    isListed: true,
    says: "copy.parquet has the bytes of gasUsed-2026.parquet",
  });
  file[9]! ^= 1;
  assertEquals(await check("gasUsed-2026.parquet"), {
    isListed: false,
    says:
      "gasUsed-2026.parquet is altered: manifests/2026-11-23.json names another SHA-256",
  });
  assertEquals(await check("copy.parquet"), {
    isListed: false,
    says: "copy.parquet is not a file of the newest release",
  });

  const second = "/downloads/manifests/2026-11-22.json";
  const removed = await checkChain(async (path: string) =>
    path === second ? null : await read(path)
  );
  assertEquals(removed.problems, [
    "manifests/2026-11-22.json is missing: manifests/2026-11-23.json names it",
  ]);
  const altered = await checkChain(async (path: string) => {
    const bytes = await read(path);
    if (path === second) bytes![bytes!.byteLength - 2] = 32;
    return bytes;
  });
  assertEquals(altered.problems, [
    "manifests/2026-11-22.json is altered: manifests/2026-11-23.json names another SHA-256",
    "manifests/2026-11-22.json is not a manifest of 2026-11-22",
  ]);
});

const KEYS = "/.well-known/firn-manifest-key.json";
const MANIFESTS = ["2026-11-21", "2026-11-22", "2026-11-23"]
  .map((date) => `/downloads/manifests/${date}.json`);
const CHECKED = [
  KEYS,
  "/downloads/index.json",
  ...MANIFESTS,
  ...MANIFESTS.map((name) => `${name}.sig`),
];

/** What a file can become: another one that is still JSON, a part of it, or nothing. */
const CHANGES: Record<
  string,
  (bytes: Uint8Array<ArrayBuffer>) => typeof bytes | null
> = {
  altered: (bytes) => new Uint8Array([...bytes, 32]),
  cut: (bytes) => bytes.slice(0, -2),
  removed: () => null,
};

/** Returns a problem as the page words it, which gives no reason for a bad signature. */
function asThePage(problem: string): string {
  return problem.replace(
    /^(\S+\.json)(?:\.sig is missing| is signed by an unknown key)$/,
    "$1.sig is not the signature of $1",
  );
}

Deno.test("checkChain() of the page finds what the command finds in manifests that are altered, cut or removed", async () => {
  using deps = await testDeps({ settings: { MANIFEST_PRIVATE_KEY: KEY } });
  const whole = await release(deps);
  const files = new Map(
    await Promise.all(
      CHECKED.map(async (path) => [path, (await whole(path))!] as const),
    ),
  );
  const changes = fc.dictionary(
    fc.constantFrom(...CHECKED),
    fc.constantFrom(...Object.keys(CHANGES)),
    { maxKeys: 3 },
  );
  await fc.assert(fc.asyncProperty(changes, async (changes) => {
    const read = (path: string) => {
      const bytes = files.get(path);
      const change = CHANGES[changes[path] ?? ""];
      return Promise.resolve(bytes && change ? change(bytes) : bytes ?? null);
    };
    const page = await checkChain(read);
    const command = await checkManifests({
      read: (path) => read(`/downloads/${path}`),
      readKeys: () => read(KEYS),
      listDates: () => Promise.resolve(null),
      isPartial: true,
    });
    assertEquals(
      [page.manifests, page.signed, page.authenticity, page.problems],
      [
        command.manifests,
        command.signed,
        command.authenticity,
        command.problems.map(asThePage),
      ],
    );
  }));
});
