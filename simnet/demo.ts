/** The demo: runs the embedded upstreams and starts the service in a second process. */
import { exampleOf } from "./accounts.ts";
import { fillStore } from "./fill_store.ts";
import { startLinkedAccounts } from "./linked_accounts/linked_accounts.ts";
import {
  type ProgramName,
  startFlags,
} from "../services/operator/start_flags.ts";
import { settingsOf, startSimnet } from "./start.ts";

const PORT = Deno.env.get("PORT") || "8000";
const BASE = `http://localhost:${PORT}`;
const ROOT = new URL("..", import.meta.url);

/** The wallet of the printed API key. */
const WALLET = "0xf1420000000000000000000000000000000de300";

/** The treasury. This address and the next two constants are invented. */
const TREASURY = "0xf142000000000000000000000000000000de3000";

/** The private key that signs attestations. */
const ATTESTATION_KEY = `0x${"de30".repeat(15)}a77e`;

/** The private key that signs the manifests of files. It is invented, too. */
const MANIFEST_KEY =
  "MC4CAQAwBQYDK2VwBCIEIA9lfBoDY5jPDfwwgI3QsxZWOF1HNAbu3iF1eq8HoiGN";

/** The verifier contract of the attestations. */
const ATTESTATION_CONTRACT = "0xf14200000000000000000000000000000de30001";

/** What the filled store shows. */
const FILLED =
  `The store has a week of scores, profiles, two publications and their files:

  ${BASE}/chains
  ${BASE}/disputes
  ${BASE}/revisions
  ${BASE}/downloads
  ${BASE}/profiles/ada

`;

refuseTakenPort();
let now = () => new Date();
const simnet = startSimnet({ now: () => now() });
const linked = await startLinkedAccounts(BASE);
const folder = await Deno.makeTempDir({ prefix: "firn_demo_" });
const settings = {
  PORT,
  KV_PATH: Deno.env.get("KV_PATH") || `${folder}/demo.sqlite3`,
  TREASURY_ADDRESS: TREASURY,
  ATTESTATION_PRIVATE_KEY: ATTESTATION_KEY,
  ATTESTATION_CONTRACT,
  MANIFEST_PRIVATE_KEY: MANIFEST_KEY,
  AVAX_NAMES: "avvy",
  ...settingsOf(simnet),
  ...linked.settings,
};
await operate("plan", "grant", WALLET, "growth");
const key = (await operate("key", "create", WALLET, "--name", "demo"))
  .trimEnd().split("\n").at(-1)!;
// A database of one's own stays as it is.
const isFilled = !Deno.env.get("KV_PATH");
if (isFilled) {
  await fillStore(settings, { key, setClock: (clock) => now = clock });
}

const service = run(
  "service",
  "--preload=simnet/preload.ts",
  "main.ts",
  linked.nameServer,
  linked.recordsUrl,
).spawn();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(signal, () => stop(signal));
}
if (await isReady()) {
  print(`
Firn runs on simulated data: no network, no account.

  curl '${BASE}/api/chain-data/metrics?range=30d'
  curl '${BASE}/api/chain-data/disputes'
  curl '${BASE}/api/chain-data/revisions'
  curl -H 'X-Api-Key: ${key}' '${BASE}/api/v1/score/${exampleOf("ordinary", 0)}'

In a browser, with a simulated wallet: sign in, create a key, buy a plan.

  ${BASE}/dashboard
  ${BASE}/tools/score/${exampleOf("heavy")}
  ${BASE}/tools/score/alice.avax

${
    isFilled
      ? FILLED
      : ""
  }Claim a profile, link a simulated GitHub account, and link any domain by a record
that you publish in the simulated DNS:

  ${BASE}/dashboard/profile
  ${linked.recordsUrl}

Switch an upstream off:

  curl -X PUT -d '{"mode": "refuse"}' ${simnet.urls.metricsApi}/-/switch
`);
}
const { code } = await service.status;
await Deno.remove(folder, { recursive: true });
Deno.exit(code);

/** Runs an operator command and returns its output. */
async function operate(...args: string[]): Promise<string> {
  const { stdout, success } = await run("operator", "operator.ts", ...args)
    .output();
  const text = new TextDecoder().decode(stdout);
  if (!success) throw new Error(`Cannot prepare the demo: ${text}`);
  return text;
}

function run(program: ProgramName, ...args: string[]): Deno.Command {
  const flags = startFlags(program, settings, {
    args: args.slice(1),
    nameServers: [linked.nameServer],
  });
  return new Deno.Command(Deno.execPath(), {
    // The scripts of the demo's own pages are read from here.
    args: ["run", "--quiet", ...flags, "--allow-read=simnet", ...args],
    cwd: ROOT,
    env: settings,
  });
}

function stop(signal: Deno.Signal): void {
  try {
    service.kill(signal);
  } catch {
    // It has already ended: it received the terminal's signal, too.
  }
}

/** Exits if another program uses the port: it would answer in place of the demo. */
function refuseTakenPort(): void {
  try {
    Deno.listen({ hostname: "127.0.0.1", port: Number(PORT) }).close();
  } catch (error) {
    if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    print(
      `Cannot start the demo: port ${PORT} is taken; set another, such as PORT=8001`,
    );
    Deno.exit(1);
  }
}

/** Waits until the service answers; false if it has ended. */
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
