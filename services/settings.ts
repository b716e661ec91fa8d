/** The settings: what each environment variable accepts. */
import { z } from "zod";
import type { FormerSigner } from "./attestations/signers.ts";
import { C_CHAIN } from "./chain_data/metrics_schema.ts";
import { OPEN_REQUESTS_PER_MINUTE } from "./platform/rate_limit/ip_rate_limit_schema.ts";
import { USDC } from "./payments/products_schema.ts";

const HttpUrl = z.url({
  protocol: /^https?$/,
  error: "an http or https URL",
}).refine((url) => !URL.parse(url)?.username, "a URL without credentials");

const HttpUrlList = z.string().refine(
  (list) =>
    list.split(",").every((url) => HttpUrl.safeParse(url.trim()).success),
  "one or more http or https URLs with commas between them",
);

const ContractAddress = z.string().regex(
  /^0x[0-9a-fA-F]{40}$/,
  "0x and 40 hexadecimal digits",
).transform((address) => address.toLowerCase());

/** The number of points of secp256k1 (SEC 2, 2.4.1): private keys are below it. */
const CURVE_ORDER =
  0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const PrivateKey = z.string().refine(isPrivateKey, {
  error: "0x and 64 hexadecimal digits: a private key of the curve secp256k1",
}).transform((key) => key as `0x${string}`);

const FormerSigners = z.string()
  .transform((list) =>
    list.toLowerCase().split(",").map((entry) => entry.trim().split(":"))
  )
  .refine(
    (entries) =>
      entries.every((entry) => FORMER_SIGNER.test(entry.join(":"))) &&
      new Set(entries.map(([address]) => address)).size === entries.length,
    "a comma list of <address>:retiring or <address>:revoked, each address once",
  )
  .transform((entries) =>
    entries.map(([address, status]) => ({ address, status }) as FormerSigner)
  );

const FORMER_SIGNER = /^0x[0-9a-f]{40}:(retiring|revoked)$/;

/** Settings whose values are never shown. */
export const SECRETS = ["ATTESTATION_PRIVATE_KEY", "GITHUB_CLIENT_SECRET"];

/** An unset variable and an empty one mean the same. */
function setting<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => value === "" ? undefined : value, schema);
}

/** The environment variables that the service reads. */
export const Environment = z.object({
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
  CHAIN_ID: setting(
    z.string().regex(/^[1-9]\d{0,14}$/, "a chain id such as 43114")
      .transform(Number).default(C_CHAIN),
  ),
  USDC_ADDRESS: setting(ContractAddress.default(USDC)),
  TREASURY_ADDRESS: setting(ContractAddress.optional()),
  ATTESTATION_PRIVATE_KEY: setting(PrivateKey.optional()),
  ATTESTATION_CONTRACT: setting(ContractAddress.optional()),
  ATTESTATION_SIGNERS: setting(FormerSigners.default([])),
  GITHUB_CLIENT_ID: setting(z.string().optional()),
  GITHUB_CLIENT_SECRET: setting(z.string().optional()),
  GITHUB_URL: setting(HttpUrl.default("https://github.com")),
  GITHUB_API_URL: setting(HttpUrl.default("https://api.github.com")),
  FAIR_USE_PER_MINUTE: setting(
    z.string().regex(/^[1-9]\d{0,9}$/, "a whole number from 1 to 9999999999")
      .transform(Number).default(OPEN_REQUESTS_PER_MINUTE),
  ),
  TRUSTED_PROXY_HOPS: setting(
    z.string().regex(/^\d$/, "a whole number from 0 to 9").transform(Number)
      .default(0),
  ),
  FIRN_NOW: setting(
    z.iso.datetime({
      offset: true,
      error: "an instant as ISO 8601, such as 2026-11-21T08:00:00Z",
    }).optional(),
  ),
  OTEL_DENO: setting(z.string().optional()),
  OTEL_DENO_TRACING: setting(z.string().optional()),
  DENO_DEPLOY: setting(z.string().optional()),
  DENO_TIMELINE: setting(z.string().optional()),
}).refine(
  ({ FIRN_NOW, DENO_DEPLOY }) => !(FIRN_NOW && DENO_DEPLOY),
  {
    path: ["FIRN_NOW"],
    error: "no value on Deno Deploy, where the clock is the platform's",
  },
).refine(
  // Deno's own spans hold whole URLs, and with them what signs people in.
  ({ OTEL_DENO, OTEL_DENO_TRACING, DENO_DEPLOY }) =>
    !(readFlag(OTEL_DENO_TRACING) ?? readFlag(OTEL_DENO)) ||
    DENO_DEPLOY !== undefined,
  {
    path: ["OTEL_DENO_TRACING"],
    error: "false with OTEL_DENO=true: Deno's own spans hold whole URLs",
  },
).refine(
  ({ ATTESTATION_PRIVATE_KEY: key, ATTESTATION_CONTRACT: contract }) =>
    (key === undefined) === (contract === undefined),
  {
    path: ["ATTESTATION_CONTRACT"],
    error: "an address with ATTESTATION_PRIVATE_KEY, and no value without it",
  },
).refine(
  ({ GITHUB_CLIENT_ID: id, GITHUB_CLIENT_SECRET: secret }) =>
    (id === undefined) === (secret === undefined),
  {
    path: ["GITHUB_CLIENT_ID"],
    error: "a value with GITHUB_CLIENT_SECRET, and none without it",
  },
);

/** The names of all settings. */
export const SETTINGS = Object.keys(Environment.shape);

function isPrivateKey(text: string): boolean {
  if (!/^0x[0-9a-fA-F]{64}$/.test(text)) return false;
  const number = BigInt(text);
  return number > 0n && number < CURVE_ORDER;
}

/** Reads a flag as Deno does: in any case, and any other word is as good as none. */
function readFlag(text = ""): boolean | undefined {
  const isWritten = (word: string) => text.toLowerCase() === word;
  return isWritten("true") || (isWritten("false") ? false : undefined);
}
