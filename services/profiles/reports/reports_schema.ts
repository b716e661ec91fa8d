/** Reports of profiles by visitors. */
import { z } from "@hono/zod-openapi";
import { LowerCaseAddress } from "../../platform/address_schema.ts";
import { jsonObject } from "../../platform/wire_schema.ts";

/** The reasons of a report, each with its label. */
export const REPORT_REASONS = {
  impersonation: "It pretends to be somebody else",
  name: "The name is offensive or misleading",
  links: "The linked accounts are used for fraud",
  other: "Something else",
} as const satisfies Record<string, string>;

/** A reason of a report. */
export type ReportReason = keyof typeof REPORT_REASONS;

const REPORT_REASON_NAMES = Object.keys(
  REPORT_REASONS,
) as ReportReason[];

const REASON = `one of ${REPORT_REASON_NAMES.join(", ")}`;

const Reason = z.enum(REPORT_REASON_NAMES, REASON).meta({
  description: "What is wrong with the profile",
  example: "impersonation",
});

/** The body of a report. */
export const ReportBody = jsonObject({ reason: Reason }).meta({
  id: "ReportBody",
});

/** The answer to a report. */
export const ReportAnswer = z.object({
  address: LowerCaseAddress,
  reason: Reason,
}).meta({ id: "Report" });

/** The reports of a profile. Nothing is kept about who reported it. */
export interface ProfileReports {
  /** How often each reason was given. */
  readonly counts: Readonly<Partial<Record<ReportReason, number>>>;
  /** Epoch ms. */
  readonly firstAt: number;
  /** Epoch ms. */
  readonly lastAt: number;
}
