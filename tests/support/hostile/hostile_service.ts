/** A service for hostile requests, and the rules that each of its answers must keep. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import type { OpenApi } from "../../../routes/docs/openapi_document.ts";
import { createApiKey } from "../../../services/accounts/api_keys.ts";
import { ERROR_CODES } from "../../../services/platform/error_codes_schema.ts";
import { SIGNER_KEY, SIGNING } from "../attestations.ts";
import { enrol } from "../callers.ts";
import { testDeps } from "../deps.ts";
import type { HostileRequest, Sender } from "./hostile_requests.ts";
import { INJECTED } from "./hostile_values.ts";
import { newOwner } from "../owners.ts";

/** Time between two requests: a key may make sixty a minute. */
const PACE_MS = 400;

const GITHUB_SECRET = "github-secret-of-the-test";

/** Largest refusal, in bytes. */
const MAX_REFUSAL_BYTES = 1_048_576;

/** Internals that no client should see. */
export const INSIDES =
  /file:\/\/|\.ts:\d+|node_modules|\bat (async )?\S+ \(|sqlite/;

/** Phrases of zod's own messages, which the service replaces by its own. */
const LIBRARY_WORDS =
  /\bInvalid (input|option|string:|number:|key in|value in|ISO|email|URL|UUID)|must match pattern|\b(Unrecognized|Too (big|small)|[Rr]eceived|discriminator)\b/;

/** Opens a service with all features, and one caller of each kind. */
export async function hostileService() {
  const deps = await testDeps({
    settings: {
      ...SIGNING,
      TREASURY_ADDRESS: `0x${"7e".repeat(20)}`,
      GITHUB_CLIENT_ID: "client",
      GITHUB_CLIENT_SECRET: GITHUB_SECRET,
    },
  });
  const app = createApp(deps);
  const caller = await enrol(deps, { plan: "scale" });
  const { wallet } = caller;
  const order = { wallet, name: "test", kind: "test" } as const;
  const testKey = (await createApiKey(deps, order))!.key;
  const owner = newOwner(deps);
  await owner.signIn();
  const secrets = () => [
    caller.key,
    testKey,
    owner.cookie().split("=")[1]!,
    SIGNER_KEY,
    GITHUB_SECRET,
  ];
  const { publicUrl } = deps;
  const senders = (): Record<Sender, Record<string, string>> => ({
    nobody: { "Origin": publicUrl },
    live: { "X-Api-Key": caller.key },
    test: { "X-Api-Key": testKey },
    session: { "Cookie": owner.cookie(), "Origin": publicUrl },
    forger: {
      "X-Api-Key": `firn_live_${"A".repeat(38)}`,
      "Cookie": "firn_session=AAAA; firn_session=BBBB",
      "Origin": "https://evil.test",
    },
  });

  let sent = 0;

  /** Returns the units that the caller's wallet has spent. */
  async function unitsSpent(): Promise<number> {
    const { period } = await deps.store.usage.readWallet(wallet);
    return period.hours.units.reduce((sum, units) => sum + units, 0);
  }

  /** Sends a request, asserts the rules of its answer, and returns the status. */
  async function send(request: HostileRequest): Promise<number> {
    deps.advance(PACE_MS);
    const { method, target, body } = request;
    const before = await unitsSpent();
    const headers = { ...senders()[request.sender], ...request.headers };
    const init = { method, headers, ...(body === null ? {} : { body }) };
    // Each request has its own network: no rate limit hides its answer.
    sent++;
    const hostname = `2001:db8:${hex(sent >> 16)}:${hex(sent & 0xffff)}::1`;
    const remoteAddr = { transport: "tcp", hostname, port: 50_000 };
    const url = `${request.host ?? publicUrl}${target}`;
    const response = await app.fetch(new Request(url, init), { remoteAddr });
    const text = await readText(response);
    const { status } = response;
    assertSafe(response, text);
    if (status >= 400) {
      assertRefusal(request, response, text);
      assertEquals(await unitsSpent(), before, "a refusal was charged");
    }
    if (request.operation !== null) {
      const described = Object.keys(request.operation.responses).map(Number);
      assert(described.includes(status), `${status} is not described: ${text}`);
      if (request.operation.operationId === "deleteSession" && status < 300) {
        await owner.signIn();
      }
    }
    return status;
  }

  /** Asserts that an answer contains no secret, no internals and no foreign redirect. */
  function assertSafe({ status, headers }: Response, text: string): void {
    assert(status !== 500, `status is 500: ${deps.lines.at(-1)}`);
    const shown = `${[...headers].flat().join("\n")}\n${text}`;
    for (const secret of secrets()) assert(!shown.includes(secret), shown);
    assert(!shown.includes(Deno.cwd()), shown);
    assertEquals(headers.get(INJECTED), null);
    const location = headers.get("Location") ?? "/";
    assertMatch(location, /^\/(?![/\\])/, "leads to another host");
  }

  return {
    deps,
    app,
    send,
    document: await readDocument(app),
    [Symbol.dispose]: () => deps[Symbol.dispose](),
  };
}

/** Reads a body as text, and decompresses it if needed. */
async function readText({ body, headers }: Response): Promise<string> {
  const encoding = headers.get("Content-Encoding");
  const format = encoding as CompressionFormat | null;
  const decoded = body !== null && format !== null
    ? body.pipeThrough(new DecompressionStream(format))
    : body;
  return await new Response(decoded).text();
}

/** A service for hostile requests. */
export type HostileService = Awaited<ReturnType<typeof hostileService>>;

async function readDocument(
  app: ReturnType<typeof createApp>,
): Promise<OpenApi> {
  return await (await app.request("/openapi.json")).json();
}

/** Asserts that a refusal is short, documented, and in the words of the service. */
function assertRefusal(
  { method, target, operation }: HostileRequest,
  { status, headers }: Response,
  text: string,
): void {
  assert(text.length <= MAX_REFUSAL_BYTES, `${text.length} characters`);
  assertMatch(headers.get("Cache-Control") ?? "", /no-store/);
  const type = (headers.get("Content-Type") ?? "none").split(";")[0]!;
  const described = operation?.responses[status]?.content ?? UNDESCRIBED;
  const isPage = !target.startsWith("/api/") && type === "text/html";
  assert(isPage || type in described, `Content-Type is ${type}`);
  assert(type === "application/json" || !/<script>|<img/.test(text), text);
  assert(!LIBRARY_WORDS.test(text), text);
  if (type !== "application/json" || method === "HEAD") return;
  const refusal = JSON.parse(text);
  if (RPC_PATH.test(target)) return assertRpcRefusal(refusal, text);
  const { error, message, code, ...facts } = refusal;
  assertEquals(message, error);
  assert(ERROR_CODES.includes(code), code);
  assert(!INSIDES.test(`${error} ${JSON.stringify(facts)}`), text);
}

/** The endpoint of agents, whose own errors have the shape of JSON-RPC 2.0. */
const RPC_PATH = /^\/mcp\b/;

/** Asserts that a refusal has the shape of JSON-RPC, or that of the service. */
function assertRpcRefusal(
  { jsonrpc, error, message, code }: Record<string, unknown>,
  text: string,
): void {
  assert(!INSIDES.test(text), text);
  if (jsonrpc === undefined) {
    assertEquals(message, error);
    assert(ERROR_CODES.includes(code as never), text);
    return;
  }
  const { code: number, message: reason } = error as Record<string, unknown>;
  assertEquals([jsonrpc, Number.isInteger(number)], ["2.0", true]);
  assert(typeof reason === "string" && reason !== "", text);
}

/** Content types of refusals outside the documented operations. */
const UNDESCRIBED = { "application/json": {}, "image/svg+xml": {} };

const hex = (group: number) => group.toString(16);
