/** What the owner of an address can do next: links to the steps of the own profile. */
import { html } from "hono/html";
import type { ReasonCode } from "../../services/model/reasons_schema.ts";
import type { Reason, ScoreRead } from "../../services/model/scores_schema.ts";
import type { Html } from "../pages/layout.ts";

/** A step, and the reasons with or without which it helps. */
interface Step {
  readonly label: string;
  readonly helps: string;
  /** The part of the own profile where it is taken. */
  readonly part: string;
  /** Whether it costs something: it is only offered if the service accepts payments. */
  readonly isPaid?: true;
  /** Whether it is only offered if the service links GitHub accounts. */
  readonly needsGitHub?: true;
  readonly isOpen: (has: (code: ReasonCode) => boolean) => boolean;
}

/** What the service offers. */
export interface Offers {
  /** Whether it accepts payments. */
  readonly canPay: boolean;
  readonly canLinkGitHub: boolean;
}

const STEPS: readonly Step[] = [
  {
    label: "Claim the profile",
    helps:
      "It can be followed and can have linked accounts. Raises confidence.",
    part: "claim-title",
    isOpen: (has) => has("NO_PROFILE"),
  },
  {
    label: "Link GitHub",
    helps: "Evidence of a person. Raises humanity and confidence.",
    part: "github-title",
    needsGitHub: true,
    isOpen: (has) => has("NO_VERIFIED_SOCIALS"),
  },
  {
    label: "Link a domain",
    helps: "Evidence of a person. Raises humanity and confidence.",
    part: "domain-title",
    isOpen: (has) => has("NO_VERIFIED_SOCIALS"),
  },
  {
    label: "See what Verified Human needs",
    helps: "A permanent number, once the evidence is there.",
    part: "human-title",
    isOpen: (has) => !has("VERIFIED_HUMAN"),
  },
  {
    label: "Buy a name",
    helps: "It is yours for good. Raises economic.",
    part: "claim-title",
    isPaid: true,
    isOpen: (has) => !has("NO_PROFILE") && !has("PAID_SLUG"),
  },
  {
    label: "Become a premium member",
    helps: "Raises economic while the profile is claimed.",
    part: "premium-title",
    isPaid: true,
    isOpen: (has) => !has("PREMIUM_MEMBER"),
  },
  {
    label: "Record a donation",
    helps: "USDC that you sent to another profile. Raises economic.",
    part: "donation-title",
    isOpen: (has) => !has("NO_PROFILE") && !has("DONOR"),
  },
];

/** Renders the steps that are open; nothing if there are none. */
export function nextSteps(
  { explanation }: ScoreRead,
  { canPay, canLinkGitHub }: Offers,
): Html | "" {
  const codes = new Set<Reason["code"]>(
    explanation.reasons.map(({ code }) => code),
  );
  const open = STEPS.filter(({ isOpen, isPaid = false, needsGitHub = false }) =>
    (canPay || !isPaid) && (canLinkGitHub || !needsGitHub) &&
    isOpen((code) => codes.has(code))
  );
  if (open.length === 0) return "";
  return html`
    <section class="stack" aria-labelledby="next">
      <h2 id="next">What you can do next</h2>
      <p>If this wallet is yours, each step shows your score before and after it.</p>
      <ul class="steps">${open.map(({ label, helps, part }) =>
        html`<li class="card"><a href="/dashboard/profile#${part}">${label}</a>
<p class="small muted">${helps}</p></li>`
      )}</ul>
    </section>
  `;
}
