/** Building a release: what is built, when, and what a killed or doubled run leaves. */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { DAY_MS, HOUR_MS, parseDay } from "../../../services/platform/days.ts";
import { type Deps } from "../../../services/deps.ts";
import { runJob } from "../../../services/platform/jobs/job_run.ts";
import { JOBS } from "../../../jobs/register_jobs.ts";
import { exportStore, importStore } from "../../../services/operator/backup.ts";
import { assertSound } from "../../support/kv/invariants.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import {
  dyingAfter,
  LEASE_OVER_MS,
  ownProcess,
  succeed,
} from "../../support/jobs.ts";
import { endSweep, sweep } from "../../support/chain_data/swept.ts";
import {
  buildDownloads,
  bytesOfFile,
  countRecords,
  fileOf,
  fill,
  TABLES,
} from "../../support/chain_data/downloads.ts";

const JOB = JOBS.find(({ name }) => name === "build-downloads")!;

/** Returns the hash of every file by name. */
async function hashesOf({ store }: Pick<Deps, "store">) {
  const tables = await store.downloads.listTables();
  return Object.fromEntries(
    tables.flatMap(({ files }) => files)
      .map(({ name, sha256 }) => [name, sha256]),
  );
}

Deno.test("build-downloads builds nothing before a sweep has ended", async () => {
  using deps = await testDeps();
  assertEquals(await succeed(deps, "build-downloads"), "nothing is due");
});

Deno.test("build-downloads builds every table once after a sweep, and once a day", async () => {
  using deps = await testDeps();
  await fill(deps);
  const outcome = await succeed(deps, "build-downloads");
  assertEquals(
    outcome,
    `${TABLES} of ${TABLES} tables built for 2026-11-21`,
  );
  assertEquals(await succeed(deps, "build-downloads"), "nothing is due");
  // A second sweep on the same day waits for the next one.
  deps.advance(HOUR_MS);
  await endSweep(deps, parseDay("2026-11-21"));
  assertEquals(await succeed(deps, "build-downloads"), "nothing is due");
  deps.advance(DAY_MS);
  assert(
    (await succeed(deps, "build-downloads")).endsWith("built for 2026-11-22"),
  );
});

Deno.test("equal data give equal bytes, and only changed tables are built again", async () => {
  using one = await testDeps();
  using two = await testDeps({ start: "2026-11-21T09:30:00.000Z" });
  for (const deps of [one, two]) {
    await fill(deps);
    await succeed(deps, "build-downloads");
  }
  const before = await hashesOf(one);
  assertEquals(await hashesOf(two), before);
  const kept = await fileOf(one, "txCount-2026.parquet");
  one.advance(DAY_MS);
  await fill(one, { gasUsed: 7 });
  await succeed(one, "build-downloads");
  const after = await hashesOf(one);
  // The stake is read again, as it has a new day.
  const changed = Object.keys(after).filter((name) =>
    after[name] !== before[name] && !name.startsWith("checked-stake")
  );
  assertEquals(changed.toSorted(), [
    "datapackage.json",
    "gasUsed-2026.csv.gz",
    "gasUsed-2026.ndjson.gz",
    "gasUsed-2026.parquet",
  ]);
  assertEquals(await fileOf(one, "txCount-2026.parquet"), kept);
});

Deno.test("with METRIC_FILES_DAYS the files of a metric are built so often, and the others every day", async () => {
  using deps = await testDeps({ settings: { METRIC_FILES_DAYS: "3" } });
  await fill(deps);
  await succeed(deps, "build-downloads");
  const builtOn = async (table: string) =>
    (await deps.store.downloads.findTable(table))!.builtOn;
  for (
    const [day, gasUsed, wanted] of [
      ["2026-11-22", 1, "2026-11-21"],
      ["2026-11-23", 2, "2026-11-21"],
      ["2026-11-24", 3, "2026-11-24"],
    ] as const
  ) {
    deps.advance(DAY_MS);
    await fill(deps, { gasUsed });
    await succeed(deps, "build-downloads");
    assertEquals((await deps.store.downloads.findRelease())!.date, day);
    assertEquals(await builtOn("gasUsed-2026"), wanted);
  }
  // The stake has had a new day.
  assertEquals(await builtOn("checked-stake"), "2026-11-22");
});

Deno.test("a release replaces files in one step: a reader of the old one finishes", async () => {
  using deps = await buildDownloads();
  const old = await fileOf(deps, "gasUsed-2026.csv.gz");
  deps.advance(DAY_MS);
  await fill(deps, { gasUsed: 7 });
  await succeed(deps, "build-downloads");
  const next = await fileOf(deps, "gasUsed-2026.csv.gz");
  assertNotEquals(next.version, old.version);
  deps.advance(HOUR_MS - 1);
  await succeed(deps, "build-downloads");
  assert(await deps.store.downloads.findChunk(old, 0) !== null);
  deps.advance(2);
  await succeed(deps, "build-downloads");
  assertEquals(await deps.store.downloads.findChunk(old, 0), null);
  assert(await deps.store.downloads.findChunk(next, 0) !== null);
  assertEquals(await countRecords(deps.kv, ["download_garbage"]), 0);
});

