/** The page of an address over HTTP: what stands on it, and what is refused. */
import { SERVICE } from "../../../services/platform/rate_limit/call_budget.ts";
import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { newProfile } from "../../../services/profiles/profile.ts";
import { S4_2026_3 } from "../../../services/model/s4_2026_3.ts";
import { copyWords } from "../../../routes/scores/score_words.ts";
import { readScore } from "../../../services/scores/scores.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { assertReadable } from "../../support/readable.ts";

const ADDRESS = exampleOf("ordinary");
const PATH = `/tools/score/${ADDRESS}`;

async function ask(deps: TestDeps, path: string, accept = "text/html") {
  const headers = { Accept: accept };
  const response = await createApp(deps).request(path, { headers });
  const page = await response.text();
  assertReadable(page);
  // Names and dates that stay on one line read like any other text.
  const text = page.replace(/<span class="nowrap">([^<]*)<\/span>/g, "$1");
  return { response, text };
}

/** What a reader of the page sees, in order. */
const wordsOf = (page: string) =>
  page.replace(/<[^>]*>/g, " ").replaceAll("&#39;", "'")
    .replace(/\s+/g, " ");

/** Asserts that texts stand on a page, each behind the one before. */
function assertInOrder(page: string, texts: readonly string[]): void {
  let from = 0;
  for (const text of texts) {
    const at = page.indexOf(text, from);
    assert(at !== -1, `${text} is not behind what stands before it`);
    from = at + text.length;
  }
}

Deno.test("GET /tools/score/:address shows the score read, and its reasons verbatim in three groups", async (t) => {
  using deps = await testDeps();
  for (const persona of ["ordinary", "heavy", "unused", "contract"] as const) {
    await t.step(persona, async () => {
      const address = exampleOf(persona);
      const { response, text } = await ask(deps, `/tools/score/${address}`);
      assertEquals(response.status, 200);
      const { headline, s4, explanation } = await readScore(deps, address, {
        requester: SERVICE,
      });
      const words = wordsOf(text);
      assertInOrder(words, [
        address,
        `${headline.score} of 100`,
        headline.tierLabel,
        "wallets with ten or more transactions",
        explanation.confidence.label,
        explanation.confidence.detail,
        ...(["positive", "coverage", "risk"] as const).flatMap((group) => [
          { positive: "Strengths", coverage: "Gaps", risk: "Risks" }[group],
          ...explanation.reasons.filter(({ kind }) => kind === group)
            .flatMap(({ title, detail }) => [title, detail]),
        ]),
      ]);
      const { humanity, activity, social, economic } = s4;
      assertStringIncludes(
        words,
        `Humanity ${humanity} Activity ${activity} Social ${social} Economic ${economic} `,
      );
      const [, verdict] = words.match(/ of 100 (.*) Strengths /)!;
      assertEquals(
        verdict!.split(headline.tierLabel).length - 1,
        2,
        "the tier is named once, and once on the scale",
      );
      assert(
        !verdict!.includes(explanation.summary),
        "the verdict is said once",
      );
    });
  }
});

Deno.test("reasons show the figures of the address and where the score stands, and no threshold of the model", async () => {
  using deps = await testDeps();
  const address = exampleOf("heavy");
  const { text } = await ask(deps, `/tools/score/${address}`);
  const [stored] = await deps.store.signals.findAll([address]);
  const { signals: { nonce, use, gasAvax } } = stored!;
  const words = wordsOf(text);
  assertMatch(
    words,
    new RegExp(
      `${
        nonce.toLocaleString("en")
      } transactions on (at least )?${use.days.length} days`,
    ),
  );
  assertStringIncludes(
    words,
    `${gasAvax.toLocaleString("en", { maximumFractionDigits: 2 })} AVAX of gas`,
  );
  assertMatch(words, /In the lower part of|Midway through|Close to/);
  assertStringIncludes(text, 'href="/dashboard/profile#claim-title"');
  assertMatch(words, /First transaction on \d+ [A-Z]\w+ \d{4}, \d+ years ago/);
  const outsideTables = wordsOf(text.replace(/<details>.*?<\/details>/gs, ""));
  assertEquals(/\d{4}-\d\d-\d\d/.exec(outsideTables), null, "dates in words");
  const { floors } = S4_2026_3;
  const { score } =
    (await readScore(deps, address, { requester: SERVICE })).headline;
  const next = Object.values(floors).find((floor) => floor > score)!;
  const shown = words.slice(words.indexOf("Wallet score"));
  assert(!new RegExp(`\\b${next - score} points`).test(shown));
});

