/** What the owner of an address is offered to do next. */
import { assertEquals } from "@std/assert";
import { nextSteps } from "../../../routes/scores/score_page_view.ts";
import type { ScoreRead } from "../../../services/model/scores_schema.ts";
import { outlineOf } from "../../support/outline.ts";

Deno.test("the steps that are offered depend on what the wallet has and what the service offers", () => {
  const STEPS = {
    claim: "Claim the profile",
    github: "Link GitHub",
    domain: "Link a domain",
    human: "See what Verified Human needs",
    name: "Buy a name",
    premium: "Become a premium member",
    donation: "Record a donation",
  };
  type Step = keyof typeof STEPS;
  const none = ["VERIFIED_HUMAN", "PREMIUM_MEMBER", "PAID_SLUG", "DONOR"];
  const rows: [has: string[], open: Step[]][] = [
    [[], ["human", "name", "premium", "donation"]],
    [["NO_PROFILE"], ["claim", "human", "premium"]],
    [none, []],
    [[...none, "NO_VERIFIED_SOCIALS"], ["github", "domain"]],
    [none.slice(1), ["human"]],
    [["VERIFIED_HUMAN", "PAID_SLUG", "DONOR"], ["premium"]],
    [["VERIFIED_HUMAN", "PREMIUM_MEMBER", "DONOR"], ["name"]],
    [none.slice(0, 3), ["donation"]],
  ];
  const stepsOf = (has: string[], offers: Parameters<typeof nextSteps>[1]) => {
    const reasons = has.map((code) => ({ code }));
    const read = { explanation: { reasons } } as unknown as ScoreRead;
    return outlineOf(String(nextSteps(read, offers)))
      .flatMap((line) => line.match(/^li \[[^\]]*\](.*)/)?.[1] ?? []);
  };
  for (const [has, open] of rows) {
    const openWith = (canPay: boolean, canLinkGitHub: boolean) =>
      stepsOf(has, { canPay, canLinkGitHub });
    const without = (...steps: Step[]) =>
      open.filter((step) => !steps.includes(step)).map((step) => STEPS[step]);
    assertEquals(openWith(true, true), without());
    assertEquals(openWith(false, true), without("name", "premium"));
    assertEquals(openWith(true, false), without("github"));
  }
});
