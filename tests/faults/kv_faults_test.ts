/** Database failures, for every documented operation: a clean error, no partial write, and recovery. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createApp } from "../../routes/app.ts";
import {
  ADDRESS,
  callOf,
  forEachOperation,
  isAnswered,
  mend,
  openService,
  operationsOf,
  unitsOf,
} from "../support/kv/operations.ts";
import {
  DISK_ERROR,
  DISK_FULL,
  type KvFaults,
} from "../support/kv/faulty_kv.ts";
import { dumpOf } from "../support/kv/stored.ts";

/** A fault of the database, the status of requests that it stops, and the operations that it does not stop. */
interface Break {
  readonly inject: (faults: KvFaults) => void;
  readonly status: number;
  /** The status of a score that the process has cached: only its charge is written. */
  readonly cachedStatus: number;
  readonly unaffected: readonly string[];
  /** The operations that meet it; all by default. */
  readonly only?: readonly string[];
}

/** Operations that need no database. */
const NO_DATABASE = [
  "/docs",
  "/status",
  "getChainCard",
  "getChainData",
  "getLiveness",
  "getManifestKeys",
  "getScoring",
  "getSigners",
  "getStatus",
];

/** Operations that write nothing. */
const NO_WRITES = [
  ...NO_DATABASE,
  "/dashboard",
  "getAccount",
  "getCalls",
  "getDisputes",
  "getDownload",
  "getHealth",
  "getManifest",
  "getOwnProfile",
  "getPayments",
  "getProfile",
  "getProfileCard",
  "getQuality",
  "getScoreBadge",
  "getScoreCard",
  "getUsage",
  "listDownloads",
  "postClaim",
];

const BREAKS: Record<string, Break> = {
  "every read fails": {
    inject: (faults) => faults.reads = new Error(DISK_ERROR),
    status: 500,
    cachedStatus: 200,
    unaffected: NO_DATABASE,
  },
  "every write fails": {
    inject: (faults) => faults.commits = new Error(DISK_ERROR),
    status: 500,
    cachedStatus: 500,
    unaffected: NO_WRITES,
  },
  "the disk is full": {
    inject: (faults) => faults.commits = new TypeError(DISK_FULL),
    status: 503,
    cachedStatus: 500,
    // A score is shown although it cannot be stored.
    unaffected: ["getHealth", "getOwnScore", `/tools/score/${ADDRESS}`],
    // It differs from any failed write in the answer, which one place writes.
    only: [
      "deleteKey",
      "getHealth",
      "getMetrics",
      "getOwnScore",
      "getScore",
      "postBatch",
      "postChallenge",
      "postQuote",
      "putFollow",
      "putProfile",
      `/tools/score/${ADDRESS}`,
    ],
  },
};

/** Reports the database as unavailable, whatever the fault. */
const HEALTH = { operationId: "getHealth", status: 503 };

for (
  const [name, { inject, status: failure, unaffected, only }] of Object
    .entries(BREAKS)
) {
  Deno.test(`if ${name}, each operation fails cleanly and works afterwards`, async (t) => {
    const answered: string[] = [];
    await forEachOperation(t, async (service, operation) => {
      const { deps, faults, caller } = service;
      const { operationId } = operation.operation;
      const call = await callOf(service, operation);
      const before = { dump: await dumpOf(deps), used: await caller.used() };
      inject(faults);
      const { status, headers, text } = await call();
      mend(faults);
      if (isAnswered(status)) answered.push(operationId);
      else {
        const isHealth = operationId === HEALTH.operationId;
        const isScoring = operation.path.startsWith("/api/v1/");
        const expected = isScoring && failure === 503 ? 500 : failure;
        assertEquals(status, isHealth ? HEALTH.status : expected, text);
        assertMatch(headers.get("Cache-Control")!, /no-store/);
        const after = { dump: await dumpOf(deps), used: await caller.used() };
        assertEquals(after, before);
      }
      assert(!/disk|sqlite|\.ts/.test(text), text);
      // Work that the request shared goes on, and would be late after the pause.
      await deps.settle();
      deps.advance(120_000);
      const again = await callOf(service, operation);
      const { status: then, text: answer } = await again();
      assert(isAnswered(then), answer);
    }, only);
    assertEquals(answered.toSorted(), unaffected.toSorted());
  });
}

