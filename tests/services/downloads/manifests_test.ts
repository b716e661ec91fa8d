/** Manifests of releases, as `sha256sum` and minisign read them. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import { sha256Hex } from "../../../services/platform/bytes.ts";
import { fill } from "../../support/chain_data/downloads.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { succeed } from "../../support/jobs.ts";
import { isSkipped } from "../../support/tool.ts";

/** Two keys made by openssl genpkey -algorithm ed25519. */
const KEY = "MC4CAQAwBQYDK2VwBCIEIA9lfBoDY5jPDfwwgI3QsxZWOF1HNAbu3iF1eq8HoiGN";
const ATTACKER =
  "MC4CAQAwBQYDK2VwBCIEIP2HBDl7P6qrOFImuAWmYS/WB2CBH7r8RWdmpYjl0L8E";

/** What the version before stored: the gzipped JSON of a release, and 64 bytes that sign it with the first key. */
const STORED_BEFORE = {
  date: "2026-11-20",
  sha256: "debd947cc5ac474094a7d6b785605a7691b65e7a47e5ff2015860e758f689859",
  zipped: Uint8Array.fromBase64(
    "H4sIAAAAAAAA/6RQTUsDMRS851c8cna32Wjrdm/VIlUoKLaHVUSy2+wmmE1qPiq19L+XpAh6lnd6b+bNDHNAgDtjB+ZxBbiTVmcD07LjzmcFvkCAN8zziFFCJ1lRZJSk8zY0SjrBbcSE99tqNFKmZUoY56uSkDPNmWDb9L/k3srWwezxPiFNkMrP/F/pFSkrQipCckLIy48/WwlrQi9+c4tpQi3fSSeNvjVBR63LeOyk4g5X8IoADggAsGZDCtEKJrXLW7fL++8oAICbvU/s8Xl1gtHxJJJZ87/BCOCI4C3VFYOaEH10UCpVI3vNNzf7aFVf95NeL2j5tKzLd6cNfaZXvVuz8m7zMMy/uk+93y7m6+lHjdERnQAAAP//AwCGhvK9tgEAAA==",
  ),
  signature: Uint8Array.fromBase64(
    "UkkqeMlpQfbMSUAvQ6GCxMMGEsZdZ/9eOMG03D8rRXinKQk8UKfnBet1tTXaVKkZcRWUJKCa5uYC+h4fWqKTBg==",
  ),
};

async function has(program: string): Promise<boolean> {
  try {
    return (await new Deno.Command(program, { args: ["-v"] }).output()).success;
  } catch {
    return false;
  }
}

const ignore = isSkipped("minisign", await has("minisign"));

/** Runs a program in a folder; returns whether it succeeded, and what it printed. */
async function run(folder: string, program: string, ...args: string[]) {
  const command = new Deno.Command(program, { args, cwd: folder });
  const { success, stdout, stderr } = await command.output();
  const text = new TextDecoder();
  return { success, text: text.decode(stdout) + text.decode(stderr) };
}

/** Builds a release of each day, signed by a key if there is one. */
async function releases(days: number, privateKey?: string) {
  const deps = await testDeps(
    privateKey === undefined
      ? {}
      : { settings: { MANIFEST_PRIVATE_KEY: privateKey } },
  );
  for (let nth = 0; nth < days; nth++) {
    if (nth > 0) deps.advance(DAY_MS);
    await fill(deps, { gasUsed: nth });
    await succeed(deps, "build-downloads");
  }
  return deps;
}

/** Saves paths of a deployment under their last names; redirects are followed. */
async function save(deps: TestDeps, folder: string, paths: readonly string[]) {
  const app = createApp(deps);
  for (const path of paths) {
    let response = await app.request(path);
    const to = response.headers.get("Location");
    if (response.status === 302) response = await app.request(to!);
    assertEquals(response.status, 200, path);
    const name = path.split("/").at(-1)!;
    await Deno.writeFile(`${folder}/${name}`, await response.bytes());
  }
}

async function keyOf(deps: TestDeps) {
  const response = await createApp(deps)
    .request("/.well-known/firn-manifest-key.json");
  return (await response.json()).keys[0];
}

const SUMS = ["/downloads/SHA256SUMS", "/downloads/SHA256SUMS.minisig"];

