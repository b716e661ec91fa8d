/**
 * The peer of the keyed API: Fastify, Redis and rate-limiter-flexible, combined as
 * their documentation shows. A score needs three round trips: the key, the burst
 * limit with the body, the period limit. Both limits are raised so that no request
 * is refused; the cost of a counter does not depend on its limit.
 *
 * Arguments: port, Redis port, and a JSON file with the initial content of Redis.
 */
import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import Fastify from "fastify";
import { Redis } from "ioredis";
import { RateLimiterRedis } from "rate-limiter-flexible";
import { BURST_S, LIMIT, PERIOD_S, spend } from "./limits.js";

const [port, redisPort, entriesFile] = process.argv.slice(2);

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
  const [limits, body] = await Promise.all([
    spend({ burst, period }, record),
    redis.get(`scores:${address}`),
  ]);
  return reply.headers({
    "content-type": "application/json",
    "vary": "X-Api-Key",
    "cache-control": "private, no-store",
    "x-request-id": request.id,
    ...limits,
  }).send(body);
});

const entries = JSON.parse(readFileSync(entriesFile, "utf8"));
await Promise.all(entries.map(([key, value]) => redis.set(key, value)));
await app.listen({ port: Number(port), host: "127.0.0.1" });