Deno.test("a run that is killed after any table is continued, and leaves nothing behind", async () => {
  using whole = await buildDownloads();
  const expected = await hashesOf(whole);
  const chunks = await countRecords(whole.kv, ["download_chunks"]);
  for (const calls of [0, 1, 5, TABLES - 1]) {
    using deps = await testDeps();
    await fill(deps);
    const { downloads } = deps.store;
    const { call, died } = dyingAfter(calls, downloads.stage);
    const dying = {
      ...deps,
      store: { ...deps.store, downloads: { ...downloads, stage: call } },
    };
    // A process that is killed never returns.
    void runJob(ownProcess(dying), JOB);
    await died;
    assertEquals(await hashesOf(deps), {});
    deps.advance(LEASE_OVER_MS);
    await succeed(deps, "build-downloads");
    assertEquals(await hashesOf(deps), expected);
    assertEquals(await countRecords(deps.kv, ["download_chunks"]), chunks);
    assertEquals(await countRecords(deps.kv, ["download_staged"]), 0);
  }
});

Deno.test("the chunks of a run that was killed on another day are deleted", async () => {
  using deps = await testDeps();
  await fill(deps);
  const { downloads } = deps.store;
  const { call, died } = dyingAfter(3, downloads.stage);
  const dying = {
    ...deps,
    store: { ...deps.store, downloads: { ...downloads, stage: call } },
  };
  void runJob(ownProcess(dying), JOB);
  await died;
  deps.advance(DAY_MS);
  await fill(deps, { gasUsed: 3 });
  await succeed(deps, "build-downloads");
  const tables = await downloads.listTables();
  const versions = new Set(
    tables.flatMap(({ files }) => files.map(({ version }) => version)),
  );
  for await (const { key } of deps.kv.list({ prefix: ["download_chunks"] })) {
    assert(versions.has(String(key[1])), String(key[1]));
  }
});

Deno.test("of two processes that build at once, one releases", async () => {
  using deps = await testDeps();
  await fill(deps);
  const context = { proceed: () => Promise.resolve(true) };
  const outcomes = await Promise.all([
    JOB.run(deps, context),
    JOB.run(deps, context),
  ]);
  const released = outcomes.filter((outcome) =>
    outcome.includes("tables built")
  );
  assertEquals(released.length, 1, outcomes.join(", "));
  const { broken } = await deps.store.invariants.check(deps.now().getTime());
  assertEquals(broken, []);
});

Deno.test("a process that stages a released table again does not take its files away", async () => {
  using deps = await buildDownloads();
  const { downloads, invariants } = deps.store;
  const table = (await downloads.findTable("chains"))!;
  const contents = await Promise.all(
    table.files.map(({ name }) => bytesOfFile(deps, name)),
  );
  await downloads.stage(table, contents);
  await downloads.deleteStaged();
  assertEquals(await countRecords(deps.kv, ["download_staged"]), 0);
  const { broken } = await invariants.check(deps.now().getTime());
  assertEquals(broken, []);
});

Deno.test("files of another upstream are not served, and are replaced", async () => {
  using deps = await buildDownloads();
  const other = await testDeps({
    settings: { METRICS_API_URL: "http://other.test" },
  });
  using _ = other;
  const moved = { ...deps, upstream: other.upstream };
  deps.advance(DAY_MS);
  await sweep(moved, {
    chains: { 7: "Seven" },
    metrics: ["txCount"],
    valuesOf: () => ({ from: "2026-11-01", values: [1, 2] }),
  });
  await runJob(moved, JOB);
  const names = Object.keys(await hashesOf(deps)).filter((name) =>
    /^[a-zA-Z]+-\d/.test(name)
  );
  assertEquals(names, [
    "txCount-2026.csv.gz",
    "txCount-2026.ndjson.gz",
    "txCount-2026.parquet",
  ]);
});

/** Exports a store, and imports the copy into another one. */
async function restoreInto(deps: TestDeps, from: TestDeps): Promise<void> {
  let lines: string[] = [];
  await exportStore(from, async (copy) => {
    lines = (await Array.fromAsync(copy)).map((line) => line.trimEnd());
  });
  const open = async function* () {
    yield* lines;
  };
  await importStore(deps, open, { isCurrent: false });
}

