/**
 * Declares every setting: its environment variable, what it accepts, its
 * default and its documentation.
 */
import { z } from "zod";
import { isPublicKey } from "./downloads/manifests.ts";
import { Network } from "./platform/rate_limit/networks_schema.ts";
import { C_CHAIN } from "./chain_data/catalogue/metrics_schema.ts";
import { OPEN_REQUESTS_PER_MINUTE } from "./platform/rate_limit/ip_rate_limit.ts";
import {
  type AllowedCalls,
  EXPLORER_CALLS,
  METRICS_CALLS,
  NODE_CALLS,
} from "./platform/rate_limit/upstream_limits.ts";
import { USDC } from "./payments/plans_schema.ts";
import { PORTAL_CALLS } from "./scores/signals/portal_accounts_client.ts";
import type { FormerSigner } from "./attestations/attestations.ts";
import { ADDRESS, hasChecksum } from "./platform/address_schema.ts";
import { parseJson } from "./platform/text.ts";

/** An http or https URL without credentials. */
const HttpUrl = z.url({
  protocol: /^https?$/,
  error: "an http or https URL",
}).refine((text) => {
  const url = URL.parse(text);
  return !url?.username && !url?.password;
}, "a URL without credentials");

/** A URL that paths are appended to. */
const BaseUrl = HttpUrl.refine(
  (url) => !/[?#]/.test(url),
  "a URL without query and fragment",
);

/** One or more of them, separated by commas. */
const HttpUrlList = z.string()
  .transform((list) => list.split(",").map((url) => url.trim()))
  .refine(
    (urls) => urls.every((url) => HttpUrl.safeParse(url).success),
    "one or more http or https URLs, separated by commas",
  );

/** `localhost:4512` is no file: an empty database would be made there, in place of the one that is meant. */
const KvPath = z.string().refine(
  (path) =>
    path === ":memory:" || !/^[^/\\]{2,}:/.test(path) ||
    path.startsWith("http") && HttpUrl.safeParse(path).success,
  "a file path, :memory:, or an https KV Connect URL",
);

/** A contract, lower-case once parsed. */
const ContractAddress = z.string().refine(
  (text) => ADDRESS.test(text) && hasChecksum(text),
  "0x and 40 hexadecimal digits, in one case or with a valid checksum (EIP-55)",
).transform((address) => address.toLowerCase());

/** The order of secp256k1 (SEC 2, 2.4.1). Private keys are smaller. */
const CURVE_ORDER =
  0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** A private key of secp256k1. */
const PrivateKey = z.string().refine(isPrivateKey, {
  error: "0x and 64 hexadecimal digits, a private key of the curve secp256k1",
}).transform((key) => key as `0x${string}`);

/** Former signers of attestations, each once. */
const FormerSigners = z.string()
  .transform((list) =>
    list.toLowerCase().split(",").map((entry) => entry.trim().split(":"))
  )
  .refine(
    (entries) =>
      entries.every((entry) => FORMER_SIGNER.test(entry.join(":"))) &&
      new Set(entries.map(([address]) => address)).size === entries.length,
    "<address>:retiring or <address>:revoked, separated by commas, each address once",
  )
  .transform((entries) =>
    entries.map(([address, status]) => ({ address, status }) as FormerSigner)
  );

const FORMER_SIGNER = /^0x[0-9a-f]{40}:(retiring|revoked)$/;

/** PKCS #8 of a private Ed25519 key (RFC 8410), in base64: the same bytes, then the key. */
const ManifestKey = z.string().regex(
  /^MC4CAQAwBQYDK2VwBCIEI[A-P][A-Za-z0-9+/]{42}$/,
  "an Ed25519 key as 64 characters of base64, PKCS #8 in DER",
);

/** Public Ed25519 keys, each once. */
const FormerManifestKeys = z.string()
  .transform((list) => list.split(",").map((key) => key.trim()))
  .refine(
    (keys) =>
      keys.every(isPublicKey) &&
      new Set(keys).size === keys.length,
    "public keys as 43 characters of base64url, separated by commas, each once",
  );

/** Networks, separated by commas. */
const NetworkList = z.string()
  .transform((list) => list.split(",").map((network) => network.trim()))
  .refine(
    (networks) => networks.every((text) => Network.safeParse(text).success),
    "IPv4 or IPv6 networks such as 10.0.0.0/8, separated by commas",
  );

/** A number of calls in a period. */
const CallCount = z.string()
  .regex(/^[1-9]\d{0,8}$/, "a whole number from 1 to 999999999")
  .transform(Number);

/** The key of an index, as it stands in URLs. */
const ApiKey = z.string()
  .regex(/^[\w-]{1,128}$/, "letters, digits, - and _");

/** Further indexes: JSON, so that each has a key and limits of its own. */
const ExplorerIndexes = z.string().transform((text, context) => {
  const { success, data } = ExplorerIndexList.safeParse(parseJson(text));
  if (success) return data;
  context.addIssue(
    'a JSON list such as [{"url":"https://…/api","key":"…","perSecond":5,"perMinute":300,"perDay":100000}], where only url is required',
  );
  return z.NEVER;
});

const Calls = z.int().min(1).max(999_999_999).optional();

const ExplorerIndexList = z.array(z.strictObject({
  url: HttpUrl,
  key: ApiKey.optional(),
  perSecond: Calls,
  perMinute: Calls,
  perDay: Calls,
}));

/** Hosts or nodes of single chains: JSON, so that a URL may have any character. */
const ChainUrls = z.string().transform((text, context) => {
  const { success, data } = ChainUrlMap.safeParse(parseJson(text));
  if (success) {
    return new Map(
      Object.entries(data).map(([chainId, url]) => [Number(chainId), url]),
    );
  }
  context.addIssue(
    'a JSON object such as {"4337":"https://…"}: base URLs by chain id, https without credentials, query and fragment',
  );
  return z.NEVER;
});

const ChainUrlMap = z.record(
  z.string().regex(/^[1-9]\d{0,14}$/),
  BaseUrl.refine((url) => url.startsWith("https:")),
);

/** Declares the limits of a source: calls a second, minute and day, by default and with a key. */
function callSettings<Name extends string>(
  name: Name,
  source: string,
  { usual, keyed }: { usual: AllowedCalls; keyed?: AllowedCalls },
) {
  const declared = Object.entries(PERIODS).map(([period, of]) => {
    const description =
      `Calls a ${period.toLowerCase()} that ${source} allows.`;
    const withKey = keyed?.[of] === undefined
      ? ""
      : `, or ${keyed[of]} with \`${name}_API_KEY\``;
    const texts = {
      description,
      unset: `${usual[of] ?? "no limit"}${withKey}`,
    };
    return [
      `${name}_CALLS_PER_${period}`,
      setting(CallCount.optional(), texts),
    ];
  });
  return Object.fromEntries(declared) as Record<
    `${Name}_CALLS_PER_${Period}`,
    z.ZodType<number | undefined>
  >;
}

const PERIODS = {
  SECOND: "perSecond",
  MINUTE: "perMinute",
  DAY: "perDay",
} as const;
type Period = keyof typeof PERIODS;

function isPrivateKey(text: string): boolean {
  if (!/^0x[0-9a-fA-F]{64}$/.test(text)) return false;
  const number = BigInt(text);
  return number > 0n && number < CURVE_ORDER;
}

/** Documentation of a setting. */
interface SettingTexts {
  /** One or two sentences in Markdown. */
  readonly description: string;
  /** Shown instead of the default; required if there is none. */
  readonly unset?: string;
  /** Value in `.env.example` if there is no default. */
  readonly example?: string;
}

/** Declares a setting. An empty variable counts as unset. */
function setting<T extends z.ZodType>(schema: T, texts?: SettingTexts) {
  const checked = z.preprocess(
    (value) => value === "" ? undefined : value,
    schema,
  );
  return texts === undefined ? checked : checked.meta({ ...texts });
}

/** The environment variables of the service. */
export const Environment = z.object({
  PORT: setting(
    z.string().regex(/^\d{1,5}$/, "a port from 0 to 65535")
      .transform(Number)
      .refine((port) => port <= 65535, "a port from 0 to 65535")
      .default(8000),
    { description: "Port that the service listens on." },
  ),
  LISTEN_ADDRESS: setting(
    z.union([z.ipv4(), z.ipv6()], "an IPv4 or IPv6 address")
      .default("0.0.0.0"),
    {
      description:
        "Address that the service listens on. `127.0.0.1` is for a proxy on the same machine; `0.0.0.0` is every IPv4 interface, `::` every interface.",
    },
  ),
  PUBLIC_URL: setting(BaseUrl.optional(), {
    description:
      "Base URL of links and cookies. It is never taken from the `Host` header.",
    unset: "`http://localhost:$PORT`",
    example: "https://firn.your.domain",
  }),
  KV_PATH: setting(KvPath.optional(), {
    description:
      "The database: a file path, `:memory:`, or an https KV Connect URL.",
    unset: "the platform's own database",
    example: "./firn.sqlite3",
  }),
  KV_ENDPOINT_URLS: setting(HttpUrlList.default([]), {
    description:
      "The endpoints of a hosted database, separated by commas, if they are on other hosts than `KV_PATH`.",
    unset: "the host of `KV_PATH`",
  }),
  METRICS_API_URL: setting(BaseUrl.default("https://metrics.avax.network"), {
    description: "Source of the daily series, the chain list and staking.",
  }),
  METRICS_API_URLS: setting(ChainUrls.default(new Map()), {
    description:
      'Other hosts that answer as the Metrics API does, each for one chain that the shared API does not index, as JSON: `{"4337":"https://…"}`, a base URL by chain id, https only. Each host has the limits of `METRICS_CALLS_PER_…` to itself.',
    unset: "none",
  }),
  ...callSettings("METRICS", "the Metrics API", { usual: METRICS_CALLS }),
  EXPLORER_API_URL: setting(
    HttpUrl.default("https://api.routescan.io/v2/network/mainnet/evm"),
    {
      description:
        "The explorer index: the second source, and the source of address histories. Below this base, `/<chain id>/etherscan/api` is the API of one chain. A URL that ends in `/api` is the C-Chain's API itself.",
    },
  ),
  EXPLORER_AGGREGATIONS_URL: setting(BaseUrl.optional(), {
    description:
      "Where the explorer index answers the daily totals of any chain: below this base, `/all/aggregations/txs`.",
    unset:
      "`https://cdn.routescan.io/api/evm` for `api.routescan.io`, else `EXPLORER_API_URL` if it is such a base",
  }),
  EXPLORER_API_KEY: setting(
    ApiKey.optional(),
    {
      description:
        "API key of the explorer index. It raises the number of addresses that can be scored a day.",
      unset: "unset",
    },
  ),
  ...callSettings("EXPLORER", "the explorer index", {
    usual: EXPLORER_CALLS.keyless,
    keyed: EXPLORER_CALLS.keyed,
  }),
  EXPLORER_INDEXES: setting(ExplorerIndexes.default([]), {
    description:
      'Further indexes that speak the same API, or further keys of the same one, as JSON: `[{"url":"https://…/api","key":"…","perSecond":5,"perDay":100000}]`. `url` is the API of the C-Chain. Histories are read where calls are left.',
    unset: "none",
  }),
  SQD_PORTAL_URL: setting(BaseUrl.optional(), {
    description:
      "The C-Chain's dataset at a portal of SQD, public or your own: a source of histories that reads up to a hundred waiting addresses at once.",
    unset: "unset: histories come from the explorer index alone",
    example: "https://portal.sqd.dev/datasets/avalanche-mainnet",
  }),
  ...callSettings("SQD_PORTAL", "the portal", { usual: PORTAL_CALLS }),
  C_CHAIN_RPC_URL: setting(
    HttpUrlList.default(["https://api.avax.network/ext/bc/C/rpc"]),
    {
      description:
        "Nodes of the C-Chain, separated by commas. The first serves reads. All of them must agree before a payment or a smart account's signature counts.",
    },
  ),
  ...callSettings("C_CHAIN", "each node of the C-Chain", { usual: NODE_CALLS }),
  P_CHAIN_RPC_URL: setting(
    HttpUrl.default("https://api.avax.network/ext/bc/P"),
    { description: "A node of the platform chain: validator sets." },
  ),
  ...callSettings("P_CHAIN", "the node of the platform chain", {
    usual: NODE_CALLS,
  }),
  CHAIN_RPC_URLS: setting(ChainUrls.default(new Map()), {
    description:
      'Own nodes of single chains, as JSON: `{"4337":"https://…"}`, a URL by chain id, https only. A node is asked once a day, and only while every other source shows its chain idle: if it has blocks of those days, no zeroes are inferred. Each gets at most 240 calls a minute.',
    unset: "none",
  }),
  WORLD_CHAIN_RPC_URL: setting(HttpUrl.optional(), {
    description:
      "A node of World Chain, where World IDs of addresses are read as evidence of a unique human.",
    unset: "unset: they are not read",
  }),
  BASE_RPC_URL: setting(HttpUrl.optional(), {
    description:
      "A node of Base: verified accounts of Coinbase, and Human Passports.",
    unset: "unset: they are not read there",
  }),
  OPTIMISM_RPC_URL: setting(HttpUrl.optional(), {
    description: "A node of Optimism: Human Passports.",
    unset: "unset: they are not read there",
  }),
  CHAIN_ID: setting(
    z.string().regex(/^[1-9]\d{0,14}$/, "a chain id such as 43114")
      .transform(Number).default(C_CHAIN),
    { description: "The chain of wallets, payments and attestations." },
  ),
  AVAX_NAMES: setting(z.literal("avvy", "avvy").optional(), {
    description:
      "`avvy` accepts names of Avvy Domains such as `alice.avax` where pages accept an address. A name takes four calls of each node of the C-Chain, which must all agree.",
    unset: "unset: an address is expected",
  }),
  USDC_ADDRESS: setting(ContractAddress.default(USDC), {
    description:
      "The token that plans are paid in, with 6 decimals: native USDC by default.",
  }),
  TREASURY_ADDRESS: setting(ContractAddress.optional(), {
    description: "The address that receives payments.",
    unset: "unset: nothing can be bought",
  }),
  COLD_READS_PERCENT: setting(
    z.string().regex(/^(\d{1,2}|100)$/, "a whole number from 0 to 100")
      .transform(Number).default(100),
    {
      description:
        "The part of sold quotas that is taken to be cold reads, in percent. A plan is not quoted if those of all paid plans would exceed what the sources of histories allow in a day. `0` sells any number of plans.",
    },
  ),
  ATTESTATION_PRIVATE_KEY: setting(PrivateKey.optional(), {
    description:
      "Signs attestations: 0x and 64 hexadecimal digits. It is never logged or shown.",
    unset: "unset: signed scores are a 501",
  }),
  ATTESTATION_CONTRACT: setting(ContractAddress.optional(), {
    description:
      "The verifier contract that attestations are made for. Set it together with the key.",
    unset: "unset",
  }),
  ATTESTATION_SIGNERS: setting(FormerSigners.default([]), {
    description:
      "Former signers, separated by commas: `<address>:retiring` or `<address>:revoked`.",
    unset: "none",
  }),
  METRIC_FILES_DAYS: setting(
    z.string().regex(/^([1-9]|[12]\d|3[01])$/, "a whole number from 1 to 31")
      .transform(Number).optional(),
    {
      description:
        "How often the downloadable files of a metric are built, in days. Built every day, they are more than half of what an idle day writes, which Deno Deploy bills. The other files are built every day.",
      unset: "1, on Deno Deploy 7",
    },
  ),
  MANIFEST_PRIVATE_KEY: setting(ManifestKey.optional(), {
    description:
      "Signs the daily manifest of the downloadable files: an Ed25519 key, `openssl genpkey -algorithm ed25519 -outform DER | base64`. It is never logged or shown.",
    unset: "unset: manifests are not signed, and say so",
  }),
  MANIFEST_FORMER_KEYS: setting(FormerManifestKeys.default([]), {
    description:
      "Public keys that signed manifests before, separated by commas, as `/.well-known/firn-manifest-key.json` showed them in `x`.",
    unset: "none",
  }),
  GITHUB_CLIENT_ID: setting(z.string().optional(), {
    description:
      "An OAuth app at GitHub. Its callback is `<PUBLIC_URL>/account/link/github`.",
    unset: "unset: no GitHub account can be linked",
  }),
  GITHUB_CLIENT_SECRET: setting(z.string().optional(), {
    description: "The app's secret. Set it together with the id.",
    unset: "unset",
  }),
  GITHUB_URL: setting(BaseUrl.default("https://github.com"), {
    description: "Base URL of sign-ins at GitHub.",
  }),
  GITHUB_API_URL: setting(BaseUrl.default("https://api.github.com"), {
    description: "Base URL of the GitHub API, where the account is read.",
  }),
  FAIR_USE_PER_MINUTE: setting(
    z.string().regex(/^[1-9]\d{0,9}$/, "a whole number from 1 to 9999999999")
      .transform(Number).default(OPEN_REQUESTS_PER_MINUTE),
    {
      description:
        "Requests that one network may make outside of a plan's quota: this many at once, and then this many per minute.",
    },
  ),
  TRUSTED_PROXY_HOPS: setting(
    z.string().regex(/^\d$/, "a whole number from 0 to 9").transform(Number)
      .default(0),
    {
      description:
        "Number of proxies in front of the service. The client's address is the entry at this position from the right of `X-Forwarded-For`. With 0 it is the address of the connection.",
    },
  ),
  TRUSTED_PROXIES: setting(NetworkList.optional(), {
    description:
      "Networks of these proxies, separated by commas. `X-Forwarded-For` counts only on connections from them.",
    unset: "unset: from any address",
    example: "10.0.0.0/8",
  }),
  SECURITY_CONTACT: setting(
    z.url({ protocol: /^(https|mailto)$/, error: "an https or mailto URL" })
      .optional(),
    {
      description:
        "Where vulnerabilities are reported: an https or mailto URL, shown in `/.well-known/security.txt` and linked by profile pages.",
      unset: "unset: there is no such file and no such link",
      example: "mailto:security@your.domain",
    },
  ),
  FIRN_NOW: setting(
    z.iso.datetime({
      offset: true,
      error: "an instant as ISO 8601, such as 2026-11-21T08:00:00Z",
    }).optional(),
    {
      description:
        "Start of a simulated clock (ISO 8601), for black-box tests. Refused on Deno Deploy.",
      unset: "the real time",
      example: "2026-11-21T08:00:00Z",
    },
  ),
  OTEL_DENO: setting(z.string().optional(), {
    description: "`true` exports traces, log and metrics (OpenTelemetry).",
    unset: "unset: nothing is exported",
    example: "true",
  }),
  OTEL_DENO_TRACING: setting(z.string().optional(), {
    description:
      "Must be `false` together with `OTEL_DENO=true`, except on Deno Deploy: Deno's own spans contain whole URLs.",
    unset: "unset",
    example: "false",
  }),
  // Set by Deno Deploy, not by an operator.
  DENO_DEPLOY: setting(z.string().optional()),
  DENO_TIMELINE: setting(z.string().optional()),
}).refine(
  ({ FIRN_NOW, DENO_DEPLOY }) => !(FIRN_NOW && DENO_DEPLOY),
  {
    path: ["FIRN_NOW"],
    error: "no value on Deno Deploy, where the platform sets the clock",
  },
).refine(
  // Links and cookies would name localhost, and nobody could sign in.
  ({ PUBLIC_URL, DENO_DEPLOY }) =>
    PUBLIC_URL !== undefined || DENO_DEPLOY === undefined,
  {
    path: ["PUBLIC_URL"],
    error:
      "the address of the app on Deno Deploy, as https://app.org.deno.net, or its own domain",
  },
).refine(
  // Deno's own spans contain whole URLs, and some URLs contain sign-in codes.
  ({ OTEL_DENO, OTEL_DENO_TRACING, DENO_DEPLOY }) =>
    !(readFlag(OTEL_DENO_TRACING) ?? readFlag(OTEL_DENO)) ||
    DENO_DEPLOY !== undefined,
  {
    path: ["OTEL_DENO_TRACING"],
    error:
      "false with OTEL_DENO=true, because Deno's own spans contain whole URLs",
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
export const SETTING_NAMES = Object.keys(Environment.shape);

/** Letters of a name that may be wrong, added, missing or swapped with the next one. */
const MAX_TYPOS = 2;

/** The shortest name that can be recognised in spite of them. */
const LEAST_LETTERS = 6;

/** Finds names of variables that look like a setting and are none, each with the setting. */
export function findMisspelt(
  names: readonly string[],
): { readonly given: string; readonly meant: string }[] {
  return names.filter((name) =>
    name.length >= LEAST_LETTERS && !SETTING_NAMES.includes(name)
  ).flatMap((given) => {
    const meant = SETTING_NAMES.find((name) =>
      name.length >= LEAST_LETTERS &&
      distanceOf(given.toUpperCase(), name) <= MAX_TYPOS
    );
    return meant === undefined ? [] : [{ given, meant }];
  });
}

/** Returns how many letters two names differ by (Damerau and Levenshtein). */
function distanceOf(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MAX_TYPOS) return Infinity;
  const rows = [Array.from({ length: b.length + 1 }, (_, nth) => nth)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] &&
        a[i - 2] === b[j - 1];
      row.push(Math.min(
        rows[i - 1]![j]! + 1,
        row[j - 1]! + 1,
        rows[i - 1]![j - 1]! + (isSame ? 0 : 1),
        isSwapped ? rows[i - 2]![j - 2]! + 1 : Infinity,
      ));
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}

/** A setting as the documents list it. */
interface DocumentedSetting {
  readonly name: string;
  readonly description: string;
  /** The default, or what happens without a value, in Markdown. */
  readonly fallback: string;
  /** A value for `.env.example`: the default if there is one. */
  readonly example: string;
}

/** Lists the settings that an operator may set. */
export function listSettings(): DocumentedSetting[] {
  return Object.entries(Environment.shape).flatMap(([name, schema]) => {
    const texts = schema.meta() as SettingTexts | undefined;
    if (texts === undefined) return [];
    const { description, unset, example = "" } = texts;
    if (unset !== undefined) {
      return [{ name, description, fallback: unset, example }];
    }
    const value = String(schema.parse(undefined));
    return [{ name, description, fallback: `\`${value}\``, example: value }];
  });
}

/** Reads a flag as Deno does: case-insensitive, and undefined for any other word. */
function readFlag(text = ""): boolean | undefined {
  const isWritten = (word: string) => text.toLowerCase() === word;
  return isWritten("true") || (isWritten("false") ? false : undefined);
}
