/**
 * A process that follows and unfollows at random: says "ready", waits for a file
 * to appear, and then says a letter an answer.
 */
import { followStore } from "../../../services/profiles/follows/follows_store.ts";
import { addressOf } from "../graph.ts";

const [kvPath, startFile] = Deno.args as [string, string];
const [seed = 0, changes = 0, callers = 0, addresses = 0] = Deno.args.slice(2)
  .map(Number);

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 10, 1);

/** Hours over which the edges are spread. */
const HOURS = 900;

using kv = await Deno.openKv(kvPath);
const { change } = followStore(kv);
const random = randomFrom(seed);
say("ready\n");
while (!await Deno.stat(startFile).catch(() => null)) {
  await new Promise((resolve) => setTimeout(resolve, 2));
}
const next = Array(changes).keys();
await Promise.all(Array.from({ length: callers }, async () => {
  for (const _ of next) say(await changeOne());
}));

/** Follows or unfollows, the first somewhat more often; says whether that changed anything. */
async function changeOne(): Promise<string> {
  const from = random(addresses);
  const to = (from + 1 + random(addresses - 1)) % addresses;
  const ends = { follower: addressOf(from), followee: addressOf(to) };
  const at = START + random(HOURS) * HOUR_MS;
  const outcome = random(5) < 3
    ? await change({ kind: "follow", at, ...ends })
    : await change({ kind: "unfollow", ...ends });
  if (outcome === "contended") return "c";
  return outcome.changed ? "y" : "n";
}

/** Numbers below a bound, the same for the same seed (Park and Miller 1988). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = state * 48_271 % 0x7fffffff;
    return state % below;
  };
}

/** Writes at once, so that what was said is out before the process can die. */
function say(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}
