/** A service that hostile requests are sent to, and what its answers have to be like. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import type { OpenApi } from "../../../routes/docs/openapi_schema.ts";
import { createApiKey } from "../../../services/accounts/api_keys.ts";
import { ERROR_CODES } from "../../../services/platform/error_codes_schema.ts";
import { SIGNER_KEY, SIGNING } from "../attestations.ts";
import { enrol } from "../callers.ts";
import { testDeps } from "../deps.ts";
import type { HostileRequest, Sender } from "./hostile_requests.ts";
import { INJECTED } from "./hostile_values.ts";
import { newOwner } from "../owners.ts";

/** Milliseconds between two requests: a key is let through sixty times a minute. */
const PACE_MS = 400;

const GITHUB_SECRET = "github-secret-of-the-test";

/** Bytes that a refusal may have at most. */
const MOST_REFUSAL_BYTES = 1_048_576;

/** What only those who run the service should see. */
export const INSIDES =
  /file:\/\/|\.ts:\d+|node_modules|\bat (async )?\S+ \(|sqlite/;

/** What the library says that looks at input; a refusal says it in words of ours. */
const LIBRARY_WORDS =
  /\b(Invalid (input|option|string|ISO|UUID)|Unrecognized|Too (big|small)|[Rr]eceived|discriminator)\b/;

/** Opens a service with everything switched on, and somebody of every kind who calls it. */
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

  /** The units that the caller's wallet has spent. */
  async function unitsSpent(): Promise<number> {
    const { period } = await deps.store.usage.read(wallet);
    return period.hours.units.reduce((sum, units) => sum + units, 0);
  }

  /** Sends a request and asserts all that holds of any answer; returns its status. */
  async function send(request: HostileRequest): Promise<number> {
    deps.advance(PACE_MS);
    const { method, target, body } = request;
    const before = await unitsSpent();
    const headers = { ...senders()[request.sender], ...request.headers };
    const init = { method, headers, ...(body === null ? {} : { body }) };
    // Everybody comes from somewhere else, or one limit would answer for all.
    const hostname = `2001:db8:${randomHex()}:${randomHex()}::1`;
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

  /** Asserts that nothing of the service is in an answer that should not be. */
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

/** Reads a body as whoever asked for it would, compressed or not. */
async function readText({ body, headers }: Response): Promise<string> {
  const encoding = headers.get("Content-Encoding");
  const format = encoding as CompressionFormat | null;
  const decoded = body !== null && format !== null
    ? body.pipeThrough(new DecompressionStream(format))
    : body;
  return await new Response(decoded).text();
}

/** A service that hostile requests are sent to. */
export type HostileService = Awaited<ReturnType<typeof hostileService>>;

async function readDocument(
  app: ReturnType<typeof createApp>,
): Promise<OpenApi> {
  return await (await app.request("/openapi.json")).json();
}

/** Asserts that a refusal says what it is, in its own words alone, and briefly. */
function assertRefusal(
  { method, target, operation }: HostileRequest,
  { status, headers }: Response,
  text: string,
): void {
  assert(text.length <= MOST_REFUSAL_BYTES, `${text.length} characters`);
  assertMatch(headers.get("Cache-Control") ?? "", /no-store/);
  const type = (headers.get("Content-Type") ?? "none").split(";")[0]!;
  const described = operation?.responses[status]?.content ?? UNDESCRIBED;
  const isPage = !target.startsWith("/api/") && type === "text/html";
  assert(isPage || type in described, `Content-Type is ${type}`);
  assert(type === "application/json" || !/<script>|<img/.test(text), text);
  assert(!LIBRARY_WORDS.test(text), text);
  if (type !== "application/json" || method === "HEAD") return;
  const { error, message, code, ...facts } = JSON.parse(text);
  assertEquals(message, error);
  assert(ERROR_CODES.includes(code), code);
  assert(!INSIDES.test(`${error} ${JSON.stringify(facts)}`), text);
}

/** What refusals are where no operation is meant. */
const UNDESCRIBED = { "application/json": {}, "image/svg+xml": {} };

const randomHex = () => Math.floor(Math.random() * 65_536).toString(16);
