/** Client of the domain name system (RFC 1035). */
import { upstreamDown } from "../platform/fault.ts";
import type {
  CallOptions,
  UpstreamRateLimiter,
} from "../platform/rate_limit/call_budget.ts";
import {
  type InstrumentCall,
  uninstrumented,
} from "../platform/observability/process_metrics.ts";

/** Resolves fully qualified names, which end with a dot. Throws `Deno.errors.NotFound` if there is no such record. */
export interface Resolver {
  readonly resolveTxt: (
    name: string,
    signal: AbortSignal,
  ) => Promise<string[][]>;
  readonly resolveCname: (
    name: string,
    signal: AbortSignal,
  ) => Promise<string[]>;
}

/** Resolver of the machine, or of another name server. */
export function nativeResolver(
  options: Pick<Deno.ResolveDnsOptions, "nameServer"> = {},
): Resolver {
  return {
    resolveTxt: (name, signal) =>
      Deno.resolveDns(name, "TXT", { ...options, signal }),
    resolveCname: (name, signal) =>
      Deno.resolveDns(name, "CNAME", { ...options, signal }),
  };
}

/** TXT records of a name. `alias`: the name is a CNAME. */
export type TxtAnswer =
  | { readonly kind: "texts"; readonly texts: readonly string[] }
  | { readonly kind: "alias" };

/** Client of the domain name system. */
export function domainNames(
  { resolveTxt, resolveCname }: Resolver,
  { timeoutMs, rateLimiter, watch = uninstrumented }: {
    readonly timeoutMs: number;
    readonly rateLimiter: Pick<UpstreamRateLimiter, "acquire">;
    readonly watch?: InstrumentCall;
  },
) {
  /** Queries a record; null if there is none. Throws a fault if the resolver is unreachable. */
  async function query<T>(
    type: "CNAME" | "TXT",
    lookup: (signal: AbortSignal) => Promise<T>,
  ): Promise<T | null> {
    const call = { host: "dns", operation: () => type };
    try {
      return await watch(
        call,
        () => lookup(AbortSignal.timeout(timeoutMs)).catch(nullIfNotFound),
      );
    } catch (cause) {
      throw upstreamDown("the domain name system", "no answer", { cause });
    }
  }

  return {
    /** Reads the TXT records of a name. Aliases are not followed. */
    async readTexts(name: string, options: CallOptions): Promise<TxtAnswer> {
      await rateLimiter.acquire(options);
      // The final dot keeps the resolver from trying local search domains. A TXT
      // query follows aliases silently, so the alias is queried as well.
      const whole = `${name}.`;
      const [aliases, texts] = await Promise.all([
        query("CNAME", (signal) => resolveCname(whole, signal)),
        query("TXT", (signal) => resolveTxt(whole, signal)),
      ]);
      if (aliases !== null && aliases.length > 0) return { kind: "alias" };
      // RFC 7208, 3.3: the strings of one record are concatenated.
      return {
        kind: "texts",
        texts: (texts ?? []).map((parts) => parts.join("")),
      };
    },
  };
}

/** Returns null if there is no such record; rethrows other errors. */
function nullIfNotFound(error: unknown): null {
  if (error instanceof Deno.errors.NotFound) return null;
  throw error;
}

/** Client of the domain name system. */
export type DomainNames = ReturnType<typeof domainNames>;
