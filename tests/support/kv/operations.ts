/** Requests of every documented operation, on a service whose database can fail. */
import { assert } from "@std/assert";
import { appOf } from "../app.ts";
import {
  listOperations,
  type OpenApi,
} from "../../../routes/docs/openapi_document.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { SIGNING } from "../attestations.ts";
import { enrol } from "../callers.ts";
import { testDeps, type TestOptions } from "../deps.ts";
import { PICTURE_FILES } from "../../../services/platform/package_files.ts";
import { newOwner } from "../owners.ts";
import { breakKv, type KvFaults } from "./faulty_kv.ts";

/**
 * The renderer of pictures, compiled: while it is there, the runtime compiles it for
 * no other worker, and each service here starts workers of its own.
 */
const RENDERER = await WebAssembly.compile(
  await Deno.readFile(new URL(PICTURE_FILES[0]!)),
);

/** The address of the requests. */
export const ADDRESS = exampleOf("ordinary");
const TX_HASH = `0x${"12".repeat(32)}`;
const KEY_NAME = "made by a test";

/** A service with its faults, a caller and an owner. */
type Service = Awaited<ReturnType<typeof openService>>;
/** A documented operation, or a page. */
type Operation = ReturnType<typeof listOperations>[number];

/** Opens a service with all features, faults for its database, and a caller and owner who may request everything. */
export async function openService(options: TestOptions = {}) {
  const deps = await testDeps({
    ...options,
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
  return { deps, faults, caller, owner, renderer: RENDERER };
}

/** Valid bodies. Each call makes a new one because a proof is valid once. */
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
  putKeyLimits: async ({ owner, caller }) => {
    const limits = { note: "limited by a test" };
    const params = { keyId: caller.id, limits };
    return { ...await owner.prove("key.limit", params), limits };
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

/** Pages, which OpenAPI does not document. */
const PAGES = [
  "/",
  "/dashboard",
  "/docs",
  "/status",
  `/tools/score/${ADDRESS}`,
];

/** Lists the documented operations and the pages. */
export async function operationsOf({ deps }: Service): Promise<Operation[]> {
  const response = await appOf(deps).request("/openapi.json");
  const pages = PAGES.map((path) => ({
    path,
    method: "GET",
    operation: { operationId: path, summary: path, responses: {} },
  }));
  return [...listOperations(await response.json() as OpenApi), ...pages];
}

/** Returns a request that would succeed on a working database, or be refused for its content. */
export async function callOf(
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
    const response = await appOf(deps).request(filled, init);
    const { status } = response;
    return { status, headers: response.headers, text: await response.text() };
  };
}

/** Returns the units that a successful request costs. The batch here has two addresses. */
export function unitsOf({ operation: { operationId } }: Operation): number {
  const units: Record<string, number> = {
    getScore: 1,
    getHistory: 1,
    getSigned: 1,
    postBatch: 2,
  };
  return units[operationId] ?? 0;
}

/** Ends every fault. */
export function mend(faults: KvFaults): void {
  const none = { reads: null, commits: null, failingWrite: 0 };
  Object.assign(faults, { ...none, locked: 0, pause: null });
}

/** Whether the service answered or refused the request for its content. */
export const isAnswered = (status: number) => status < 500;

/** Runs a check for each operation, or for some, each on a new service. */
export async function forEachOperation(
  t: Deno.TestContext,
  check: (service: Service, operation: Operation) => Promise<void>,
  only?: readonly string[],
): Promise<void> {
  const first = await openService();
  const operations = await operationsOf(first);
  first.deps[Symbol.dispose]();
  for (const operation of operations) {
    if (only?.includes(operation.operation.operationId) === false) continue;
    await t.step(`${operation.method} ${operation.path}`, async () => {
      const service = await openService();
      using _deps = service.deps;
      await check(service, operation);
    });
  }
}
