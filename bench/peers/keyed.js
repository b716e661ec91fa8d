/**
 * The peer of the keyed API: Fastify, Redis and rate-limiter-flexible, put
 * together as each one's own documentation shows it. A score costs two rounds:
 * the key, then both limits and the body at once. Both limits are raised so that
 * nothing is refused; a counter costs the same whatever its limit is.
 *
 * Arguments: the port, that of Redis, and a file of what Redis is to hold.
 */
import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import Fastify from "fastify";
import { Redis } from "ioredis";
import { RateLimiterRedis } from "rate-limiter-flexible";

const [port, redisPort, entriesFile] = process.argv.slice(2);

const BURST_S = 60;
const PERIOD_S = 30 * 86_400;
const LIMIT = 1_500_000;
const POLICY =
  `"period";q=${LIMIT};w=${PERIOD_S}, "burst";q=${LIMIT};w=${BURST_S}`;

const redis = new Redis({ port: Number(redisPort) });
const shared = { storeClient: redis, points: LIMIT };
const burst = new RateLimiterRedis({
  ...shared,
  keyPrefix: "burst",
  duration: BURST_S,
});
const period = new RateLimiterRedis({
  ...shared,
  keyPrefix: "period",
  duration: PERIOD_S,
});
const app = Fastify({ genReqId: () => randomUUID() });

app.get("/api/v1/score/:address", async (request, reply) => {
  const key = request.headers["x-api-key"] ?? "";
  const hash = createHash("sha256").update(key).digest("hex");
  const record = JSON.parse(await redis.get(`api_keys:${hash}`));
  if (record === null || record.revokedAt !== null) {
    return reply.code(401).send({ error: "unauthorized" });
  }
  const address = request.params.address.toLowerCase();
  const perKey = await burst.consume(record.id);
  const perWallet = await consumePeriod(record);
  const body = await redis.get(`scores:${address}`);
  const resetAt = new Date(Date.now() + perWallet.msBeforeNext).toISOString();
  return reply.headers({
    "content-type": "application/json",
    "vary": "X-Api-Key",
    "cache-control": "private, no-store",
    "x-request-id": request.id,
    "x-ratelimit-limit": LIMIT,
    "x-ratelimit-remaining": perWallet.remainingPoints,
    "x-ratelimit-reset": resetAt,
    "ratelimit-policy": POLICY,
    "ratelimit": `"period";${standing(perWallet)}, "burst";${standing(perKey)}`,
  }).send(body);
});

/** A refusal charges nothing, so what the burst has counted is given back. */
async function consumePeriod({ id, wallet }) {
  try {
    return await period.consume(wallet);
  } catch (refusal) {
    await burst.reward(id);
    throw refusal;
  }
}

function standing({ remainingPoints, msBeforeNext }) {
  return `r=${remainingPoints};t=${Math.ceil(msBeforeNext / 1_000)}`;
}

const entries = JSON.parse(readFileSync(entriesFile, "utf8"));
await Promise.all(entries.map(([key, value]) => redis.set(key, value)));
await app.listen({ port: Number(port), host: "127.0.0.1" });
