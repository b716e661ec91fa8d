/** The error that stops a request, with a typed failure. */
import { retryWords, shortened } from "./text.ts";

/** Why a request failed. `routes/http/error_statuses.ts` maps it to a status and a code. */
export type Failure =
  | {
    kind: "badInput";
    parameter?: string;
    /** The values to choose from; absent if they do not form a list. */
    accepted?: readonly string[];
    /** Invalid members of a list, and what was expected of each. */
    invalid?: readonly string[];
    reasons?: readonly string[];
  }
  | { kind: "unknownPath" }
  | { kind: "unknownChain"; chainId: number }
  | { kind: "unknownFile" }
  | { kind: "methodNotAllowed"; allowed: readonly string[] }
  | { kind: "preconditionFailed" }
  /** `bytes` is the size of the file. */
  | { kind: "rangeNotSatisfiable"; bytes: number }
  | { kind: "tooLarge"; maxBytes: number }
  | { kind: "lateBody" }
  | { kind: "unauthorized" }
  | { kind: "signedOut" }
  | { kind: "signatureRefused" }
  | { kind: "crossSite" }
  | { kind: "unknownKey" }
  | { kind: "tooManyKeys"; maxKeys: number }
  | { kind: "tooManyFollows"; most: number }
  | { kind: "tooManyChanges"; retryAfterMs: number }
  | {
    kind: "ipRateLimit";
    of: "requests" | "refusedKeys" | "renders" | "fetches";
    /** The network: an IPv4 address or an IPv6 /64. */
    network: string;
    most: number;
    perSeconds: number;
    retryAfterMs: number;
  }
  | { kind: "networkRefused"; address: string | null }
  | { kind: "scopeRequired"; scope: string; scopes: readonly string[] }
  | { kind: "signingDisabled" }
  | { kind: "planRequired"; requiredPlan: string; upgrade: string }
  | {
    kind: "rateLimited" | "capReached" | "quotaExceeded";
    /** The minute of the key, the cap of the key, or the 30 days of the wallet. */
    limitedBy: "burst" | "cap" | "period";
    retryAfterMs: number;
    needed: number;
    remaining: number;
  }
  | { kind: "paymentsDisabled" }
  | { kind: "unknownQuote" }
  | { kind: "quoteUsed" }
  | { kind: "alreadyOwned" }
  | { kind: "capacitySold" }
  | {
    kind:
      | "txUsed"
      | "txTooOld"
      | "txMissing"
      | "txFailed"
      | "noTransfer"
      | "wrongToken"
      | "wrongRecipient"
      | "wrongSender";
    txHash: string;
  }
  | { kind: "unknownProfile" }
  | { kind: "profileRequired" }
  | { kind: "slugTaken" }
  | { kind: "socialTaken" | "socialHeld" | "unknownSocial"; social: string }
  | { kind: "recordMissing"; name: string; value: string }
  | { kind: "linkRefused" }
  | { kind: "linkingDisabled" }
  | { kind: "contended"; retryAfterMs: number }
  | { kind: "storeFull"; retryAfterMs: number }
  /** The database answers too slowly, or refuses to answer now. */
  | { kind: "storeBusy"; retryAfterMs: number }
  | { kind: "scoringDown"; upstream: string; retryAfterMs: number }
  | {
    kind: "upstreamDown";
    upstream: string;
    retryAfterMs: number;
    /** The upstream works, and has asked all callers to wait. */
    isPaused?: true;
    /** Newest complete and newest settled day of what is stored, YYYY-MM-DD. */
    dataThrough?: string;
    settledThrough?: string | null;
  }
  | { kind: "upstreamLacks"; upstream: string; retryAfterMs: number }
  | {
    /** The source may be well: this service has used up the calls that it allows itself. */
    kind: "notReadYet";
    retryAfterMs: number;
    /** As of `upstreamDown`. */
    dataThrough?: string;
    settledThrough?: string | null;
  }
  | {
    /** Other reads come first; or the calls of the day are gone. */
    kind: "scoringBusy" | "capacitySpent";
    upstream: string;
    /** The wallet or network whose share is used up, or the name of its class. */
    requester: string;
    usedBy: UsedBy;
    retryAfterMs: number;
  };

/** Who used up calls that are shared: the wallet, its network, or all callers of its class together. */
export type UsedBy = "wallet" | "network" | "everyone";

/** A failure of a request. Its message is safe to show to the caller. */
export class Fault extends Error {
  /** The reason. */
  readonly failure: Failure;

  /** True if the client asked for the error: a test address returns it. */
  readonly isSimulated: boolean;

  /** Creates a fault from a message, its failure and an optional cause. */
  constructor(
    message: string,
    failure: Failure,
    options: ErrorOptions & { isSimulated?: boolean } = {},
  ) {
    super(message, options);
    this.name = "Fault";
    this.failure = failure;
    this.isSimulated = options.isSimulated ?? false;
  }
}

