/** The permissions that the programs need with their settings, and a check that a process has them. */
import { type Config, isDatabaseFile, isHostedDatabase } from "../config.ts";
import {
  PROOF_CHAINS,
  type ProofChainName,
} from "../model/human_proofs_schema.ts";
import { DRY_RUN } from "./command.ts";
import { PICTURE_FILES, VENDOR } from "../platform/package_files.ts";
import { SETTING_NAMES } from "../settings.ts";
import { StartError } from "../start_error.ts";

/** A permission, and what needs it. */
export interface Need {
  readonly kind: "env" | "net" | "read" | "write" | "sys";
  /** A variable, a host with its port, a path, or a name of the system's, as a flag of Deno spells it. */
  readonly value: string;
  /** A setting, or a few words. */
  readonly for: string;
}

/** The variable that Deno reads for a hosted database. */
const KV_TOKEN = "DENO_KV_ACCESS_TOKEN";

/** Why a variable is needed. */
export const SETTINGS = "the settings";

/**
 * Files that pages are built from: `deno.json` pins the package versions, and a
 * worker's module has to be readable.
 */
const PAGE_FILES = [
  "./CHANGELOG.md",
  "./deno.json",
  "./static",
  "./routes/docs/guides",
  "./routes/pages/picture_worker.ts",
  ...[...PICTURE_FILES, ...Object.values(VENDOR)]
    .map((url) => decodeURIComponent(new URL(url).pathname)),
];

/** The position of the file argument of the commands that have one, and what they do with the file. */
const FILE_COMMANDS: Readonly<
  Record<string, (file: string, temp: string) => Need[]>
> = {
  "export": (file, temp) => [
    ...both(`${file}.part`, "the backup"),
    { kind: "write", value: file, for: "the backup" },
    ...both(temp, "a copy of the database"),
  ],
  "check-store": (_file, temp) => both(temp, "a copy of the database"),
  "score": (_file, temp) => both(temp, "a copy of the database"),
  "import": (file) => [{ kind: "read", value: file, for: "the backup" }],
  "profiles import": (file) => [
    { kind: "read", value: file, for: "the profiles" },
  ],
};

/** Lists what reading the settings needs. */
export function listVariableNeeds(): Need[] {
  return SETTING_NAMES.map((setting) => ({
    kind: "env",
    value: setting,
    for: SETTINGS,
  }));
}

/** Lists what opening the database needs: nothing for the platform's own. */
function listDatabaseNeeds(
  { kvPath, kvEndpointUrls }: Pick<Config, "kvPath" | "kvEndpointUrls">,
): Need[] {
  const setting = "KV_PATH";
  if (isDatabaseFile(kvPath)) return both(kvPath, setting);
  if (isHostedDatabase(kvPath)) {
    return [
      { kind: "env", value: KV_TOKEN, for: setting },
      hostNeed(setting, kvPath),
      ...kvEndpointUrls.map((url) => hostNeed("KV_ENDPOINT_URLS", url)),
    ];
  }
  return [];
}

/** What reading the free space of the disk needs. */
const FREE_SPACE: Need = { kind: "sys", value: "statfs", for: "KV_PATH" };

/** Lists the hosts of the chain sources. */
export function listChainNeeds(config: Config): Need[] {
  return [
    hostNeed("METRICS_API_URL", config.metricsApiUrl),
    ...config.metricsApiUrls.values().map((url) =>
      hostNeed("METRICS_API_URLS", url)
    ),
    hostNeed("EXPLORER_API_URL", config.explorerApiUrl),
    ...config.indexes.slice(1).map(({ url }) =>
      hostNeed("EXPLORER_INDEXES", url)
    ),
    ...(config.portal === null
      ? []
      : [hostNeed("SQD_PORTAL_URL", config.portal.url)]),
    ...(config.chainIndexUrls.aggregations === null ? [] : [
      hostNeed("EXPLORER_AGGREGATIONS_URL", config.chainIndexUrls.aggregations),
    ]),
    ...config.chainRpcUrls.values().map((url) =>
      hostNeed("CHAIN_RPC_URLS", url)
    ),
    ...config.cChainRpcUrls.map((url) => hostNeed("C_CHAIN_RPC_URL", url)),
    hostNeed("P_CHAIN_RPC_URL", config.pChainRpcUrl),
    ...Object.entries(config.proofChainUrls).map(([name, url]) =>
      hostNeed(PROOF_CHAINS[name as ProofChainName].setting, url)
    ),
  ];
}

