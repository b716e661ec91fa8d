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
  };
  type Step = keyof typeof STEPS;
  const none = ["VERIFIED_HUMAN"];
  const rows: [has: string[], open: Step[]][] = [
    [[], ["human"]],
    [["NO_PROFILE"], ["claim", "human"]],
    [none, []],
    [[...none, "NO_VERIFIED_SOCIALS"], ["github", "domain"]],
  ];
  const stepsOf = (has: string[], offers: Parameters<typeof nextSteps>[1]) => {
    const reasons = has.map((code) => ({ code }));
    const read = { explanation: { reasons } } as unknown as ScoreRead;
    return outlineOf(String(nextSteps(read, offers)))
      .flatMap((line) => line.match(/^li \[[^\]]*\](.*)/)?.[1] ?? []);
  };
  for (const [has, open] of rows) {
    const openWith = (canLinkGitHub: boolean) =>
      stepsOf(has, { canLinkGitHub });
    const steps = open.map((step) => STEPS[step]);
    assertEquals(openWith(true), steps);
    assertEquals(
      openWith(false),
      steps.filter((step) => step !== STEPS.github),
    );
  }
});
