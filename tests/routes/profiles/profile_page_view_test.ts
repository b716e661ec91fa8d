/** The public page of a profile: what it shows of whom, and to whom. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { profilePage } from "../../../routes/profiles/profile_page.ts";
import { SERVICE } from "../../../services/platform/rate_limit/call_budget.ts";
import { readScore } from "../../../services/scores/scores.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { testDeps } from "../../support/deps.ts";
import type { ProfilePage } from "../../../services/scores/profile_page.ts";
import { hrefsOf, wordsOf } from "../../support/charts/explorer.ts";

const ADDRESS = "0x1234567890abcdef1234567890abcdef12345678";
const OTHER = "0xabcdef7890abcdef1234567890abcdef1234abcd";

const PROFILE = {
  address: ADDRESS,
  displayName: "Ada",
  slug: "ada",
  paidSlug: false,
  resembles: null,
  hidden: false,
  claimedAt: "2026-11-20T08:00:00.000Z",
  verifiedHuman: null,
  donatedUsdc: "0",
  socials: [],
};

function shown(
  { profile = {}, page = {}, wallet = null, securityContact = null }: {
    profile?: Record<string, unknown> | null;
    page?: Partial<ProfilePage>;
    wallet?: string | null;
    securityContact?: string | null;
  } = {},
) {
  const { body, ...head } = profilePage({
    address: ADDRESS,
    counts: { followers: 7, following: 8 },
    isFollowed: false,
    profile: profile && { ...PROFILE, ...profile },
    read: null,
    list: "followers",
    listed: [],
    next: null,
    ...page,
  } as unknown as ProfilePage, {
    settings: { wallet, chainId: 43114, chainName: "C-Chain" },
    publicUrl: "https://firn.example",
    securityContact,
  });
  const text = String(body);
  return { head, text, words: wordsOf(text), links: hrefsOf(text) };
}

Deno.test("visitors can donate to a profile; its owner cannot, and nobody can where there is none", () => {
  const rows: [
    given: Parameters<typeof shown>[0],
    donate: string | null,
  ][] = [
    [{}, "ada"],
    [{ wallet: OTHER }, "ada"],
    [{ profile: { slug: null } }, ADDRESS],
    [{ wallet: ADDRESS }, null],
    [{ profile: null }, null],
    [{ profile: null, wallet: ADDRESS }, null],
  ];
  for (const [given, donate] of rows) {
    assertEquals(
      shown(given).links.filter((href) => href.includes("donate")),
      donate === null ? [] : [`/dashboard/profile?donate=${donate}#donations`],
    );
  }
});

Deno.test("a claimed profile links the operator's contact to visitors, if there is one", () => {
  const securityContact = "mailto:security@firn.example";
  const isLinked = (given: Parameters<typeof shown>[0]) =>
    shown(given).links.includes(securityContact);
  assertEquals(isLinked({ securityContact }), true);
  assertEquals(isLinked({ profile: null, securityContact }), false);
  assertEquals(isLinked({ wallet: ADDRESS, securityContact }), false);
  assertEquals(shown().text.includes("Write to the operator"), false);
});

Deno.test("a scored profile names the evidence for and against it, and its confidence", async () => {
  using deps = await testDeps();
  const read = await readScore(deps, exampleOf("ordinary"), {
    requester: SERVICE,
  });
  const evidenceOf = (reasons: typeof read.explanation.reasons) => {
    const explanation = { ...read.explanation, reasons };
    const { text } = shown({ page: { read: { ...read, explanation } } });
    const [, part] = text.match(/id="evidence">([\s\S]*?)<\/section>/)!;
    return wordsOf(part!);
  };
  const { reasons, confidence } = read.explanation;
  const whole = evidenceOf(reasons);
  for (const { kind, title } of reasons) {
    assertEquals(whole.includes(title), kind !== "coverage", title);
  }
  assertStringIncludes(whole, confidence.label);
  const bad = evidenceOf(
    reasons.slice(0, 1).map((reason) => ({ ...reason, kind: "risk" as const })),
  );
  assertStringIncludes(bad, "No evidence in its favour yet.");
  assertStringIncludes(bad, reasons[0]!.title);
});

Deno.test("a profile shows its number, its accounts and a warning about its name, and a hidden one no accounts", () => {
  const socials = [
    { kind: "github", handle: "ada" },
    { kind: "domain", handle: "ada.example" },
    { kind: "email", handle: null },
  ];
  const full = shown({
    profile: {
      paidSlug: true,
      verifiedHuman: 7,
      verifiedHumanEvidence: { rule: "accounts", kinds: ["x"], since: null },
      donatedUsdc: "2.5",
      socials,
      resembles: "Avalanche",
    },
  });
  for (
    const words of [
      "Name ada (bought)",
      "#7. It rests on linked accounts",
      "Donated 2.50 USDC",
      "It looks like “Avalanche”.",
    ]
  ) assertStringIncludes(full.words, words);
  assertStringIncludes(
    full.text,
    'href="https://ada.example" rel="nofollow ugc"',
  );
  assertEquals(full.links.filter((href) => href.startsWith("https:")), [
    "https://github.com/ada",
    "https://ada.example",
  ]);
  const hidden = shown({ profile: { hidden: true } }).words;
  assertStringIncludes(hidden, "The operator hid the names and links");
  assertEquals(hidden.includes("Linked accounts"), false);
  for (const words of ["It looks like", "The operator hid"]) {
    assertEquals(shown().words.includes(words), false, words);
  }
});
