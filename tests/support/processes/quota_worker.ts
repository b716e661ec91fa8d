/**
 * A process that spends one wallet's units: says "ready", waits for a file to
 * appear, and then says a letter an answer.
 */
import { chargeOf } from "../../../services/accounts/quota/quota.ts";
import { usageStore } from "../../../services/accounts/quota/usage_store.ts";

const [kvPath, startFile, wallet, name] = Deno.args as [
  string,
  string,
  string,
  string,
];
const [calls = 0, callers = 0, pauseMs = 0] = Deno.args.slice(4).map(Number);

/** Calls of one key, fewer than its burst allows. */
const CALLS_PER_KEY = 50;

const REFUSALS = { period: "p", burst: "b", contended: "c" };

using kv = await Deno.openKv(kvPath);
const usage = usageStore(kv);
const charge = chargeOf("free", "score");
say("ready\n");
while (!await Deno.stat(startFile).catch(() => null)) {
  await sleep(2);
}
const next = Array(calls).keys();
await Promise.all(Array.from({ length: callers }, async () => {
  for (const call of next) {
    const keyId = `${name} ${Math.floor(call / CALLS_PER_KEY)}`;
    const answer = await usage.spend({ wallet, keyId }, charge, Date.now());
    say(answer.allowed ? "a" : REFUSALS[answer.which]);
    if (pauseMs > 0) await sleep(Math.random() * pauseMs);
  }
}));

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Writes at once, so that what was said is out before the process can die. */
function say(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}
