/** Which status each failure is sent with. */
import { assertEquals } from "@std/assert";
import {
  ERROR_STATUSES,
  statusesOf,
  statusOf,
} from "../../../routes/http/error_statuses.ts";
import type { Failure } from "../../../services/platform/fault.ts";

const EXPECTED: Readonly<Record<number, readonly Failure["kind"][]>> = {
  400: ["badInput"],
  401: ["unauthorized", "signedOut", "signatureRefused"],
  402: ["planRequired"],
  403: ["crossSite", "networkRefused", "scopeRequired", "linkRefused"],
  404: [
    "unknownPath",
    "unknownChain",
    "unknownFile",
    "unknownKey",
    "unknownQuote",
    "unknownProfile",
    "unknownSocial",
  ],
  405: ["methodNotAllowed"],
  408: ["lateBody"],
  409: [
    "tooManyKeys",
    "tooManyFollows",
    "quoteUsed",
    "capacitySold",
    "alreadyOwned",
    "txUsed",
    "profileRequired",
    "slugTaken",
    "socialTaken",
    "socialHeld",
  ],
  412: ["preconditionFailed"],
  413: ["tooLarge"],
  416: ["rangeNotSatisfiable"],
  422: [
    "txTooOld",
    "txMissing",
    "txFailed",
    "noTransfer",
    "wrongToken",
    "wrongRecipient",
    "wrongSender",
    "recordMissing",
  ],
  429: [
    "tooManyChanges",
    "ipRateLimit",
    "rateLimited",
    "capReached",
    "quotaExceeded",
    "scoringBusy",
    "capacitySpent",
  ],
  500: ["scoringDown"],
  501: [
    "signingDisabled",
    "paymentsDisabled",
    "linkingDisabled",
  ],
  503: [
    "contended",
    "storeFull",
    "storeBusy",
    "upstreamDown",
    "upstreamLacks",
    "notReadYet",
  ],
};

Deno.test("each failure has one status, and 503 is 500 below the scoring API", () => {
  const found = Object.groupBy(
    Object.keys(ERROR_STATUSES) as Failure["kind"][],
    (kind) => statusOf({ kind } as Failure, "/api/account"),
  );
  assertEquals(found, EXPECTED as unknown as typeof found);
  for (const [status, kinds] of Object.entries(EXPECTED)) {
    for (const kind of kinds) {
      const failure = { kind } as Failure;
      assertEquals(
        statusOf(failure, "/api/v1/score"),
        status === "503" ? 500 : Number(status),
        kind,
      );
      assertEquals(statusOf(failure, "/api/v1"), Number(status), kind);
    }
  }
});

Deno.test("statusesOf() lists every status that an error code is sent with", () => {
  const sent = Object.keys(ERROR_STATUSES) as Failure["kind"][];
  for (const { code } of Object.values(ERROR_STATUSES)) {
    const statuses = sent.filter((kind) => ERROR_STATUSES[kind].code === code)
      .flatMap((kind) =>
        ["/api/v1/score", "/"].map((path) =>
          statusOf({ kind } as Failure, path)
        )
      );
    assertEquals(statusesOf(code), [...new Set(statuses)].toSorted(), code);
  }
});
