/** Rounds of a hosted database that requests take: each one costs the latency of the database. */
import { assert, assertEquals } from "@std/assert";
import { startKvConnect } from "../support/kv_connect/kv_connect.ts";
import { countRounds } from "../support/kv_connect/rounds.ts";

/** Wanted rounds by request. */
const WANTED: Readonly<Record<string, number>> = {
  "open, warm": 0,
  "open, cold": 1,
  "badge, cold": 1,
  "keyed, warm": 1,
  "keyed, stored signals": 2,
  "batch of 50": 2,
  "history": 2,
  // Two until the limits: reading, and counting the call. Storing takes three, and
  // the limits of the sequential calls of upstreams two.
  "keyed, cold, with its upstream calls": 7,
  "claim, with its upstream calls": 11,
};

Deno.test("requests take as few rounds of the database as wanted", async () => {
  using server = await startKvConnect();
  const counted = await countRounds(server);
  const rounds = Object.keys(WANTED).map((name) => [
    name,
    counted.get(name)?.rounds,
  ]);
  assertEquals(Object.fromEntries(rounds), WANTED);
  const warm = counted.get("keyed, warm")!;
  assertEquals(warm.writes, 1);
  // Deno's client sends a larger request in two parts, of which the second waits.
  assert(warm.bytesIn < 1_000, `${warm.bytesIn} bytes`);
  const claim = counted.get("claim, with its upstream calls")!;
  assertEquals(claim.rounds - claim.limitRounds, 4);
});
