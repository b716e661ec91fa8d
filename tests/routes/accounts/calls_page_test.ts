/** The page of a wallet's calls: filters by links and a form, without a script. */
import { assertEquals, assertMatch } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { enrol } from "../../support/callers.ts";
import { testDeps } from "../../support/deps.ts";
import { outlineOf } from "../../support/outline.ts";
import { keyPair, newOwner } from "../../support/owners.ts";

const ADDRESS = exampleOf("ordinary");
const SCORE = "GET /api/v1/score/:address";

/** An owner with calls of two keys on two days. */
async function called() {
  const deps = await testDeps();
  const owner = newOwner(deps);
  await owner.signIn();
  const { wallet } = owner;
  const first = await enrol(deps, { plan: "builder", wallet });
  await first.ask(`/score/${ADDRESS}`);
  await first.ask("/score/0x12");
  deps.advance(DAY_MS);
  const second = await enrol(deps, { plan: "builder", wallet });
  await second.ask(`/score/${ADDRESS}`);
  await second.batch({ addresses: [ADDRESS, exampleOf("heavy")] });
  deps.advance(-DAY_MS);
  await owner.signIn();
  deps.advance(DAY_MS / 4);
  const app = createApp(deps);
  async function open(query: string, cookie = owner.cookie()) {
    const headers = { "Cookie": cookie, "Accept": "text/html" };
    const response = await app.request(`/dashboard/calls${query}`, { headers });
    const text = await response.text();
    const lines = outlineOf(
      text.match(/<main[^]*<\/main>/)?.[0] ?? "",
      /^badge-/,
    );
    return {
      response,
      text,
      lines,
      title: lines.find((line) => line.startsWith("h2")),
      rows: lines.filter((line) => line.startsWith("tr")).slice(1)
        .map((line) =>
          line.replaceAll(/\[[^\]]*\]|\.badge-\w+/g, "").split(" | ")
        ),
    };
  }
  return { deps, open, first, second, wallet };
}

Deno.test("GET /dashboard/calls shows the calls that fit every choice, and how many units they cost", async () => {
  const { deps, open, first, second } = await called();
  using _ = deps;
  const cases: [query: string, title: string, statuses: string][] = [
    ["", "4 calls, 4 units", "200 200 400 200"],
    ["?key=&route=&status=&day=", "4 calls, 4 units", "200 200 400 200"],
    ["?status=400", "1 of 4 calls, 0 units", "400"],
    ["?day=2026-11-22", "2 of 4 calls, 3 units", "200 200"],
    [`?key=${first.id}`, "2 of 4 calls, 1 unit", "400 200"],
    [
      `?key=${second.id}&route=${encodeURIComponent(SCORE)}`,
      "1 of 4 calls, 1 unit",
      "200",
    ],
    ["?status=400&day=2026-11-22", "0 of 4 calls, 0 units", ""],
    ["?status=418&utm_source=x", "0 of 4 calls, 0 units", ""],
  ];
  for (const [query, title, statuses] of cases) {
    const shown = await open(query);
    assertEquals(shown.response.status, 200, query);
    assertEquals(shown.title, `h2 ${title}`, query);
    assertEquals(shown.rows.map((row) => row[1]!.trim()).join(" "), statuses);
  }
  assertEquals(
    (await open("?status=418")).lines.includes(
      "option[value=418 selected] 418",
    ),
    true,
    "a choice that nothing fits stays chosen",
  );
});

Deno.test("GET /dashboard/calls folds its filters on a phone, even if one is chosen, and shows none to a wallet without calls", async () => {
  const { deps, open } = await called();
  using _ = deps;
  for (const query of ["", "?status=400"]) {
    const { text } = await open(query);
    assertMatch(text, /<details class="phone-details">[^]*<form/);
    assertEquals(text.includes(">Show all</a>"), query !== "");
  }
  const other = newOwner(deps, keyPair(2));
  await other.signIn();
  const { lines, text } = await open("", other.cookie());
  assertEquals(lines.includes("p No calls yet."), true);
  assertEquals(text.includes("<form"), false);
});

Deno.test("GET /dashboard/calls names the signed-in wallet, and shows nobody else's calls", async () => {
  const { deps, open, wallet } = await called();
  using _ = deps;
  const own = await open("");
  assertEquals(
    own.response.headers.get("Cache-Control"),
    "private, no-store",
  );
  assertMatch(own.text, new RegExp(`<code id="wallet">${wallet}</code>`));
  const signedOut = await open("", "");
  assertEquals(signedOut.response.status, 302);
  assertEquals(signedOut.response.headers.get("Location"), "/dashboard");
  assertEquals(signedOut.lines.some((line) => line.startsWith("tr")), false);
  // A choice that no call can have is a mistake of the link, signed in or not.
  for (const query of ["?day=yesterday", "?status=abc", "?status=99", "?x=1"]) {
    for (const cookie of [undefined, ""]) {
      const { response } = await open(query, cookie);
      assertEquals(response.status, 400, query);
    }
  }
});

Deno.test("GET /dashboard/follows leads to whom the wallet follows, and signed out to the sign-in", async () => {
  const { deps, wallet } = await called();
  using _ = deps;
  const app = createApp(deps);
  const follow = async (cookie: string) =>
    await app.request("/dashboard/follows", { headers: { Cookie: cookie } });
  const owner = newOwner(deps);
  await owner.signIn();
  const found = await follow(owner.cookie());
  assertEquals(found.status, 302);
  assertEquals(
    found.headers.get("Location"),
    `/profiles/${wallet}?list=following#follows`,
  );
  assertEquals((await follow("")).headers.get("Location"), "/dashboard");
});
