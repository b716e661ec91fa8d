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
  "keyed, stored signals": 1,
  "batch of 50": 2,
  "history": 2,
  // Before the upstream it reads while it counts the request, and counts all upstream
  // calls. Then it stores everything at once.
  "keyed, cold, with its upstream calls": 3,
  "claim, with its upstream calls": 4,
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
  for (const name of ["keyed, warm", "keyed, stored signals", "batch of 50"]) {
    const { bytesIn, reads, writes } = counted.get(name)!;
    const bytes = bytesIn / (reads + writes);
    assert(bytes < 1_000, `${name}: ${bytes} bytes a request`);
  }
  // The calls of the index and of the nodes are counted at once.
  for (const name of ["keyed, cold", "claim"]) {
    const { limitRounds } = counted.get(`${name}, with its upstream calls`)!;
    assertEquals(limitRounds, 1, name);
  }
});
