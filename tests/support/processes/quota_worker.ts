/**
 * Spends units of one wallet. Writes "ready", waits until a file exists, then
 * writes a letter for each answer. Arguments: database, start file, wallet, name
 * of this process, calls, concurrent callers, longest pause in ms, random seed, and
 * the cap of all keys together, 0 for none.
 */
import { chargeOf } from "../../../services/accounts/quota/quota.ts";
import { usageStore } from "../../../services/accounts/quota/usage_store.ts";
import { payerOf } from "../payers.ts";
import { randomFrom } from "../random.ts";
import { waitUntil } from "../wait_until.ts";

const [kvPath, startFile, wallet, name] = Deno.args as [
  string,
  string,
  string,
  string,
];
const [calls = 0, callers = 0, pauseMs = 0, seed = 0, cap = 0] = Deno.args
  .slice(4).map(
    Number,
  );

/** Calls of one key, below its burst limit. */
const CALLS_PER_KEY = 50;

const REFUSALS = { period: "p", burst: "b", cap: "k", contended: "c" };

using kv = await Deno.openKv(kvPath);
const usage = usageStore(kv);
const charge = chargeOf("free", "score", { cap: cap || null });
const random = randomFrom(seed);
print("ready\n");
await waitUntil(() => Deno.stat(startFile).then(() => true, () => false));
const next = Array(calls).keys();
await Promise.all(Array.from({ length: callers }, async () => {
  for (const call of next) {
    const keyId = `${name} ${Math.floor(call / CALLS_PER_KEY)}`;
    const payer = payerOf(wallet, keyId);
    // With a cap, all keys are rotations of one.
    const origin = cap > 0 ? { originId: "origin" } : {};
    const answer = await usage.spend(
      { ...payer, ...origin },
      charge,
      Date.now(),
    );
    print(answer.allowed ? "a" : REFUSALS[answer.which]);
    if (pauseMs > 0) await sleep(random() * pauseMs);
  }
}));

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Writes synchronously: a killed process loses no answer that it has written. */
function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}
