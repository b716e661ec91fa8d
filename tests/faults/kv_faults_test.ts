/** A database that fails, for every described operation: a clean error, no half state, and work again afterwards. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createApp } from "../../routes/app.ts";
import {
  listOperations,
  type OpenApi,
} from "../../routes/docs/openapi_schema.ts";
import { exampleOf } from "../../simnet/accounts.ts";
import { SIGNING } from "../support/attestations.ts";
import { enrol } from "../support/callers.ts";
import { testDeps } from "../support/deps.ts";
import {
  breakKv,
  DISK_ERROR,
  DISK_FULL,
  type KvFaults,
} from "../support/kv/faulty_kv.ts";
import { newOwner } from "../support/owners.ts";
import { dumpOf } from "../support/kv/stored.ts";

const ADDRESS = exampleOf("ordinary");
const TX_HASH = `0x${"12".repeat(32)}`;
const KEY_NAME = "made by a test";

type Service = Awaited<ReturnType<typeof openService>>;
type Operation = ReturnType<typeof listOperations>[number];

/** A service with everything switched on, its database in the test's hand, and who may ask all of it. */
async function openService() {
  const deps = await testDeps({
    settings: {
      ...SIGNING,
      TREASURY_ADDRESS: `0x${"7e".repeat(20)}`,
      GITHUB_CLIENT_ID: "client",
      GITHUB_CLIENT_SECRET: "secret",
    },
  });
  const faults = breakKv(deps.kv);
  const caller = await enrol(deps, { plan: "scale" });
  const owner = newOwner(deps);
  await owner.signIn();
  return { deps, faults, caller, owner };
}

/** Bodies that are accepted, made anew each time: proofs are good once. */
const BODIES: Record<string, (service: Service) => Promise<object> | object> = {
  postBatch: () => ({ addresses: [ADDRESS, ADDRESS] }),
  postChallenge: () => ({ address: ADDRESS, action: "session" }),
  postSession: ({ owner }) => owner.prove("session"),
  postKey: async ({ owner }) => {
    const params = { keyName: KEY_NAME, kind: "live" };
    return { ...await owner.prove("key.create", params), ...params };
  },
  postRotation: async ({ owner, caller }) => {
    const params = { keyId: caller.id, graceSeconds: 0 };
    return { ...await owner.prove("key.rotate", params), graceSeconds: 0 };
  },
  deleteKey: ({ owner, caller }) =>
    owner.prove("key.revoke", { keyId: caller.id }),
  postQuote: () => ({ product: "builder", periods: 1 }),
  postClaim: () => ({ quoteId: crypto.randomUUID(), txHash: TX_HASH }),
  putProfile: () => ({ displayName: "Ada", slug: null, linksPublic: true }),
  postDonation: () => ({ to: ADDRESS, txHash: TX_HASH }),
  postDomain: () => ({ domain: "example.com" }),
  postVerification: () => ({ domain: "example.com" }),
};

/** Pages, which the description leaves out. */
const PAGES = [
  "/",
  "/dashboard",
  "/docs",
  "/status",
  `/tools/score/${ADDRESS}`,
];

/** Lists what is described, and the pages. */
async function operationsOf({ deps }: Service): Promise<Operation[]> {
  const response = await createApp(deps).request("/openapi.json");
  const pages = PAGES.map((path) => ({
    path,
    method: "GET",
    operation: { operationId: path, summary: path, responses: {} },
  }));
  return [...listOperations(await response.json() as OpenApi), ...pages];
}

