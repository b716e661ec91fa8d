/**
 * A KV Connect server (protocol version 3) over Deno KV in memory. Each path names
 * a database, which its first request makes: `http://127.0.0.1:<port>/<name>`.
 *
 * `GET /<name>/asked` returns what a database was asked since the last such
 * request, and `PATCH /<name>/faults` sets switches.
 */
import { BadRequest, openDatabase } from "./database.ts";
import { NO_FAULTS, NOTHING_ASKED, takeOne } from "./faults.ts";
import { METHODS, type Served } from "./methods.ts";
import { compareBytes } from "./replica.ts";
import { refuse, until } from "./responses.ts";

/** The only version that the server speaks. */
const VERSION = 3;

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
    // `http://host/<name>/v3/<method>`, which takes longer to parse than to split.
    const [, , host, name = "", what, method = ""] = request.url.split("/");
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
        url: `http://${host}/${name}/v3`,
      });
    }
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
  tokens.set(`Bearer ${token}`, expiresAt);
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
  const authorization = headers.get("Authorization") ?? "";
  if ((tokens.get(authorization) ?? 0) <= Date.now()) {
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
