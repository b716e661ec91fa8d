/** The manifests of downloads, checked as the browser checks them. */
import { assertEquals } from "@std/assert";
import { createApp } from "../../routes/app.ts";
import { DAY_MS } from "../../services/platform/days.ts";
import { checkChain, checkFile } from "../../static/downloads/manifests.js";
import { bytesOfFile, fill } from "../support/chain_data/downloads.ts";
import { testDeps } from "../support/deps.ts";
import { succeed } from "../support/jobs.ts";

const KEY = "MC4CAQAwBQYDK2VwBCIEIA9lfBoDY5jPDfwwgI3QsxZWOF1HNAbu3iF1eq8HoiGN";

Deno.test("checkChain() of the page follows the chain, and names what was altered or removed", async () => {
  using deps = await testDeps({ settings: { MANIFEST_PRIVATE_KEY: KEY } });
  for (let day = 0; day < 3; day++) {
    if (day > 0) deps.advance(DAY_MS);
    await fill(deps, { gasUsed: day });
    await succeed(deps, "build-downloads");
  }
  const app = createApp(deps);
  const read = async (path: string) => {
    const response = await app.request(path);
    const bytes = await response.bytes();
    return response.status === 404 ? null : bytes;
  };
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