Deno.test({
  name:
    "sha256sum and minisign verify a release, and name what was altered, removed, signed by another key or put in its place",
  ignore,
  async fn(t) {
    using deps = await releases(2, KEY);
    const { minisign } = await keyOf(deps);
    const folder = await Deno.makeTempDir();
    const verify = (key = minisign) =>
      run(folder, "minisign", "-Vm", "SHA256SUMS", "-P", key);
    const check = () =>
      run(folder, "sha256sum", "-c", "--ignore-missing", "SHA256SUMS");
    const fresh = () =>
      save(deps, folder, [...SUMS, "/downloads/chains.csv.gz"]);
    const write = (name: string, content: string) =>
      Deno.writeTextFile(`${folder}/${name}`, content);
    const read = (name: string) => Deno.readTextFile(`${folder}/${name}`);
    try {
      await fresh();
      const before = await (await createApp(deps)
        .request("/downloads/manifests/2026-11-21.sha256")).bytes();
      const verified = await verify();
      assert(verified.success, verified.text);
      assertStringIncludes(
        verified.text,
        `day 2026-11-22, previous 2026-11-21 ${sha256Hex(before)}`,
      );
      assertEquals((await check()).text, "chains.csv.gz: OK\n");
      await t.step("an altered file", async () => {
        await write("chains.csv.gz", "other");
        assertEquals((await check()).success, false);
      });
      await t.step("an altered manifest", async () => {
        await write("SHA256SUMS", (await read("SHA256SUMS")).replace("a", "b"));
        assertEquals((await verify()).success, false);
      });
      await t.step("an altered day", async () => {
        await fresh();
        const signature = await read("SHA256SUMS.minisig");
        await write(
          "SHA256SUMS.minisig",
          signature.replace("day 2026-11-22", "day 2026-11-23"),
        );
        assertEquals((await verify()).success, false);
      });
      await t.step("a removed signature", async () => {
        await Deno.remove(`${folder}/SHA256SUMS.minisig`);
        assertEquals((await verify()).success, false);
      });
      await t.step("another key", async () => {
        using forged = await releases(1, ATTACKER);
        await save(forged, folder, SUMS);
        assertEquals((await verify()).success, false);
        const { minisign } = await keyOf(forged);
        assertEquals((await verify(minisign)).success, true);
      });
      await t.step("an older release in its place", async () => {
        const older = "/downloads/manifests/2026-11-21.sha256";
        await save(deps, folder, [older, `${older}.minisig`]);
        await Deno.rename(
          `${folder}/2026-11-21.sha256`,
          `${folder}/SHA256SUMS`,
        );
        await Deno.rename(
          `${folder}/2026-11-21.sha256.minisig`,
          `${folder}/SHA256SUMS.minisig`,
        );
        const { text } = await verify();
        assertStringIncludes(text, "day 2026-11-21, previous none");
      });
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

Deno.test("a deployment without a key has manifests and no signatures, and says so", async () => {
  using deps = await releases(1);
  const app = createApp(deps);
  const read = async (path: string) => await (await app.request(path)).json();
  const { release } = await read("/downloads/index.json");
  assertEquals(release.signedBy, null);
  const sums = await app.request(release.manifest);
  assertEquals(sha256Hex(await sums.text()), release.manifestSha256);
  assertEquals((await app.request(`${release.manifest}.minisig`)).status, 404);
  const { enabled, keys } = await read("/.well-known/firn-manifest-key.json");
  assertEquals([enabled, keys], [false, []]);
});

Deno.test("a manifest from before stays at its URL, signed by the same key, and the next one names its hash", async () => {
  using deps = await testDeps({ settings: { MANIFEST_PRIVATE_KEY: KEY } });
  await deps.kv.set(["download_manifests", "2026-11-20"], STORED_BEFORE);
  await fill(deps);
  await succeed(deps, "build-downloads");
  const app = createApp(deps);
  const path = "/downloads/manifests/2026-11-20.json";
  const json = await (await app.request(path)).bytes();
  const signature = await (await app.request(`${path}.sig`)).bytes();
  const { kty, crv, x } = await keyOf(deps);
  const key = await crypto.subtle.importKey(
    "jwk",
    { kty, crv, x },
    "Ed25519",
    false,
    ["verify"],
  );
  assert(await crypto.subtle.verify("Ed25519", key, signature, json));
  const next = await app.request(
    "/downloads/manifests/2026-11-21.sha256.minisig",
  );
  assertStringIncludes(
    await next.text(),
    `previous 2026-11-20 ${STORED_BEFORE.sha256}`,
  );
  assertEquals((await app.request(path.replace("json", "sha256"))).status, 404);
});
