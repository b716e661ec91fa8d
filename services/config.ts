/** The settings: environment variables, read and checked once at start. */
import { z } from "zod";

const HttpUrl = z.url({
  protocol: /^https?$/,
  error: "an http or https URL",
}).refine((url) => !URL.parse(url)?.username, "a URL without credentials");

const HttpUrlList = z.string().refine(
  (list) =>
    list.split(",").every((url) => HttpUrl.safeParse(url.trim()).success),
  "one or more http or https URLs with commas between them",
);

/** An unset variable and an empty one mean the same. */
function setting<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => value === "" ? undefined : value, schema);
}

const Environment = z.object({
  PORT: setting(
    z.string().regex(/^\d{1,5}$/, "a port from 0 to 65535")
      .transform(Number)
      .refine((port) => port <= 65535, "a port from 0 to 65535")
      .default(8000),
  ),
  PUBLIC_URL: setting(HttpUrl.optional()),
  KV_PATH: setting(z.string().optional()),
  METRICS_API_URL: setting(HttpUrl.default("https://metrics.avax.network")),
  EXPLORER_API_URL: setting(
    HttpUrl.default(
      "https://api.routescan.io/v2/network/mainnet/evm/43114/etherscan/api",
    ),
  ),
  C_CHAIN_RPC_URL: setting(
    HttpUrlList.default("https://api.avax.network/ext/bc/C/rpc"),
  ),
  P_CHAIN_RPC_URL: setting(
    HttpUrl.default("https://api.avax.network/ext/bc/P"),
  ),
  FIRN_NOW: setting(
    z.iso.datetime({
      offset: true,
      error: "an instant as ISO 8601, such as 2026-11-21T08:00:00Z",
    }).optional(),
  ),
  DENO_DEPLOY: setting(z.string().optional()),
  DENO_TIMELINE: setting(z.string().optional()),
}).refine(
  ({ FIRN_NOW, DENO_DEPLOY }) => !(FIRN_NOW && DENO_DEPLOY),
  {
    path: ["FIRN_NOW"],
    error: "no value on Deno Deploy, where the clock is the platform's",
  },
);

/** The checked settings. */
export interface Config {
  readonly port: number;
  /** Base of links, without a slash at its end. */
  readonly publicUrl: string;
  /** Undefined: the platform's own database. */
  readonly kvPath: string | undefined;
  readonly metricsApiUrl: string;
  readonly explorerApiUrl: string;
  /** A comma list. */
  readonly cChainRpcUrl: string;
  readonly pChainRpcUrl: string;
  /** Where the clock starts, epoch ms; null for the real time. */
  readonly startsAt: number | null;
  /** False on the preview timelines of Deno Deploy, which share upstream's limits. */
  readonly runsJobs: boolean;
}

/** Reads the settings; throws one error that names every bad one and what it accepts. */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
): Config {
  const checked = Environment.safeParse(environment);
  if (!checked.success) {
    const problems = checked.error.issues.map(({ path: [name], message }) =>
      `${String(name)}="${environment[String(name)]}": accepted is ${message}`
    );
    throw new Error(`Cannot start: bad settings\n  ${problems.join("\n  ")}`);
  }
  const env = checked.data;
  return {
    port: env.PORT,
    publicUrl: (env.PUBLIC_URL ?? `http://localhost:${env.PORT}`)
      .replace(/\/+$/, ""),
    kvPath: env.KV_PATH,
    metricsApiUrl: env.METRICS_API_URL,
    explorerApiUrl: env.EXPLORER_API_URL,
    cChainRpcUrl: env.C_CHAIN_RPC_URL,
    pChainRpcUrl: env.P_CHAIN_RPC_URL,
    startsAt: env.FIRN_NOW ? Date.parse(env.FIRN_NOW) : null,
    runsJobs: (env.DENO_TIMELINE ?? "production") === "production",
  };
}