/** Lists everything that the service needs, except the name servers of the machine. */
export function listServiceNeeds(config: Config): Need[] {
  const { port, listenAddress, github } = config;
  return [
    ...listVariableNeeds(),
    {
      kind: "net",
      value: listenAddress.includes(":")
        ? `[${listenAddress}]:${port}`
        : `${listenAddress}:${port}`,
      for: "PORT",
    },
    ...listDatabaseNeeds(config),
    ...isDatabaseFile(config.kvPath) ? [FREE_SPACE] : [],
    ...listChainNeeds(config),
    ...(github === null ? [] : [
      hostNeed("GITHUB_URL", github.url),
      hostNeed("GITHUB_API_URL", github.apiUrl),
    ]),
    ...PAGE_FILES.map((value): Need => ({
      kind: "read",
      value,
      for: "the pages",
    })),
  ];
}

/** Lists everything that a job needs. */
export function listJobNeeds(config: Config): Need[] {
  return [
    ...listVariableNeeds(),
    ...listDatabaseNeeds(config),
    ...listChainNeeds(config),
  ];
}

/** Lists everything that an operator's command needs. `temp` is the machine's folder for temporary files. */
export function listCommandNeeds(
  config: Config,
  args: readonly string[],
  temp: string,
): Need[] {
  const [first = "", second = ""] = args;
  if (first === "job") return listJobNeeds(config);
  const words = [`${first} ${second}`, first]
    .find((name) => name in FILE_COMMANDS);
  const file = args.slice(words?.split(" ").length)
    .find((argument) => !argument.startsWith("--")) ?? "";
  return [
    ...listVariableNeeds(),
    ...listDatabaseNeeds(config),
    ...[
      ...args.includes(DRY_RUN) ? both(temp, "a copy of the database") : [],
      ...words === undefined ? [] : FILE_COMMANDS[words]!(file, temp),
    ].filter(({ value }) => value !== "" && value !== ".part"),
  ];
}

/** Throws one error that names every setting whose permissions are missing. */
export function requirePermitted(needs: readonly Need[]): void {
  const refused = needs.filter(({ kind, value }) =>
    Deno.permissions.querySync(DESCRIPTORS[kind](value)).state !== "granted"
  );
  if (refused.length === 0) return;
  const kinds = Map.groupBy(refused, ({ kind }) => kind).entries()
    .map(([kind, needs]) =>
      `${kind} for ${[...new Set(needs.map((need) => need.for))].join(", ")}`
    );
  const unfit = refused.find(({ value }) => /[\s,]/.test(value));
  const advice = unfit === undefined
    ? "start with deno task start, job or operator, or pass the flags that deno task permissions lists"
    : `deno task cannot permit a path with a space or a comma; use another for ${unfit.for}`;
  throw new StartError(
    `missing permissions: ${[...kinds].join("; ")}; ${advice}`,
  );
}

/**
 * Returns the name server of this machine that is not permitted, or null. A
 * lookup is the only way to find its address.
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
  sys: (kind) => ({ name: "sys", kind: kind as "hostname" }),
};

function both(path: string, reason: string): Need[] {
  return [
    { kind: "read", value: path, for: reason },
    { kind: "write", value: path, for: reason },
  ];
}

function hostNeed(setting: string, url: string): Need {
  return { kind: "net", value: hostOf(url), for: setting };
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
