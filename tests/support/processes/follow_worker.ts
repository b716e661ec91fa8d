/**
 * Follows and unfollows at random. Writes "ready", waits until a file exists,
 * then writes a letter for each answer.
 */
import { followStore } from "../../../services/profiles/follows/follows_store.ts";
import { Fault } from "../../../services/platform/fault.ts";
import { addressOf } from "../graph.ts";

const [kvPath, startFile] = Deno.args as [string, string];
const [seed = 0, changes = 0, callers = 0, addresses = 0] = Deno.args.slice(2)
  .map(Number);

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 10, 1);

/** Range of the follow times, in hours. */
const HOURS = 900;

using kv = await Deno.openKv(kvPath);
const { change } = followStore(kv);
const random = randomFrom(seed);
print("ready\n");
while (!await Deno.stat(startFile).catch(() => null)) {
  await new Promise((resolve) => setTimeout(resolve, 2));
}
const next = Array(changes).keys();
await Promise.all(Array.from({ length: callers }, async () => {
  for (const _ of next) print(await changeOne());
}));

/** Follows (60 %) or unfollows; returns whether the graph changed. */
async function changeOne(): Promise<string> {
  const from = random(addresses);
  const to = (from + 1 + random(addresses - 1)) % addresses;
  const ends = { follower: addressOf(from), followee: addressOf(to) };
  const at = START + random(HOURS) * HOUR_MS;
  const isFollow = random(5) < 3;
  try {
    const { changed } = await change(
      isFollow
        ? { kind: "follow", at, ...ends }
        : { kind: "unfollow", ...ends },
    );
    return changed ? "y" : "n";
  } catch (error) {
    if (error instanceof Fault && error.failure.kind === "contended") {
      return "c";
    }
    throw error;
  }
}

/** Returns integers below a bound, the same ones for the same seed (Park and Miller 1988). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = state * 48_271 % 0x7fffffff;
    return state % below;
  };
}

/** Writes synchronously: a killed process loses no answer that it has written. */
function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}
