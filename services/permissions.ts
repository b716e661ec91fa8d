/** What the settings need permission for, and what of it this process lacks. */
import { type Config, isDatabaseFile, isHostedDatabase } from "./config.ts";
import { SETTING_NAMES } from "./settings.ts";

/** Something that a process has to be permitted, and the setting that asks for it. */
export interface Need {
  readonly setting: string;
  readonly kind: "env" | "net" | "read" | "write";
  /** As `deno.json` lists it: a variable, a host with its port, or a path. */
  readonly value: string;
}

/** What Deno reads by itself where the database is hosted. */
export const KV_TOKEN = "DENO_KV_ACCESS_TOKEN";

/** Returns what reading the settings needs. */
export function listVariableNeeds(): Need[] {
  return SETTING_NAMES.map((setting) => ({
    setting,
    kind: "env",
    value: setting,
  }));
}

/** Returns what opening the database needs: nothing where it is the platform's own. */
export function listDatabaseNeeds(
  { kvPath }: Pick<Config, "kvPath">,
): Need[] {
  const setting = "KV_PATH";
  if (isDatabaseFile(kvPath)) {
    return [
      { setting, kind: "read", value: kvPath },
      { setting, kind: "write", value: kvPath },
    ];
  }
  if (isHostedDatabase(kvPath)) {
    return [
      { setting, kind: "env", value: KV_TOKEN },
      reaching(setting, kvPath),
    ];
  }
  return [];
}

/** Returns what reading the chains needs, which is all that jobs read. */
export function listChainNeeds(config: Config): Need[] {
  return [
    reaching("METRICS_API_URL", config.metricsApiUrl),
    reaching("EXPLORER_API_URL", config.explorerApiUrl),
    ...config.cChainRpcUrl.split(",")
      .map((url) => reaching("C_CHAIN_RPC_URL", url.trim())),
    reaching("P_CHAIN_RPC_URL", config.pChainRpcUrl),
  ];
}

/** Returns all that the service needs with these settings. */
export function listServiceNeeds(config: Config): Need[] {
  const { port, github } = config;
  return [
    { setting: "PORT", kind: "net", value: `0.0.0.0:${port}` },
    ...listDatabaseNeeds(config),
    ...listChainNeeds(config),
    ...(github === null ? [] : [
      reaching("GITHUB_URL", github.url),
      reaching("GITHUB_API_URL", github.apiUrl),
    ]),
  ];
}

/** Throws one error that names all that is not permitted, and says where to permit it. */
export function requirePermitted(needs: readonly Need[]): void {
  const refused = needs.filter(({ kind, value }) =>
    Deno.permissions.querySync(DESCRIPTORS[kind](value)).state !== "granted"
  );
  if (refused.length === 0) return;
  const lines = Map.groupBy(refused, ({ kind }) => kind).entries()
    .map(([kind, needs]) => `\n  "${kind}": ${needs.map(nameOf).join(", ")}`);
  throw new Error(
    `Cannot start: not permitted is${[...lines].join("")}\n` +
      `Run it by deno task, and put what is missing into the set of that task ` +
      `under "permissions" in deno.json; --allow-net and its like beside -P ` +
      `replace a list of the set`,
  );
}

/**
 * Returns the name server of this machine that may not be asked, as `deno.json`
 * would list it; null where all may. Which ones there are is not known otherwise.
 */
export async function findRefusedNameServer(): Promise<string | null> {
  if (Deno.permissions.querySync({ name: "net" }).state === "granted") {
    return null;
  }
  try {
    await Deno.resolveDns(NO_HOST, "A");
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) {
      return /"(.+)"/.exec(error.message)?.[1] ?? error.message;
    }
  }
  return null;
}

/** A name that nobody has (RFC 2606). */
const NO_HOST = "nobody.invalid.";

const DESCRIPTORS: Readonly<
  Record<Need["kind"], (value: string) => Deno.PermissionDescriptor>
> = {
  env: (variable) => ({ name: "env", variable }),
  net: (host) => ({ name: "net", host }),
  read: (path) => ({ name: "read", path }),
  write: (path) => ({ name: "write", path }),
};

function reaching(setting: string, url: string): Need {
  return { setting, kind: "net", value: hostOf(url) };
}

/** Returns the host of a URL with its port, the protocol's own where none is written. */
function hostOf(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  return `${hostname}:${port || DEFAULT_PORTS[protocol]}`;
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  "http:": 80,
  "https:": 443,
};

function nameOf({ setting, value }: Need): string {
  return setting === value ? `"${value}"` : `"${value}" (${setting})`;
}