Deno.test("a process with filled caches fails as cleanly, and does not charge for failures", async (t) => {
  const { deps, faults, caller } = await openService();
  using _deps = deps;
  const app = createApp(deps);
  const ask = async () => {
    const headers = { "X-Api-Key": caller.key };
    const path = `/api/v1/score/${ADDRESS}`;
    const response = await app.fetch(
      new Request(`${deps.publicUrl}${path}`, { headers }),
    );
    return { status: response.status, text: await response.text() };
  };
  for (let call = 0; call < 3; call++) assertEquals((await ask()).status, 200);
  for (const [name, { inject, cachedStatus }] of Object.entries(BREAKS)) {
    await t.step(name, async () => {
      const used = await caller.used();
      inject(faults);
      const { status, text } = await ask();
      mend(faults);
      assertEquals(status, cachedStatus, text);
      assert(status === 200 || JSON.parse(text).code !== undefined, text);
      assertEquals(await caller.used() - used, status === 200 ? 1 : 0);
      assertEquals((await ask()).status, 200);
    });
  }
});

Deno.test("a request that fails at any of its writes costs nothing, and the next one works", async (t) => {
  await forEachOperation(t, async (service, operation) => {
    const { deps, faults, caller } = service;
    for (let failing = 1; failing <= 4; failing++) {
      deps.advance(120_000);
      const call = await callOf(service, operation);
      const used = await caller.used();
      faults.failingWrite = failing;
      const { status, text } = await call();
      mend(faults);
      assert(isAnswered(status) || status === 500, text);
      const spent = await caller.used() - used;
      assertEquals(spent, status === 200 ? unitsOf(operation) : 0);
      await deps.settle();
    }
    deps.advance(120_000);
    const { status, text } = await (await callOf(service, operation))();
    assert(isAnswered(status), text);
  });
});

Deno.test("a slow database changes no answer, and a commit to one that is locked for a time is retried and counts once", async (t) => {
  await forEachOperation(t, async (service, operation) => {
    const { faults, caller } = service;
    const call = await callOf(service, operation);
    faults.locked = 3;
    faults.pause = () => new Promise((done) => setTimeout(done, 5));
    const { status, headers, text } = await call();
    mend(faults);
    assert(isAnswered(status), text);
    if (status !== 200 || !headers.has("X-RateLimit-Limit")) return;
    const units = { postBatch: 2, getHealth: 0, getScoring: 0, getUsage: 0 }[
      operation.operation.operationId
    ];
    assertEquals(await caller.used(), units ?? 1);
  });
});

Deno.test("a database that stays locked is CONTENDED with Retry-After: a 500 of scores, else a 503", async () => {
  const services = await Promise.all([
    "getMetrics",
    "getScore",
    "postBatch",
    "postChallenge",
    "putProfile",
    "putFollow",
    "postQuote",
  ].map(async (id) => {
    const service = await openService();
    const operations = await operationsOf(service);
    const operation = operations.find((one) =>
      one.operation.operationId === id
    )!;
    return { id, service, call: await callOf(service, operation) };
  }));
  await Promise.all(services.map(async ({ id, service, call }) => {
    using deps = service.deps;
    const before = await dumpOf(deps);
    service.faults.locked = Infinity;
    const { status, headers, text } = await call();
    mend(service.faults);
    const isScore = id === "getScore" || id === "postBatch";
    assertEquals([id, status], [id, isScore ? 500 : 503], text);
    assertEquals(JSON.parse(text).code, "CONTENDED");
    assertEquals(headers.get("Retry-After"), "1");
    assertEquals(await dumpOf(deps), before);
    assertEquals(await service.caller.used(), 0);
  }));
});