Deno.test("a score says what it is for, what it is not for and what a copy costs, and the search has an example", async () => {
  using deps = await testDeps();
  const { text } = await ask(deps, PATH);
  const { costToFake } = await readScore(deps, ADDRESS, { requester: SERVICE });
  assertInOrder(wordsOf(text), [
    "What this score is for",
    "Good for ranking addresses",
    "Not for counting people, credit",
    copyWords(costToFake),
  ]);
  assertMatch(copyWords(costToFake), /cost about \d+\.\d\d USD/);
  const search = await ask(deps, "/tools/score");
  assertStringIncludes(wordsOf(search.text), "Not for counting people");
  const [, example] = search.text
    .match(/For example <a\s+href="([^"]*)"/)!;
  assertEquals((await ask(deps, example!)).response.status, 200);
});

Deno.test("the history marks the day from which another model scores", async () => {
  using deps = await testDeps();
  await readScore(deps, ADDRESS, { requester: SERVICE });
  const [point] = (await deps.store.scores.find(ADDRESS))!.points;
  const earlier = { ...point!, day: point!.day - 30, model: "s4-2026.1" };
  await deps.store.scores.put(ADDRESS, earlier, { readAt: null });
  const { text } = await ask(deps, PATH);
  assertStringIncludes(
    wordsOf(text),
    "From 21 Nov 2026 the model s4-2026.3 is used instead of s4-2026.1",
  );
  assertStringIncludes(text, '<path class="models" d="M89 0V100"');
});

Deno.test("an address that is being scored gets a page that looks again, with and without scripts", async () => {
  using deps = await testDeps();
  deps.upstreams.explorer.switch.set({ mode: "refuse" });
  const { text } = await ask(deps, PATH);
  assertMatch(
    text,
    /<noscript><meta http-equiv="refresh"\s+content="30"><\/noscript>/,
  );
  assertStringIncludes(text, 'data-retry-seconds="30"');
  assertMatch(text, /src="[^"]*\/score_delay\.js"/);
  deps.upstreams.explorer.switch.set({ mode: "ok" });
  deps.advance(60_000);
  const scored = await ask(deps, PATH);
  assert(!scored.text.includes("http-equiv"));
  assert(!scored.text.includes("score_delay.js"));
});

Deno.test("the head names the score for previews, and keeps unclaimed addresses out of search engines", async () => {
  using deps = await testDeps();
  const { headline, explanation } = await readScore(deps, ADDRESS, {
    requester: SERVICE,
  });
  const { text } = await ask(deps, PATH);
  const short = `${ADDRESS.slice(0, 6)}…${ADDRESS.slice(-4)}`;
  const title = `${short}: ${headline.score}, ${headline.tierLabel}`;
  const tags = [
    `<title>${title} · Firn</title>`,
    `<meta property="og:title" content="${title}"`,
    `<meta property="og:description" content="${explanation.summary}"`,
    `<meta property="og:url" content="http://localhost:8000${PATH}"`,
    `<link rel="canonical" href="http://localhost:8000${PATH}"`,
    `<meta name="robots" content="noindex"`,
  ];
  for (const tag of tags) assertStringIncludes(text, tag);
});

Deno.test("a claimed address is shown by its name and may be found", async () => {
  using deps = await testDeps();
  const profile = {
    ...newProfile(deps.now().getTime()),
    displayName: `<b>"Ann"</b>`,
  };
  const audit = { at: deps.now().getTime(), action: "profile.claim" };
  await deps.store.profiles.change(
    ADDRESS,
    // deno-lint-ignore no-explicit-any -- what the trail says is not looked at here.
    () => ({ profile, audit: audit as any }),
  );
  const { text } = await ask(deps, PATH);
  assert(!text.includes("noindex"));
  assertMatch(text, /<h1>&lt;b&gt;&quot;Ann&quot;&lt;\/b&gt;<\/h1>/);
  assert(!text.includes("<b>"));
});

Deno.test("the page shows the badge with code to copy, under the public URL", async () => {
  using deps = await testDeps();
  const { text } = await ask(deps, PATH);
  const image = `http://localhost:8000/api/tools/score-badge/${ADDRESS}`;
  assertStringIncludes(
    text,
    `[![Firn tier](${image})](http://localhost:8000${PATH})`,
  );
  assertStringIncludes(text, `img src=&quot;${image}&quot;`);
  assertStringIncludes(text, `<img src="/api/tools/score-badge/${ADDRESS}"`);
});

