/** The demo: the embedded upstreams, and the whole service against them in a process of its own. */
import { settingsOf, startSimnet } from "./start.ts";

const PORT = Deno.env.get("PORT") || "8000";
const BASE = `http://localhost:${PORT}/api/chain-data`;

const GREETING = `
Firn runs on simulated data: no network, no account, no key.

  curl '${BASE}/metrics?range=30d'
  curl '${BASE}/metrics?metric=feesPaid&interval=month&format=csv'
  curl '${BASE}/disputes'

Within half a minute the first cross-checks are done. Take an upstream away:

  curl -X PUT -d '{"mode": "refuse"}' `;

const PERMISSIONS = [
  "--allow-net",
  "--allow-env",
  "--allow-read",
  "--allow-write",
];

const simnet = startSimnet();
const service = new Deno.Command(Deno.execPath(), {
  args: ["run", ...PERMISSIONS, "main.ts"],
  cwd: new URL("..", import.meta.url),
  env: {
    PORT,
    KV_PATH: Deno.env.get("KV_PATH") || ":memory:",
    ...settingsOf(simnet),
  },
}).spawn();

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(signal, () => stop(signal));
}

await untilReady();
// deno-lint-ignore no-console
console.log(`${GREETING}${simnet.urls.metricsApi}/-/switch\n`);
Deno.exit((await service.status).code);

function stop(signal: Deno.Signal): void {
  try {
    service.kill(signal);
  } catch {
    // It has ended already, as it got the terminal's signal too.
  }
}

/** Waits until the service answers, or has ended. */
async function untilReady(): Promise<void> {
  let ended = false;
  service.status.then(() => ended = true);
  while (!ended && !await answers()) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function answers(): Promise<boolean> {
  try {
    const response = await fetch(BASE);
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
