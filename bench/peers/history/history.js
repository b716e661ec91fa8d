/**
 * The peer of score histories: Fastify, better-sqlite3 and rate-limiter-flexible
 * on one file, combined as their documentation shows. A history needs the key, both
 * limits and one query.
 *
 * Arguments: port, database file, and a JSON file with the initial content.
 */
import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import Database from "better-sqlite3";
import Fastify from "fastify";
import { RateLimiterSQLite } from "rate-limiter-flexible";
import { BURST_S, LIMIT, PERIOD_S, spend } from "../limits.js";

const [port, databaseFile, entriesFile] = process.argv.slice(2);

const BREAKDOWN = [
  "walletAge",
  "verifiedSocials",
  "humanProofs",
  "txActivity",
  "followers",
  "gasSpent",
  "premium",
  "paidSlug",
  "donations",
  "total",
];
/** The columns of the headline, by the names of its fields. */
const HEADLINE = {
  score: "headlineScore",
  tier: "headlineTier",
  tierLabel: "headlineTierLabel",
  model: "headlineModel",
};
const COLUMNS = [
  ...["address", "date", "score", "tier", "tierLabel", "model"],
  ...Object.values(HEADLINE),
  ...BREAKDOWN,
];

const db = new Database(databaseFile);
db.pragma("journal_mode = WAL");
db.exec(`
  CREATE TABLE api_keys (hash TEXT PRIMARY KEY, record TEXT) WITHOUT ROWID;
  CREATE TABLE points (
    ${COLUMNS.join(", ")}, PRIMARY KEY (address, date)
  ) WITHOUT ROWID;
`);
fill(JSON.parse(readFileSync(entriesFile, "utf8")));

const findKey = db.prepare("SELECT record FROM api_keys WHERE hash = ?");
const listPoints = db.prepare(
  `SELECT * FROM points WHERE address = ? ORDER BY date DESC LIMIT ?`,
);

const limiters = {
  burst: await limiter("burst", BURST_S),
  period: await limiter("period", PERIOD_S),
};
const app = Fastify({ genReqId: () => randomUUID() });

const number = { type: "number" };
const string = { type: "string" };
const each = (names, schema) =>
  Object.fromEntries(names.map((name) => [name, schema]));
const object = (properties) => ({ type: "object", properties });
const schema = {
  response: {
    200: object({
      ...each(["address", "fetchedAt", "model"], string),
      ...each(["days", "count"], number),
      history: {
        type: "array",
        items: object({
          ...each(["date", "tier", "tierLabel", "model"], string),
          score: number,
          headline: object({
            ...each(["tier", "tierLabel", "model"], string),
            score: number,
          }),
          breakdown: object(each(BREAKDOWN, number)),
        }),
      },
    }),
  },
};

app.get(
  "/api/v1/score/:address/history",
  { schema },
  async (request, reply) => {
    const key = request.headers["x-api-key"] ?? "";
    const hash = createHash("sha256").update(key).digest("hex");
    const record = JSON.parse(findKey.get(hash)?.record ?? "null");
    if (record === null || record.revokedAt !== null) {
      return reply.code(401).send({ error: "unauthorized" });
    }
    const limits = await spend(limiters, record);
    const address = request.params.address.toLowerCase();
    const days = Number(request.query.days);
    const history = listPoints.all(address, days).reverse().map(showPoint);
    return reply.headers({
      "vary": "X-Api-Key",
      "cache-control": "private, no-store",
      "x-request-id": request.id,
      ...limits,
    }).send({
      address,
      days,
      count: history.length,
      history,
      fetchedAt: new Date().toISOString(),
      model: "peer",
    });
  },
);

function showPoint({ date, score, tier, tierLabel, model, ...row }) {
  const headline = Object.fromEntries(
    Object.entries(HEADLINE).map(([name, column]) => [name, row[column]]),
  );
  const breakdown = Object.fromEntries(
    BREAKDOWN.map((name) => [name, row[name]]),
  );
  return { date, headline, score, tier, tierLabel, breakdown, model };
}

/** Creates a rate limiter with its own table. */
function limiter(tableName, duration) {
  return new Promise((resolve, reject) => {
    const opened = new RateLimiterSQLite({
      storeClient: db,
      storeType: "better-sqlite3",
      tableName,
      points: LIMIT,
      duration,
    }, (error) => error ? reject(error) : resolve(opened));
  });
}

function fill({ keys, histories }) {
  const addKey = db.prepare("INSERT INTO api_keys VALUES (?, ?)");
  const places = COLUMNS.map((name) => `@${name}`).join(", ");
  const addPoint = db.prepare(`INSERT INTO points VALUES (${places})`);
  db.transaction(() => {
    for (const [hash, record] of keys) addKey.run(hash, JSON.stringify(record));
    for (const { address, history } of histories) {
      for (const { breakdown, headline, ...point } of history) {
        const columns = Object.fromEntries(
          Object.entries(HEADLINE).map(([name, to]) => [to, headline[name]]),
        );
        addPoint.run({ address, ...point, ...columns, ...breakdown });
      }
    }
  })();
}

await app.listen({ port: Number(port), host: "127.0.0.1" });
