/**
 * A KV Connect server (protocol version 3) over Deno KV in memory. Each path names
 * a database, which its first request makes: `http://127.0.0.1:<port>/<name>`.
 *
 * `GET /<name>/asked` returns what a database was asked since the last such
 * request, and `PATCH /<name>/faults` sets switches.
 */
import { type Counts, noteRead, noteWrite } from "./counts.ts";
import { BadRequest, type Database, openDatabase } from "./database.ts";
import { type Faults, NO_FAULTS, NOTHING_ASKED, takeOne } from "./faults.ts";
import {
  decodeAtomicWrite,
  decodeSnapshotRead,
  decodeWatch,
  encodeAtomicWriteOutput,
  encodeSnapshotReadOutput,
  encodeWatchOutput,
  type KvEntry,
  READ,
  type ReadRange,
  WRITE,
} from "./messages.ts";
import { compareBytes, sliceOf } from "./replica.ts";

/** When an answer breaks off. */
const BREAK_MS = 20;

/** A timer of Deno fires about a millisecond late. */
const LATE_MS = 1;

/** The only version that the server speaks. */
const VERSION = 3;

/** A database with its faults. */
interface Served extends Counts {
  readonly id: string;
  readonly database: Database;
  readonly faults: Faults;
  underWay: number;
  /** The longest chain of requests that are answered. */
  answeredRounds: number;
  /** Tokens and when they expire, epoch ms. */
  readonly tokens: Map<string, number>;
  /** The entries of a replica that stands still. */
  replica: readonly KvEntry[] | null;
}

/** Makes a server without its socket. Clients have to send this access token. */
export function kvConnectHandler(accessToken: string) {
  const databases = new Map<string, Promise<Served>>();

  async function serve(): Promise<Served> {
    return {
      id: crypto.randomUUID(),
      database: await openDatabase(),
      faults: { ...NO_FAULTS },
      asked: { ...NOTHING_ASKED },
      underWay: 0,
      answeredRounds: 0,
      otherRounds: new Set(),
      tokens: new Map(),
      replica: null,
    };
  }

  function open(name: string): Promise<Served> {
    let served = databases.get(name);
    if (served === undefined) databases.set(name, served = serve());
    return served;
  }

  async function handle(request: Request): Promise<Response> {
    const { origin, pathname } = new URL(request.url);
    const [, name = "", what] = pathname.split("/");
    const served = await open(name);
    if (what === "asked") {
      const limitRounds = served.asked.rounds - served.otherRounds.size;
      const asked = { ...served.asked, limitRounds };
      served.asked = { ...NOTHING_ASKED };
      served.answeredRounds = 0;
      served.otherRounds.clear();
      return Response.json(asked);
    }
    if (what === "faults") return await setFaults(served, request);
    if (request.method !== "POST") return refuse(405, "expected POST");
    if (what === undefined || what === "") {
      served.asked.exchanges++;
      return await exchange(served, request, {
        accessToken,
        url: `${origin}/${name}/v3`,
      });
    }
    const method = pathname.slice(`/${name}/v3/`.length);
    return await answer(served, request, method);
  }

  return {
    handle,

    /** Drops a database. */
    async drop(name: string): Promise<void> {
      const served = databases.get(name);
      databases.delete(name);
      (await served)?.database.close();
    },
  };
}

async function setFaults(
  served: Served,
  request: Request,
): Promise<Response> {
  const { expiresTokens = false, ...faults } = await request.json();
  Object.assign(served.faults, faults);
  if (expiresTokens) served.tokens.clear();
  if (!served.faults.isStale) served.replica = null;
  else {
    served.replica ??= (await served.database.copy())
      .sort((a, b) => compareBytes(a.key, b.key));
  }
  return Response.json(served.faults);
}

/** Tells a client where the data is, and gives it a token. */
async function exchange(
  { id, faults, tokens }: Served,
  request: Request,
  { accessToken, url }: { accessToken: string; url: string },
): Promise<Response> {
  if (request.headers.get("Authorization") !== `Bearer ${accessToken}`) {
    return refuse(401, "unknown access token");
  }
  const { supportedVersions } = await request.json();
  if (!supportedVersions.includes(VERSION)) {
    return refuse(400, `expected version ${VERSION}`);
  }
  const token = crypto.randomUUID();
  const expiresAt = Date.now() + faults.tokenLifeMs;
  tokens.set(token, expiresAt);
  return Response.json({
    version: VERSION,
    databaseId: id,
    endpoints: [{ url, consistency: "strong" }],
    token,
    expiresAt: new Date(expiresAt).toISOString(),
  });
}

