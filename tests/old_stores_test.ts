/** Stores of earlier versions open: what they hold is served, and a changed record has a new format. */
import { assert, assertEquals } from "@std/assert";
import { createApp } from "../routes/app.ts";
import { FORMAT, prepareStore } from "../services/platform/kv/store_format.ts";
import { createApiKey } from "../services/accounts/api_keys.ts";
import { readEntitlements } from "../services/payments/entitlements.ts";
import { COLLECTIONS } from "../services/stores.ts";
import { exampleOf } from "../simnet/accounts.ts";
import { testDeps } from "./support/deps.ts";
import { ADA, PAYER } from "./support/kv/filled_store.ts";
import { assertSound } from "./support/kv/invariants.ts";
import { succeed } from "./support/jobs.ts";
import {
  CURRENT,
  listFilled,
  listKept,
  readKept,
} from "./support/kv/kept_store.ts";

/** An address that has a score in the kept stores. */
const SCORED = exampleOf("ordinary");

const OPEN_PATHS = [
  "/api/chain-data/metrics?range=all",
  "/api/chain-data/metrics?metric=feesPaid&interval=month",
  "/api/chain-data/monthly-transactions",
  "/api/chain-data/block-production",
  "/api/chain-data/validators",
  "/api/chain-data/quality",
  "/api/chain-data/disputes",
  "/api/chain-data/revisions",
  "/status.json",
  `/tools/score/${SCORED}`,
  `/tools/score/${ADA}`,
  `/profile/${ADA}.json`,
  `/profile/${ADA}`,
  "/downloads/index.json",
  "/downloads/activeAddresses-2021.csv",
  "/",
];

/** Jobs that read what others have left. */
const JOBS = [
  "record-scores",
  "refresh-graph",
  "find-payments",
  "score-waiting",
];

/** Jobs that take seconds, which the oldest store has all records for. */
const LONG_JOBS = ["refresh-series", "build-downloads"];
const OLDEST = "format_1_b91a5bf7.ndjson.gz";

/** Opens a copy of a kept store; its clock continues after the records. */
async function openKept(name: string) {
  const deps = await testDeps({ start: "2026-11-24T08:00:00.000Z", chains: 2 });
  for (const [key, value] of await readKept(name)) {
    await deps.kv.set(key, value);
  }
  const isNumbered = name.match(/^format_(\d+)/)!;
  await deps.kv.set(["format"], {
    format: Number(isNumbered[1]),
    cursor: null,
  });
  return deps;
}

for (const name of listKept()) {
  Deno.test(`a store of ${name} opens: sound, and served without a 500`, async () => {
    using deps = await openKept(name);
    await prepareStore(deps.kv);
    await assertSound(deps.kv, deps.now().getTime());
    const app = createApp(deps);
    const { plan } = await readEntitlements(deps, PAYER);
    assertEquals(plan, "builder", "what was paid is there");
    const { key } = (await createApiKey(deps, { wallet: PAYER, name: "new" }))!;
    const ask = async (path: string, init: RequestInit = {}) => {
      const response = await app.request(path, {
        ...init,
        headers: { "X-Api-Key": key, "Content-Type": "application/json" },
      });
      const body = await response.text();
      assert(response.status < 500, `${path}: ${response.status} ${body}`);
      return body;
    };
    for (const path of OPEN_PATHS) await ask(path);
    const history = await ask(
      `/api/v1/score/${SCORED}/history?days=90&include=breakdown`,
    );
    const { count } = JSON.parse(history);
    assert(count >= 1, "the stored points are there");
    const batch = await ask("/api/v1/score/batch", {
      method: "POST",
      body: JSON.stringify({ addresses: [SCORED, ADA] }),
    });
    assert(JSON.parse(batch).results[0].signals !== "none");
    const { address } = JSON.parse(await ask(`/api/v1/score/${SCORED}`));
    assertEquals(address, SCORED);
    const jobs = name === OLDEST ? [...JOBS, ...LONG_JOBS] : JOBS;
    for (const job of jobs) await succeed(deps, job);
    await assertSound(deps.kv, deps.now().getTime());
  });
}

/** Adds the fields of a value and their types; lists and maps by number are one field. */
function addShape(value: unknown, path: string, shape: Set<string>): void {
  if (value === null || value === undefined) return;
  if (Array.isArray(value)) {
    for (const each of value) addShape(each, `${path}[]`, shape);
  } else if (Object.getPrototypeOf(value) === Object.prototype) {
    for (const [name, each] of Object.entries(value)) {
      const field = /^\d|^0x|^[\da-f]{8}-/.test(name) ? "*" : name;
      addShape(each, `${path}.${field}`, shape);
    }
  } else {
    shape.add(`${path}: ${value.constructor.name}`);
  }
}

/** Returns the fields of each collection, with their types. */
function shapeOf(entries: readonly (readonly [Deno.KvKey, unknown])[]) {
  const shape = new Set<string>();
  for (const [[name], value] of entries) addShape(value, String(name), shape);
  return [...shape].toSorted();
}

/** Collections that no kept store has, and why. */
const NOT_KEPT = {
  format: "it is the number that `openKept` sets",
  import: "a store with an unfinished import does not open",
  ping: "a probe deletes what it wrote, and nothing reads it",
};

/** Kept stores of whole formats, the newest first, with the collections that came after each. */
const CAME_AFTER: Readonly<Record<string, readonly string[]>> = {
  [CURRENT]: [],
  "format_3.ndjson.gz": ["plan_ends", "score_refreshes"],
  "format_2.ndjson.gz": [],
  "format_1.ndjson.gz": [
    "human_proof_queue",
    "human_proofs",
    "last_export",
    "series_doubts",
    "unsettled_units",
  ],
  [OLDEST]: ["hubs", "set_aside", "store_id"],
};

/** Collections that are kept only where a store is of a version that wrote them. */
const WRITTEN_ONCE = {
  profile_reports: OLDEST,
};

Deno.test("the kept store of each format has records of every collection that its version had", async () => {
  const formats = Object.keys(CAME_AFTER).map((name) => name.split(/\D+/)[1]);
  for (let format = 1; format <= FORMAT; format++) {
    assert(formats.includes(`${format}`), `format ${format} has a store`);
  }
  const expected = new Set(Object.keys(COLLECTIONS));
  for (const name of Object.keys(NOT_KEPT)) expected.delete(name);
  for (const [file, later] of Object.entries(CAME_AFTER)) {
    for (const name of later) assert(expected.delete(name), name);
    const written = [...expected].filter((name) =>
      [undefined, file].includes((WRITTEN_ONCE as Record<string, string>)[name])
    );
    const kept = new Set(
      (await readKept(file)).map(([[name]]) => String(name)),
    );
    assertEquals([...kept].toSorted(), written.toSorted(), file);
  }
});

Deno.test("records have the fields of the kept store of this format: a changed one needs a new format", async () => {
  const [before, after] = [
    shapeOf(await readKept(CURRENT)),
    shapeOf(await listFilled()),
  ];
  assert(before.length > 100, `${before.length} fields`);
  const changed = [
    ...before.filter((field) => !after.includes(field)).map((it) => `- ${it}`),
    ...after.filter((field) => !before.includes(field)).map((it) => `+ ${it}`),
  ];
  assertEquals(
    changed,
    [],
    `raise FORMAT above ${FORMAT}, add its migration, and write its store with tests/support/kv/kept_store.ts`,
  );
});