/** Returns the fault of a parameter whose value breaks a rule that no schema checks. */
export function invalidParameter(
  parameter: string,
  given: string,
  expected: string,
): Fault {
  const quoted = `"${shortened(given)}"`;
  return new Fault(`Invalid ${parameter} ${quoted}: expected ${expected}`, {
    kind: "badInput",
    parameter,
  });
}

/**
 * Returns the fault of a request whose header shows that another site may have sent it.
 */
export function crossSite(
  header: string,
  given: string | undefined,
  expected: string,
): Fault {
  const shown = given ? `${header} "${shortened(given, 100)}"` : `no ${header}`;
  const message = `Cross-site request refused: ${shown}, expected ${expected}`;
  return new Fault(message, { kind: "crossSite" });
}

/** Default Retry-After of an upstream failure. */
const RETRY_AFTER_MS = 30_000;

/** Returns the fault of an upstream without a usable response. */
export function upstreamDown(
  upstream: string,
  reason: string,
  { retryAfterMs = RETRY_AFTER_MS, cause }: {
    retryAfterMs?: number;
    cause?: unknown;
  } = {},
): Fault {
  return new Fault(
    `Cannot read ${upstream}: ${reason}`,
    { kind: "upstreamDown", upstream, retryAfterMs },
    { cause },
  );
}

/** Returns the fault of a read for which this service has used up the calls that it allows itself. */
export function notReadYet(retryAfterMs: number = RETRY_AFTER_MS): Fault {
  return new Fault(
    `Cannot read this yet: this service's own budget of calls is used up; ${
      retryWords(retryAfterMs)
    }`,
    { kind: "notReadYet", retryAfterMs },
  );
}

/** Returns whether this service's own limit of calls for chain data is why it was not read: that of all readers, or of one network. */
export function isOwnLimit({ failure }: Fault): boolean {
  return failure.kind === "notReadYet" ||
    failure.kind === "ipRateLimit" && failure.of === "fetches";
}

/** Returns whether new figures can't be read now, so that stored ones may stand in. */
export function isOutage(
  failure: Failure,
): failure is Extract<Failure, { kind: "notReadYet" | "upstreamDown" }> {
  return failure.kind === "upstreamDown" || failure.kind === "notReadYet";
}

/** Returns the fault of an upstream that has asked all callers to wait. */
export function upstreamPaused(
  upstream: string,
  { retryAfterMs, cause }: { retryAfterMs: number; cause: unknown },
): Fault {
  return new Fault(
    `Cannot read ${upstream} now: it asks all callers for a pause; ${
      retryWords(retryAfterMs)
    }`,
    { kind: "upstreamDown", upstream, retryAfterMs, isPaused: true },
    { cause },
  );
}

/** Returns whether an upstream's pause caused an error. */
export function isPause(
  error: unknown,
): error is Fault & { readonly failure: { readonly retryAfterMs: number } } {
  if (!(error instanceof Fault)) return false;
  const { failure } = error;
  return failure.kind === "scoringDown"
    ? isPause(error.cause)
    : failure.kind === "upstreamDown" && failure.isPaused === true;
}

/** Retry-After of a write that gave up: conflicts end within moments. */
const CONTENDED_MS = 1_000;

/** Returns the fault of a write that too many concurrent writes prevent. */
export function contended(message: string, options?: ErrorOptions): Fault {
  const failure = { kind: "contended", retryAfterMs: CONTENDED_MS } as const;
  return new Fault(message, failure, options);
}

/** Returns the fault of a score that may not call an upstream now. */
export function callsUsedUp(
  kind: CallsUsedUp["kind"],
  facts: Omit<CallsUsedUp, "kind">,
): Fault {
  const { upstream, usedBy, retryAfterMs } = facts;
  const whose = usedBy === "everyone"
    ? `the calls to ${upstream} that all callers share are`
    : `the share of this ${usedBy} of the calls to ${upstream} is`;
  const reason = kind === "scoringBusy"
    ? `${whose} taken by reads that came first`
    : `${whose} used up for now`;
  return new Fault(
    `Cannot score the address now: ${reason}; ${retryWords(retryAfterMs)}`,
    { kind, ...facts },
  );
}

/** A limit of calls as the reason why a score was not read. */
export type CallsUsedUp = Extract<
  Failure,
  { kind: "scoringBusy" | "capacitySpent" }
>;

/** Returns the client that a fault refuses, by its network or wallet; undefined if it refuses everybody. */
export function refusedClient(error: unknown): string | undefined {
  if (!(error instanceof Fault)) return undefined;
  const { failure } = error;
  if (failure.kind === "ipRateLimit") return failure.network;
  return isUsedUp(failure) ? failure.requester : undefined;
}

/** Returns whether a limit of calls, and no error, is why a score was not read. */
export function isUsedUp(failure: Failure): failure is CallsUsedUp {
  return failure.kind === "scoringBusy" || failure.kind === "capacitySpent";
}

/** Returns whether the database is too slow to answer. */
export function isStoreBusy(error: unknown): boolean {
  return error instanceof Fault && error.failure.kind === "storeBusy";
}
