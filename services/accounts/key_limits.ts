/** The limits of a key: their stored form, and their words in a signed message. */
import type { KeyKind } from "./account_schema.ts";
import { Fault } from "../platform/fault.ts";
import { instant } from "../platform/clock.ts";
import {
  type KeyLimitsAnswer,
  type KeyLimitsBody,
  type Scope,
  SCOPES,
} from "./key_limits_schema.ts";

/** The limits of a key; null does not limit. */
export interface KeyLimits {
  readonly scopes: readonly Scope[] | null;
  /** IPv4 and IPv6 networks or addresses, lower-case. */
  readonly networks: readonly string[] | null;
  /** Epoch ms. */
  readonly expiresAt: number | null;
  /** Maximum number of units in any 30 days. */
  readonly maxUnits: number | null;
  readonly note: string | null;
}

/** Returns the stored form of requested limits: sorted, without duplicates. */
export function limitsOf(body: KeyLimitsBody): KeyLimits {
  const { scopes, networks, expiresAt } = body;
  return {
    ...body,
    scopes: scopes && SCOPES.filter((scope) => scopes.includes(scope)),
    networks: networks &&
      [...new Set(networks.map((network) => network.toLowerCase()))],
    expiresAt: expiresAt === null ? null : Date.parse(expiresAt),
  };
}

/** Returns the limits as an answer shows them. */
export function showLimits(limits: KeyLimits): KeyLimitsAnswer {
  const { scopes, networks, expiresAt } = limits;
  return {
    ...limits,
    scopes: scopes && [...scopes],
    networks: networks && [...networks],
    expiresAt: instant(expiresAt),
  };
}

/**
 * Throws a fault for an expiry in the past, and for a cap of a test key, whose
 * calls cost nothing. The kind of an unknown key is undefined.
 */
export function checkLimits(
  { expiresAt, maxUnits }: KeyLimits,
  kind: KeyKind | undefined,
  now: number,
): void {
  if (expiresAt !== null && expiresAt <= now) {
    const given = instant(expiresAt);
    throw brokenLimit("expiresAt", given, "an instant in the future");
  }
  if (kind === "test" && maxUnits !== null) {
    const rule = "null for a test key, which costs no units";
    throw brokenLimit("maxUnits", String(maxUnits), rule);
  }
}

/** Returns the fault of a limit, named as the schema's errors name it. */
function brokenLimit(name: keyof KeyLimits, given: string, rule: string) {
  return new Fault(`Invalid limits.${name} "${given}": expected ${rule}`, {
    kind: "badInput",
    parameter: "limits",
  });
}

/** Returns the limits that apply as the parameters of a signed message. */
export function limitParams(body: KeyLimitsBody): [string, string][] {
  return Object.entries(showLimits(limitsOf(body)))
    .flatMap(([name, value]) =>
      value === null ? [] : [[name, String(value)] as [string, string]]
    );
}

/**
 * Maximum number of networks in the statement of a signed message. Its
 * parameters list all of them.
 */
const MAX_NAMED = 3;

/** Returns a sentence on the limits in printable ASCII; "" if none applies. */
export function describeLimits(body: KeyLimitsBody): string {
  const { scopes, networks, expiresAt, maxUnits } = showLimits(limitsOf(body));
  const limits = [
    scopes && `for ${scopes.join(", ")}`,
    networks && `from ${nameNetworks(networks)}`,
    expiresAt && `until ${expiresAt}`,
    maxUnits && `at most ${maxUnits} units in 30 days`,
  ].filter((limit) => limit !== null);
  return limits.length === 0 ? "" : `Limits: ${limits.join("; ")}.`;
}

function nameNetworks(networks: readonly string[]): string {
  const named = networks.slice(0, MAX_NAMED).join(", ");
  const others = networks.length - MAX_NAMED;
  return others > 0 ? `${named} and ${others} more` : named;
}