Deno.test("an address in another case leads to the one in lower case", async () => {
  using deps = await testDeps();
  const upper = `0x${ADDRESS.slice(2).toUpperCase()}`;
  const { response } = await ask(deps, `/tools/score/${upper}`);
  assertEquals(response.status, 308);
  assertEquals(response.headers.get("Location"), PATH);
});

Deno.test("the search box leads to the page of an address", async () => {
  using deps = await testDeps();
  const { text } = await ask(deps, "/tools/score");
  assertMatch(
    text,
    /<form class="[^"]*" action="\/tools\/score" method="get">/,
  );
  for (const given of [ADDRESS, ` 0x${ADDRESS.slice(2).toUpperCase()} `]) {
    const query = new URLSearchParams({ address: given });
    const { response } = await ask(deps, `/tools/score?${query}`);
    assertEquals(response.status, 303);
    assertEquals(response.headers.get("Location"), PATH);
  }
});

Deno.test("an invalid address is a 400 that says what is accepted, and nothing is scored", async (t) => {
  using deps = await testDeps();
  const rows: [path: string, shown: string][] = [
    ["/tools/score/0x12", "0x12"],
    [`${PATH}0`, `${ADDRESS}0`],
    ["/tools/score/%3Cscript%3E", "&lt;script&gt;"],
    ["/tools/score?address=", 'value=""'],
    ["/tools/score?address=%22%3E%3Cscript%3E", "&quot;&gt;&lt;script&gt;"],
  ];
  for (const [path, shown] of rows) {
    await t.step(path, async () => {
      const { response, text } = await ask(deps, path);
      assertEquals(response.status, 400);
      assertEquals(response.headers.get("Cache-Control"), "no-store");
      assertStringIncludes(text, "0x and 40 hexadecimal digits");
      assertStringIncludes(text, shown);
      assert(!text.includes("<script>"));
      const asJson = await ask(deps, path, "application/json");
      assertEquals(asJson.response.status, 400);
      assertEquals(JSON.parse(asJson.text).code, "BAD_REQUEST");
    });
  }
  assertEquals(deps.upstreams.explorer.calls.length, 0);
});

Deno.test("the page of an address that cannot be scored now explains why, with 200", async () => {
  using deps = await testDeps();
  deps.upstreams.explorer.switch.set({ mode: "refuse" });
  const { response, text } = await ask(deps, PATH);
  assertEquals(response.status, 200);
  const words = wordsOf(text);
  assertInOrder(words, ["Not scored yet", "is unreachable", "Try again"]);
  assertStringIncludes(words, "No scores recorded yet");
  assertStringIncludes(words, "The badge says “unrated”");
  const [scored, last] = [1, 2].map((nth) => exampleOf("ordinary", nth));
  deps.upstreams.explorer.switch.set({ mode: "ok" });
  deps.advance(300_000);
  await readScore(deps, scored!, { requester: SERVICE });
  const [point] = (await deps.store.scores.find(scored!))!.points;
  await deps.store.scores.put(last!, point!, { readAt: null });
  deps.upstreams.explorer.switch.set({ mode: "refuse" });
  const old = wordsOf((await ask(deps, `/tools/score/${last}`)).text);
  assertMatch(
    old,
    RegExp(`Last score: ${point!.headline}, \\w+, on 21 Nov 2026`),
  );
  deps.advance(25 * 3_600_000);
  const stale = wordsOf((await ask(deps, `/tools/score/${scored}`)).text);
  assertStringIncludes(
    stale,
    "uses on-chain data that is not current. A source",
  );
});

Deno.test("the page of a current score is rendered again after 15 seconds", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const headers = { Accept: "text/html" };
  const isNamed = async () =>
    (await (await app.request(PATH, { headers })).text()).includes("<h1>Ann");
  await readScore(deps, ADDRESS, { requester: SERVICE });
  assertEquals(await isNamed(), false);
  const profile = { ...newProfile(deps.now().getTime()), displayName: "Ann" };
  const audit = { at: deps.now().getTime(), action: "profile.claim" };
  await deps.store.profiles.change(
    ADDRESS,
    // deno-lint-ignore no-explicit-any -- what the trail says is not looked at here.
    () => ({ profile, audit: audit as any }),
  );
  deps.advance(14_999);
  assertEquals(await isNamed(), false);
  deps.advance(1);
  assertEquals(await isNamed(), true);
});
