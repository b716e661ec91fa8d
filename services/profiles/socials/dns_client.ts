/** What the zones of domains say (RFC 1035). */
import { upstreamDown } from "../../platform/fault.ts";
import {
  type InstrumentCall,
  uninstrumented,
} from "../../platform/observability/upstream_call.ts";

/** Asks the machine's resolver; names end with a dot. Throws `Deno.errors.NotFound` where there is no such record. */
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

/** Resolves names by the machine's own name server where no other is told. */
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

/** The texts of a name; `alias` where its zone passes the question on to another. */
export type TxtAnswer =
  | { readonly kind: "texts"; readonly texts: readonly string[] }
  | { readonly kind: "alias" };

/** The names of the Internet. */
export function domainNames(
  { resolveTxt, resolveCname }: Resolver,
  { timeoutMs, watch = uninstrumented }: {
    readonly timeoutMs: number;
    readonly watch?: InstrumentCall;
  },
) {
  /** Asks; null where there is no such record. A resolver out of reach is a fault. */
  async function ask<T>(
    type: "CNAME" | "TXT",
    question: (signal: AbortSignal) => Promise<T>,
  ): Promise<T | null> {
    const call = { host: "dns", operation: () => type };
    try {
      return await watch(
        call,
        () => question(AbortSignal.timeout(timeoutMs)).catch(nullIfNotFound),
      );
    } catch (cause) {
      throw upstreamDown("the domain name system", "no answer", { cause });
    }
  }

  return {
    /** Reads the texts of a name from its own zone. */
    async readTexts(name: string): Promise<TxtAnswer> {
      // With the dot at its end no search list of this machine is tried. Where
      // texts are asked for, an alias is followed without a word of it.
      const whole = `${name}.`;
      const [aliases, texts] = await Promise.all([
        ask("CNAME", (signal) => resolveCname(whole, signal)),
        ask("TXT", (signal) => resolveTxt(whole, signal)),
      ]);
      if (aliases !== null && aliases.length > 0) return { kind: "alias" };
      // RFC 7208, 3.3: the strings of a record belong together.
      return {
        kind: "texts",
        texts: (texts ?? []).map((parts) => parts.join("")),
      };
    },
  };
}

/** Returns null where there is no such record; throws every other error. */
function nullIfNotFound(error: unknown): null {
  if (error instanceof Deno.errors.NotFound) return null;
  throw error;
}

/** The names of the Internet. */
export type DomainNames = ReturnType<typeof domainNames>;