Deno.test("after a restore the next run builds the files of the day again, under the manifest that it has", async () => {
  using lost = await buildDownloads();
  const before = await hashesOf(lost);
  const release = await lost.store.downloads.findRelease();
  const manifest = await lost.store.manifests.findNewest();
  using deps = await testDeps();
  await restoreInto(deps, lost);
  deps.advance(HOUR_MS);
  assertEquals(await hashesOf(deps), {});
  const count = Object.keys(before).length;
  assertEquals(
    await succeed(deps, "build-downloads"),
    `${count} of ${count} files restored for 2026-11-21`,
  );
  assertEquals(await hashesOf(deps), before);
  assertEquals(await deps.store.downloads.findRelease(), release);
  assertEquals(await deps.store.manifests.findNewest(), manifest);
  assert((await bytesOfFile(deps, "txCount-2026.parquet")).byteLength > 0);
  assertEquals(await succeed(deps, "build-downloads"), "nothing is due");
});

Deno.test("after a restore files whose data differ from the manifest wait for the next day, and the manifest stays", async () => {
  using lost = await buildDownloads();
  const before = await hashesOf(lost);
  const manifest = await lost.store.manifests.findNewest();
  assert(manifest);
  // Later on the same day a value is revised. The next release would have it.
  await fill(lost, { gasUsed: 7 });
  using deps = await testDeps();
  await restoreInto(deps, lost);
  const outcome = await succeed(deps, "build-downloads");
  assert(
    outcome.endsWith(
      "differ from its manifest and follow with the next release",
    ),
    outcome,
  );
  const after = await hashesOf(deps);
  const absent = Object.keys(before).filter((name) => !(name in after));
  assertEquals(absent.toSorted(), [
    "datapackage.json",
    "gasUsed-2026.csv.gz",
    "gasUsed-2026.ndjson.gz",
    "gasUsed-2026.parquet",
  ]);
  for (const [name, hash] of Object.entries(after)) {
    assertEquals(hash, before[name], name);
  }
  assertEquals(await deps.store.manifests.findNewest(), manifest);
  assertEquals(await countRecords(deps.kv, ["download_staged"]), 0);
  assertEquals(await succeed(deps, "build-downloads"), "nothing is due");
  deps.advance(DAY_MS);
  assert(
    (await succeed(deps, "build-downloads")).endsWith("built for 2026-11-22"),
  );
  assertEquals(Object.keys(await hashesOf(deps)), Object.keys(before));
  await assertSound(deps.kv);
});

Deno.test("build-downloads names every host of the Metrics API and the index as sources of the files, and no node", async () => {
  using deps = await testDeps({
    settings: {
      METRICS_API_URLS: '{"99":"https://own.test"}',
      CHAIN_RPC_URLS: '{"99":"https://node.test"}',
    },
  });
  await fill(deps);
  await succeed(deps, "build-downloads");
  const { sources } = JSON.parse(
    new TextDecoder().decode(await bytesOfFile(deps, "datapackage.json")),
  );
  assertEquals(sources.map(({ path }: { path: string }) => path), [
    "http://metrics.test",
    "https://own.test",
    "http://explorer.test",
  ]);
});

// Which tables a release has: those that fit, and of its own upstream.

Deno.test("a table that cannot be read keeps its files, but not those of another upstream", async () => {
  using deps = await buildDownloads();
  const listChecked = async () =>
    (await deps.store.downloads.listTables()).map(({ name }) => name)
      .filter((name) => name.startsWith("checked-"));
  const before = await listChecked();
  assert(before.length > 1);
  for (const url of [undefined, "http://other.test"]) {
    using down = await testDeps({
      fetch: () => Promise.reject(new TypeError("no connection")),
      ...url && { settings: { METRICS_API_URL: url } },
    });
    const moved = { ...deps, share: down.share, upstream: down.upstream };
    deps.advance(DAY_MS);
    await sweep(moved, {
      chains: { 7: "Seven" },
      metrics: ["txCount"],
      valuesOf: () => ({ from: "2026-11-01", values: [1, 2] }),
    });
    await runJob(moved, JOB);
    // The explorer index, which is the source of the blocks, has not changed.
    const kept = url === undefined
      ? before
      : before.filter((name) => name === "checked-blocks");
    assertEquals(await listChecked(), kept);
  }
});

Deno.test("a table that exceeds the 512 MiB of a release is left out, and the others are released", async () => {
  using deps = await buildDownloads();
  const { store, kv } = deps;
  const table = (await store.downloads.findTable("gasUsed-2026"))!;
  const [first, ...others] = table.files;
  const large = { ...table, files: [{ ...first!, bytes: 2 ** 29 }, ...others] };
  await kv.set(["download_tables", table.name], large);
  deps.advance(DAY_MS);
  await endSweep(deps, parseDay("2026-11-22"));
  const outcome = await succeed(deps, "build-downloads");
  assert(outcome.endsWith("; over the limit: gasUsed-2026"), outcome);
  assertEquals(await store.downloads.findTable(table.name), null);
  const { length } = await store.downloads.listTables();
  assertEquals(length, TABLES - 1);
});