/** Answers a request of the data path, with the faults of the database. */
async function answer(
  served: Served,
  request: Request,
  method: string,
): Promise<Response> {
  const { faults, asked } = served;
  const arrivedAt = performance.now();
  const refusal = refusalOf(served, request);
  if (refusal !== null) return refusal;
  const body = await request.bytes().catch(() => null);
  // A client that is killed breaks off.
  if (body === null) return refuse(400, "the body broke off");
  asked.bytesIn += body.length;
  const round = served.answeredRounds + 1;
  asked.rounds = Math.max(asked.rounds, round);
  served.underWay++;
  asked.mostAtOnce = Math.max(asked.mostAtOnce, served.underWay);
  try {
    await until(arrivedAt + faults.latencyMs / 2);
    if (takeOne(faults, "throttled")) return refuse(429, "too many requests");
    if (takeOne(faults, "unavailable")) return refuse(503, "try again");
    const response =
      await METHODS[method]?.(served, body, { request, round }) ??
        refuse(404, `unknown method ${method}`);
    await until(arrivedAt + faults.latencyMs);
    return response;
  } catch (error) {
    // A limit of Deno KV is a TypeError, as an unreadable message is an Error.
    return refuse(error instanceof BadRequest ? 400 : 422, String(error));
  } finally {
    served.underWay--;
    served.answeredRounds = Math.max(served.answeredRounds, round);
  }
}

/** Checks the headers that each request of the data path must have. */
function refusalOf(
  { id, tokens }: Served,
  { headers }: Request,
): Response | null {
  const token = /^Bearer (.+)$/.exec(headers.get("Authorization") ?? "")?.[1];
  if ((tokens.get(token ?? "") ?? 0) <= Date.now()) {
    return refuse(401, "unknown or expired token");
  }
  if (headers.get("x-denokv-version") !== String(VERSION)) {
    return refuse(400, "expected x-denokv-version: 3");
  }
  if (headers.get("x-denokv-database-id") !== id) {
    return refuse(400, "unknown database");
  }
  return null;
}

type Method = (
  served: Served,
  body: Uint8Array,
  asked: { readonly request: Request; readonly round: number },
) => Promise<Response>;

const METHODS: Readonly<Record<string, Method>> = {
  async snapshot_read(served, body, { round }) {
    const { database, replica } = served;
    const { ranges } = decodeSnapshotRead(body);
    const found = replica === null
      ? await database.read(ranges)
      : ranges.map((range: ReadRange) => sliceOf(replica, range));
    noteRead(served, round, { ranges, found });
    return protobuf(
      served,
      encodeSnapshotReadOutput({
        ranges: found.map((values) => ({ values })),
        readIsStronglyConsistent: replica === null,
        status: READ.success,
      }),
    );
  },

  async atomic_write(served, body, { round }) {
    const { database, faults } = served;
    const write = decodeAtomicWrite(body);
    noteWrite(served, round, write);
    if (faults.refusesWrites) {
      const status = WRITE.disabled;
      return protobuf(served, encodeAtomicWriteOutput({ status }));
    }
    const versionstamp = await database.write(write);
    const output = versionstamp === null
      ? { status: WRITE.checkFailure }
      : { status: WRITE.success, versionstamp };
    const bytes = encodeAtomicWriteOutput(output);
    if (versionstamp !== null) {
      if (takeOne(faults, "repeatedWrites")) return refuse(503, "try again");
      if (takeOne(faults, "lostAnswers")) return brokenOff();
    }
    return protobuf(served, bytes);
  },

  // deno-lint-ignore require-await -- as the other methods
  async watch({ database }, body, { request }) {
    const keys = decodeWatch(body).keys.map(({ key }) => key);
    const changes = database.watch(keys, request.signal);
    const headers = { "Content-Type": "application/octet-stream" };
    return new Response(ReadableStream.from(watchFrames(changes)), { headers });
  },
};

/** Formats changes: each message has its length before it, in four bytes. */
async function* watchFrames(
  changes: AsyncIterable<(KvEntry | null)[]>,
): AsyncGenerator<Uint8Array> {
  for await (const entries of changes) {
    // Deno 2.9.6 takes an unchanged entry for a deleted one, so all are sent.
    const keys = entries.map((entry) => ({
      changed: true,
      ...entry === null ? {} : { entryIfChanged: entry },
    }));
    const message = encodeWatchOutput({ status: READ.success, keys });
    const frame = new Uint8Array(4 + message.length);
    new DataView(frame.buffer).setUint32(0, message.length, true);
    frame.set(message, 4);
    yield frame;
  }
}

function protobuf(
  { asked }: Served,
  body: Uint8Array<ArrayBuffer>,
): Response {
  asked.bytesOut += body.length;
  const headers = { "Content-Type": "application/x-protobuf" };
  return new Response(body, { headers });
}

/** An answer that the client cannot read to its end. */
function brokenOff(): Response {
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue(new Uint8Array([8]));
      // The client has the status by then, so it does not send the request again.
      await pass(BREAK_MS);
      controller.error(new Error("broken off on purpose"));
    },
  });
  return new Response(body);
}

function refuse(status: number, message: string): Response {
  return new Response(message, { status });
}

/** Resolves at a time of the monotonic clock, give or take half a millisecond. */
function until(at: number): Promise<void> | undefined {
  const ms = Math.round(at - performance.now()) - LATE_MS;
  return ms < 0 ? undefined : pass(ms);
}

function pass(ms: number): Promise<void> | undefined {
  if (ms === 0) return undefined;
  return new Promise((resolve) => setTimeout(resolve, ms));
}
