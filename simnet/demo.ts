/** The demo: the embedded upstreams, and the whole service against them in a process of its own. */
import { exampleOf } from "./accounts.ts";
import { permissionFlags, type SetName } from "./permission_flags.ts";
import { settingsOf, startSimnet } from "./start.ts";

const PORT = Deno.env.get("PORT") || "8000";
const BASE = `http://localhost:${PORT}`;
const ROOT = new URL("..", import.meta.url);

/** Whose key the demo prints. */
const WALLET = "0xf1420000000000000000000000000000000de300";

/** Where the demo's plans are paid to: made up, as all that follows. */
const TREASURY = "0xf142000000000000000000000000000000de3000";

/** Signs the demo's attestations. */
const ATTESTATION_KEY = `0x${"de30".repeat(15)}a77e`;

/** Where a dapp would have deployed its verifier. */
const ATTESTATION_CONTRACT = "0xf14200000000000000000000000000000de30001";

refuseTakenPort();
const simnet = startSimnet();
const folder = await Deno.makeTempDir({ prefix: "firn_demo_" });
const settings = {
  PORT,
  KV_PATH: Deno.env.get("KV_PATH") || `${folder}/demo.sqlite3`,
  TREASURY_ADDRESS: TREASURY,
  ATTESTATION_PRIVATE_KEY: ATTESTATION_KEY,
  ATTESTATION_CONTRACT,
  ...settingsOf(simnet),
};
await operate("plan", "grant", WALLET, "growth");
const key = (await operate("key", "create", WALLET, "--name", "demo"))
  .trimEnd().split("\n").at(-1);

const service = run("service", "--preload=simnet/preload.ts", "main.ts")
  .spawn();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(signal, () => stop(signal));
}
if (await isReady()) {
  print(`
Firn runs on simulated data: no network, no account.

  curl '${BASE}/api/chain-data/metrics?range=30d'
  curl '${BASE}/api/chain-data/disputes'
  curl -H 'X-Api-Key: ${key}' '${BASE}/api/v1/score/${exampleOf("ordinary", 0)}'

In a browser, with a wallet that is simulated too: sign in, create a key, buy a plan.

  ${BASE}/dashboard
  ${BASE}/tools/score/${exampleOf("heavy")}

Within half a minute the first cross-checks are done. Take an upstream away:

  curl -X PUT -d '{"mode": "refuse"}' ${simnet.urls.metricsApi}/-/switch
`);
}
const { code } = await service.status;
await Deno.remove(folder, { recursive: true });
Deno.exit(code);

/** Runs an operator command to its end; returns what it printed. */
async function operate(...args: string[]): Promise<string> {
  const { stdout, success } = await run("operator", "operator.ts", ...args)
    .output();
  const text = new TextDecoder().decode(stdout);
  if (!success) throw new Error(`Cannot prepare the demo: ${text}`);
  return text;
}

function run(set: SetName, ...args: string[]): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", ...permissionFlags(set, settings), ...args],
    cwd: ROOT,
    env: settings,
  });
}

function stop(signal: Deno.Signal): void {
  try {
    service.kill(signal);
  } catch {
    // It has ended already, as it got the terminal's signal too.
  }
}

/** Ends where something else listens already: it would answer in place of the demo. */
function refuseTakenPort(): void {
  try {
    Deno.listen({ hostname: "127.0.0.1", port: Number(PORT) }).close();
  } catch (error) {
    if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    print(
      `Cannot start the demo: port ${PORT} is taken; PORT names another, such as PORT=8001`,
    );
    Deno.exit(1);
  }
}

/** Waits until the service answers; false where it has ended. */
async function isReady(): Promise<boolean> {
  let ended = false;
  service.status.then(() => ended = true);
  while (!ended && !await answers()) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return !ended;
}

async function answers(): Promise<boolean> {
  try {
    const response = await fetch(`${BASE}/api/v1`);
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

function print(text: string): void {
  // deno-lint-ignore no-console
  console.log(text);
}