/** Returns a call of an operation that would succeed, or be refused for a reason of its own. */
async function callOf(
  service: Service,
  { path, method, operation }: Operation,
) {
  const { deps, caller, owner } = service;
  const body = await BODIES[operation.operationId]?.(service);
  assert(body !== undefined || operation.requestBody === undefined, path);
  const headers = {
    "X-Api-Key": caller.key,
    "Cookie": owner.cookie(),
    "Origin": deps.publicUrl,
    ...(body === undefined ? {} : { "Content-Type": "application/json" }),
  };
  const filled = path.replace(/\{address\w*\}/, ADDRESS)
    .replace("{metric}", "txCount").replace("{kind}", "github")
    .replace("{id}", caller.id);
  const init = {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  return async () => {
    const response = await createApp(deps).request(filled, init);
    const { status } = response;
    return { status, headers: response.headers, text: await response.text() };
  };
}

/** Returns what a call costs that succeeds; a batch here has two addresses. */
function unitsOf({ operation: { operationId } }: Operation): number {
  const units: Record<string, number> = {
    getScore: 1,
    getHistory: 1,
    getSigned: 1,
    postBatch: 2,
  };
  return units[operationId] ?? 0;
}

function mend(faults: KvFaults): void {
  const none = { reads: null, commits: null, failingWrite: 0 };
  Object.assign(faults, { ...none, locked: 0, delayMs: 0 });
}

/** Statuses that a refusal for a reason of its own may have. */
const isAnswered = (status: number) => status < 500;

/** Breaks the database for each operation in turn, on a service of its own. */
async function forEachOperation(
  t: Deno.TestContext,
  check: (service: Service, operation: Operation) => Promise<void>,
): Promise<void> {
  const first = await openService();
  const operations = await operationsOf(first);
  first.deps[Symbol.dispose]();
  for (const operation of operations) {
    await t.step(`${operation.method} ${operation.path}`, async () => {
      const service = await openService();
      using _deps = service.deps;
      await check(service, operation);
    });
  }
}

/** What breaks, and the statuses of those who are told. */
const BREAKS: Record<
  string,
  [breakIt: (faults: KvFaults) => void, statuses: readonly number[]]
> = {
  "every read fails": [
    (faults) => faults.reads = new Error(DISK_ERROR),
    [500, 503],
  ],
  "every write fails": [
    (faults) => faults.commits = new Error(DISK_ERROR),
    [500, 503],
  ],
  "the disk is full": [
    (faults) => faults.commits = new TypeError(DISK_FULL),
    [503],
  ],
};

for (const [name, [breakIt, statuses]] of Object.entries(BREAKS)) {
  Deno.test(`where ${name} each operation says so cleanly, and works afterwards`, async (t) => {
    await forEachOperation(t, async (service, operation) => {
      const { deps, faults, caller } = service;
      const call = await callOf(service, operation);
      const before = { dump: await dumpOf(deps), used: await caller.used() };
      breakIt(faults);
      const { status, headers, text } = await call();
      mend(faults);
      if (!isAnswered(status)) {
        assert(statuses.includes(status), text);
        assertMatch(headers.get("Cache-Control")!, /no-store/);
        const after = { dump: await dumpOf(deps), used: await caller.used() };
        assertEquals(after, before);
      }
      assert(!/disk|sqlite|\.ts/.test(text), text);
      deps.advance(120_000);
      const again = await callOf(service, operation);
      const { status: then, text: answer } = await again();
      assert(isAnswered(then), answer);
    });
  });
}

Deno.test("a process that has answered before says it as cleanly, and counts what it answers", async (t) => {
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
  for (const [name, [breakIt, statuses]] of Object.entries(BREAKS)) {
    await t.step(name, async () => {
      const used = await caller.used();
      breakIt(faults);
      const { status, text } = await ask();
      mend(faults);
      assert([200, ...statuses].includes(status), text);
      assert(JSON.parse(text).code !== undefined || status === 200, text);
      assertEquals(await caller.used() - used, status === 200 ? 1 : 0);
      assertEquals((await ask()).status, 200);
    });
  }
});

Deno.test("whichever write fails, what failed costs nothing, and the next call works", async (t) => {
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
    }
    deps.advance(120_000);
    const { status, text } = await (await callOf(service, operation))();
    assert(isAnswered(status), text);
  });
});

Deno.test("a commit that finds the database locked is tried again, and counts once", async (t) => {
  await forEachOperation(t, async (service, operation) => {
    const { faults, caller } = service;
    const call = await callOf(service, operation);
    faults.locked = 3;
    const { status, headers, text } = await call();
    mend(faults);
    assert(isAnswered(status), text);
    if (status !== 200 || !headers.has("X-RateLimit-Limit")) return;
    const units =
      { postBatch: 2, getUsage: 0 }[operation.operation.operationId];
    assertEquals(await caller.used(), units ?? 1);
  });
});

Deno.test("a database that stays locked is told as such, with a time to wait", async () => {
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
    assertEquals([id, status], [id, 503], text);
    assertEquals(JSON.parse(text).code, "CONTENDED");
    assert(Number(headers.get("Retry-After")) >= 1);
    assertEquals(await dumpOf(deps), before);
    assertEquals(await service.caller.used(), 0);
  }));
});

Deno.test("a slow database makes answers slow, and no other", async (t) => {
  await forEachOperation(t, async (service, operation) => {
    const call = await callOf(service, operation);
    service.faults.delayMs = 5;
    const { status, text } = await call();
    mend(service.faults);
    assert(isAnswered(status), text);
  });
});
