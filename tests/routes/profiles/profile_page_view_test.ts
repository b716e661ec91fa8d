/** The public page of a profile: what it shows of whom, and to whom. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { profilePage } from "../../../routes/profiles/profile_page_view.ts";
import { SERVICE } from "../../../services/platform/rate_limit/requesters.ts";
import { readScore } from "../../../services/scores/scores.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { testDeps } from "../../support/deps.ts";
import type { ProfilePage } from "../../../services/scores/profile_page.ts";
import { hrefsOf, wordsOf } from "../../support/charts/explorer.ts";

const ADDRESS = "0x1234567890abcdef1234567890abcdef12345678";
const SHORT = "0x1234…5678";
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

Deno.test("a profile is at its slug and under its name, and an address without them under itself", () => {
  const rows: [
    given: Parameters<typeof shown>[0],
    title: string,
    path: string,
    isIndexed: boolean,
    heading: string,
  ][] = [
    [{}, "Ada: profile", "ada", true, "Ada"],
    [
      { profile: { slug: null } },
      "Ada: profile",
      ADDRESS,
      true,
      "Ada",
    ],
    [
      { profile: { displayName: null, hidden: true } },
      `${SHORT}: profile`,
      "ada",
      false,
      ADDRESS,
    ],
    [{ profile: null }, `${SHORT}: profile`, ADDRESS, false, ADDRESS],
  ];
  for (const [given, title, path, isIndexed, heading] of rows) {
    const { head, text } = shown(given);
    assertEquals(
      [head.title, head.url, head.picture, head.isIndexed],
      [
        title,
        `https://firn.example/profiles/${path}`,
        `https://firn.example/card/profile/${path}.png`,
        isIndexed,
      ],
    );
    const [, look, name] = text.match(/<h1 class="([^"]*)">([^<]*)/)!;
    assertEquals([look, name], [
      heading === ADDRESS ? "address mono" : "",
      heading,
    ]);
    assertEquals(
      text.includes(`<p class="mono break-anywhere">${ADDRESS}</p>`),
      heading !== ADDRESS,
    );
  }
});

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

Deno.test("an address that nobody claimed is offered to its owner", () => {
  const mark = "You are signed in with another wallet.";
  const claim = `Nobody has claimed <span class="nowrap">${SHORT}</span>.`;
  for (const [wallet, isOther] of [[null, false], [OTHER, true]] as const) {
    const { text, words } = shown({ profile: null, wallet });
    assertStringIncludes(text, claim);
    assertEquals(words.includes(mark), isOther);
    assertStringIncludes(words, "No score yet.");
  }
  assertEquals(shown().words.includes("Nobody has claimed"), false);
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

Deno.test("the facts of a profile are its name, number, donations, day and linked accounts", () => {
  const factsOf = (profile: Record<string, unknown>) => {
    const { text } = shown({ profile });
    const [, list] = text.match(/<dl class="facts">([\s\S]*?)<\/dl>/)!;
    return wordsOf(list!).trim();
  };
  assertEquals(
    factsOf({}),
    "Name ada Verified Human no Donated 0.00 USDC Claimed 20 Nov 2026 Linked accounts none",
  );
  assertEquals(
    factsOf({
      slug: "ada",
      paidSlug: true,
      verifiedHuman: 7,
      verifiedHumanEvidence: {
        rule: "accounts",
        kinds: ["x", "domain", "farcaster"],
        since: null,
      },
      donatedUsdc: "2.5",
      socials: [
        { kind: "github", handle: "ada" },
        { kind: "domain", handle: "ada.example" },
        { kind: "email", handle: null },
        { kind: "x", handle: "ada_x" },
      ],
    }).replaceAll(" ,", ","),
    "Name ada (bought) Verified Human #7. It rests on linked accounts, each old " +
      "and used: X, a domain, Farcaster. Donated 2.50 USDC Claimed 20 Nov 2026 " +
      "Linked accounts GitHub: ada, domain: ada.example, e-mail address, X: ada_x",
  );
  assertEquals(factsOf({ slug: null }).startsWith("Verified Human"), true);
  const { links } = shown({
    profile: {
      socials: [
        { kind: "github", handle: "ada" },
        { kind: "domain", handle: "ada.example" },
        { kind: "x", handle: "ada_x" },
      ],
    },
  });
  assertEquals(links.filter((href) => href.startsWith("https:")), [
    "https://github.com/ada",
    "https://ada.example",
  ]);
  const hidden = "The operator hid the names and links";
  const linked = "Linked accounts";
  assertEquals(shown().words.includes(linked), true);
  assertEquals(
    shown({ profile: { hidden: true } }).words.includes(linked),
    false,
    "hidden links are not none",
  );
  assertEquals(shown().words.includes(hidden), false);
  assertEquals(
    shown({ profile: { hidden: true } }).words.includes(hidden),
    true,
  );
  const alike = shown({ profile: { resembles: "Avalanche" } });
  assertStringIncludes(alike.words, "It looks like “Avalanche”.");
  assertEquals(shown().words.includes("It looks like"), false);
});

Deno.test("both lists of follows are linked, the shown one is marked, and says when it is empty or goes on", () => {
  const tabsOf = (text: string) =>
    [...text.match(/<nav class="segments"[\s\S]*?<\/nav>/)![0]
      .matchAll(/<a href="([^"]*)"([^>]*)>([^<]*)/g)]
      .map(([, href, mark, label]) => [href, mark!.trim(), label]);
  const first = shown();
  assertEquals(tabsOf(first.text), [
    [
      "/profiles/ada?list=followers#follows",
      'aria-current="page"',
      "Followers (7)",
    ],
    ["/profiles/ada?list=following#follows", "", "Following (8)"],
  ]);
  assertStringIncludes(first.words, "Nobody follows this address yet.");
  const second = shown({ page: { list: "following" } });
  assertEquals(tabsOf(second.text).map(([, mark]) => mark !== ""), [
    false,
    true,
  ]);
  assertStringIncludes(second.words, "This address follows nobody yet.");
  const listed = [
    { address: OTHER, displayName: "Bo", slug: "bo" },
    { address: OTHER, displayName: null, slug: null },
  ];
  const full = shown({ page: { listed, next: OTHER } });
  assertEquals(
    full.links.slice(-3),
    [
      "/profiles/bo",
      `/profiles/${OTHER}`,
      `/profiles/ada?list=followers&after=${OTHER}#follows`,
    ],
  );
  assertStringIncludes(full.words, "Bo 0xabcd…abcd 0xabcd…abcd Next page");
  assertEquals(first.words.includes("Next page"), false);
});
