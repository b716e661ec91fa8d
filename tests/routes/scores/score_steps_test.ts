/** What the owner of an address is offered to do next. */
import { assertEquals } from "@std/assert";
import { nextSteps } from "../../../routes/scores/score_page_view.ts";
import type { ScoreRead } from "../../../services/model/scores_schema.ts";
import { outlineOf } from "../../support/outline.ts";

const GAINS = {
  github: { least: 0.3, most: 6.04 },
  domain: { least: 1, most: 3.1 },
};

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
    return outlineOf(String(nextSteps({ read, gains: GAINS }, offers)))
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

Deno.test("each step says how many points it gives, and none is sold", () => {
  const reasons = ["NO_PROFILE", "NO_VERIFIED_SOCIALS"]
    .map((code) => ({ code }));
  const read = { explanation: { reasons } } as unknown as ScoreRead;
  const text = String(
    nextSteps({ read, gains: GAINS }, { canLinkGitHub: true }),
  );
  const helps = outlineOf(text).filter((line) => line.includes("points"));
  assertEquals(helps, [
    "p It can be followed and can have linked accounts. Raises confidence and adds no points.",
    "p Adds 0.3 points at once with a new account, and up to 6 with an old one that stays linked.",
    "p Adds 1 points at once, and up to 3.1 while it stays linked.",
    "p A permanent number, once the evidence is there. The number adds no points.",
  ]);
  assertEquals(/buy|bought|premium|plan|price|USDC/i.test(text), false);
});
