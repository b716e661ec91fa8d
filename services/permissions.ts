/** The permissions that the settings need, and a check that the process has them. */
import { type Config, isDatabaseFile, isHostedDatabase } from "./config.ts";
import { SETTING_NAMES } from "./settings.ts";

/** A permission, and the setting that needs it. */
export interface Need {
  readonly setting: string;
  readonly kind: "env" | "net" | "read" | "write";
  /** A variable, a host with its port, or a path, as in `deno.json`. */
  readonly value: string;
}

/** The variable that Deno reads for a hosted database. */
export const KV_TOKEN = "DENO_KV_ACCESS_TOKEN";

/** Lists what reading the settings needs. */
export function listVariableNeeds(): Need[] {
  return SETTING_NAMES.map((setting) => ({
    setting,
    kind: "env",
    value: setting,
  }));
}

/** Lists what opening the database needs: nothing for the platform's own. */
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
      hostNeed(setting, kvPath),
    ];
  }
  return [];
}

/** Lists the hosts of the chain sources. Jobs need no other hosts. */
export function listChainNeeds(config: Config): Need[] {
  return [
    hostNeed("METRICS_API_URL", config.metricsApiUrl),
    hostNeed("EXPLORER_API_URL", config.explorerApiUrl),
    ...config.cChainRpcUrl.split(",")
      .map((url) => hostNeed("C_CHAIN_RPC_URL", url.trim())),
    hostNeed("P_CHAIN_RPC_URL", config.pChainRpcUrl),
  ];
}

/** Lists everything that the service needs with these settings. */
export function listServiceNeeds(config: Config): Need[] {
  const { port, github } = config;
  return [
    { setting: "PORT", kind: "net", value: `0.0.0.0:${port}` },
    ...listDatabaseNeeds(config),
    ...listChainNeeds(config),
    ...(github === null ? [] : [
      hostNeed("GITHUB_URL", github.url),
      hostNeed("GITHUB_API_URL", github.apiUrl),
    ]),
  ];
}

/** Throws one error that names every missing permission and how to add it. */
export function requirePermitted(needs: readonly Need[]): void {
  const refused = needs.filter(({ kind, value }) =>
    Deno.permissions.querySync(DESCRIPTORS[kind](value)).state !== "granted"
  );
  if (refused.length === 0) return;
  const lines = Map.groupBy(refused, ({ kind }) => kind).entries()
    .map(([kind, needs]) => `\n  "${kind}": ${needs.map(nameOf).join(", ")}`);
  throw new Error(
    `Cannot start: missing permissions${[...lines].join("")}\n` +
      `Start with deno task, and add the missing entries to the set of the task ` +
      `under "permissions" in deno.json. A flag such as --allow-net beside -P ` +
      `replaces a whole list of the set`,
  );
}

/**
 * Returns the name server of this machine that is not permitted, in the form of
 * `deno.json`, or null. A lookup is the only way to find its address.
 */
export async function findRefusedNameServer(): Promise<string | null> {
  if (Deno.permissions.querySync({ name: "net" }).state === "granted") {
    return null;
  }
  try {
    await Deno.resolveDns(RESERVED_HOST, "A");
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) {
      return /"(.+)"/.exec(error.message)?.[1] ?? error.message;
    }
  }
  return null;
}

/** A reserved name without an address (RFC 2606). */
const RESERVED_HOST = "nobody.invalid.";

const DESCRIPTORS: Readonly<
  Record<Need["kind"], (value: string) => Deno.PermissionDescriptor>
> = {
  env: (variable) => ({ name: "env", variable }),
  net: (host) => ({ name: "net", host }),
  read: (path) => ({ name: "read", path }),
  write: (path) => ({ name: "write", path }),
};

function hostNeed(setting: string, url: string): Need {
  return { setting, kind: "net", value: hostOf(url) };
}

/** Returns the host of a URL with its port, or with the default port of its protocol. */
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
