/** The search page of scores. */
import { assertEquals } from "@std/assert";
import { searchPage } from "../../../routes/scores/score_search.ts";
import { outlineOf } from "../../support/outline.ts";

Deno.test("the search page has the box, what a score is for and what a score is made of; after a mistake it keeps the input", () => {
  const url = "https://firn.example/tools/score";
  const { body, ...head } = searchPage({ url, names: false });
  assertEquals(head, {
    title: "Score a wallet",
    description:
      "The reputation of any Avalanche C-Chain address: a score with its reasons, its confidence and its history.",
    nav: "score",
    styles: ["score.css"],
    url,
  });
  assertEquals(outlineOf(String(body)), [
    "h1 Score any C-Chain address",
    "p Get a score from 0 to 100 with the reasons for and against it, and how much evidence it rests on. No account needed.",
    "label Address",
    "input[name=address value]",
    "button Score",
    "p For example [href=/tools/score/0x9f8c163cba728e99993abe7495f06c0a3c8ac8b9]0x9f8c…c8b9, a wallet of an exchange.",
    "h2 What a score is for",
    "p Good for ranking addresses, and asking for more proof below a tier, where a gift or a vote is worth less than a copy costs.",
    "p Not for counting people, credit, or deciding alone who gets something that they need: one person may own many addresses, and a patient program scores like a person.",
    "p Each score says how it stands among real wallets, and what a copy of its evidence would cost. [href=/docs/model-card]How well it works",
    "h2 What a score is made of",
    "dt Humanity",
    "dd Evidence of a real person: months of use, wallet age, verified socials and proofs of a unique human",
    "dt Activity",
    "dd Use of the chain; recent activity counts more",
    "dt Social",
    "dd Quality of followers, reduced by anomaly flags",
    "dt Economic",
    "dd Gas of its own transactions; a little for membership, a paid name and donations",
    "p Missing data lowers the confidence in a score, never the score itself. Anomaly flags are listed and lower the dimension they concern. [href=/docs/scoring-method]How a score is made",
  ]);
  const mistake = { given: "0x12", problem: "Too short" };
  const wrong = searchPage({ url, names: false, mistake });
  assertEquals(
    [wrong.title, wrong.isIndexed, "url" in wrong],
    ["Invalid address", false, false],
  );
  assertEquals(outlineOf(String(wrong.body)).slice(2, 6), [
    "label Address",
    "input[name=address value=0x12 aria-invalid=true]",
    "button Score",
    "p Too short",
  ]);
});
