/** Names that end in .avax, where pages accept an address. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { appOf } from "../../support/app.ts";
import { numbersOf } from "../../../services/profiles/avax_names_client.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { asFetch } from "../../../simnet/upstreams.ts";
import { hrefsOf, wordsOf } from "../../support/charts/explorer.ts";
import {
  type TestDeps,
  testDeps,
  type TestOptions,
} from "../../support/deps.ts";

const ALICE = exampleOf("ordinary");
const NAMES = { AVAX_NAMES: "avvy" };

async function open(deps: TestDeps, path: string) {
  const response = await appOf(deps)
    .request(path, { headers: { Accept: "text/html" } });
  const text = await response.text();
  return { response, text, words: wordsOf(text) };
}

const namedDeps = (options: TestOptions = {}) =>
  testDeps({ settings: NAMES, ...options });

Deno.test("the search takes a name, in any case, and leads to its page", async () => {
  using deps = await namedDeps();
  const { response } = await open(deps, "/tools/score?address=Alice.AVAX");
  assertEquals(response.status, 303);
  assertEquals(response.headers.get("Location"), "/tools/score/alice.avax");
  const upper = await open(deps, "/tools/score/ALICE.avax");
  assertEquals(
    upper.response.headers.get("Location"),
    "/tools/score/alice.avax",
  );
  assertStringIncludes(
    (await open(deps, "/tools/score")).text,
    "Address or .avax name",
  );
});

Deno.test("a name shows the score and the profile of the address that it leads to, with both", async () => {
  using deps = await namedDeps();
  for (const kind of ["/tools/score", "/profiles"]) {
    const { response, text, words } = await open(deps, `${kind}/alice.avax`);
    assertEquals(response.status, 200, kind);
    assertStringIncludes(words, "alice.avax leads to this address now.");
    assertStringIncludes(words, ALICE);
    assert(hrefsOf(text).includes(`${kind}/${ALICE}`));
    assertStringIncludes(
      text,
      `<link rel="canonical" href="${deps.publicUrl}${kind}/${ALICE}"`,
    );
  }
});

Deno.test("a name that leads to no address is a 400 that says why, and nothing is scored", async () => {
  using deps = await namedDeps();
  const cases: [name: string, why: RegExp][] = [
    ["nobody.avax", /expected a name that is registered; this one is not/],
    ["lapsed.avax", /registration lasts; this one ended on 2025-01-01/],
    ["seized.avax", /expected a name that is not suspended/],
    ["empty.avax", /its holder has set none/],
    ["wrong.avax", /its holder has set none/],
    ["sub.lapsed.avax", /ended on 2025-01-01/],
    // A Cyrillic а looks alike.
    [encodeURIComponent("аlice.avax"), /expected a C-Chain address/],
    ["alice.eth", /expected a C-Chain address: .+, or a \.avax name/],
  ];
  for (const [name, why] of cases) {
    const { response, text, words } = await open(deps, `/tools/score/${name}`);
    assertEquals(
      [response.status, why.test(words)],
      [400, true],
      `${name}: ${words}`,
    );
    assertStringIncludes(text, 'aria-invalid="true"', "in the search form");
    const profile = await open(deps, `/profiles/${name}`);
    assert(profile.response.status >= 400, name);
  }
  assertEquals(deps.upstreams.explorer.calls, []);
});

Deno.test("without the setting, and on another chain, a name is no address and no node is asked", async () => {
  for (const settings of [{}, { ...NAMES, CHAIN_ID: "43113" }]) {
    using deps = await testDeps({ settings });
    const { response } = await open(deps, "/tools/score/alice.avax");
    assertEquals(response.status, 400);
    assertEquals(deps.upstreams.cChainRpc.calls, []);
    assertEquals(
      (await open(deps, "/tools/score")).text.includes(".avax"),
      false,
    );
  }
});

Deno.test("nodes that disagree about a name give no address, nor does one that is down", async () => {
  using other = await namedDeps();
  const two = "http://c-chain.test/ext/bc/C/rpc,http://liar.test/ext/bc/C/rpc";
  const send = asFetch(other.upstreams);
  let answer: (text: string) => Response = (text) => new Response(text);
  using deps = await testDeps({
    settings: { ...NAMES, C_CHAIN_RPC_URL: two },
    async fetch(input, init) {
      const request = new Request(input, init);
      const isLiar = new URL(request.url).hostname === "liar.test";
      const asked = isLiar
        ? new Request("http://c-chain.test/ext/bc/C/rpc", request)
        : request;
      const response = await send(asked);
      return isLiar ? answer(await response.text()) : response;
    },
  });
  assertEquals(
    (await open(deps, "/tools/score/alice.avax")).response.status,
    200,
  );
  // The record as a string of the ABI, in hex.
  const hexOf = (text: string) =>
    [...new TextEncoder().encode(text)].map((byte) => byte.toString(16)).join(
      "",
    );
  answer = (text) =>
    new Response(text.replaceAll(hexOf(ALICE), hexOf(exampleOf("heavy"))));
  const lied = await open(deps, "/profiles/alice.avax");
  assertEquals(lied.response.status, 503);
  assertStringIncludes(lied.words, "its nodes disagree about alice.avax");
  answer = () => new Response("", { status: 500 });
  assertEquals((await open(deps, "/profiles/alice.avax")).response.status, 503);
});

Deno.test("the calls for names are counted for the network that asks, and a network that used up its part is refused", async () => {
  using deps = await namedDeps({
    settings: { ...NAMES, C_CHAIN_CALLS_PER_MINUTE: "100" },
  });
  const statuses: number[] = [];
  const app = createApp(deps);
  for (let nth = 0; nth < 8; nth++) {
    const response = await app.request(
      `/profiles/n${nth}.avax`,
      { headers: { Accept: "text/html" } },
      { remoteAddr: { transport: "tcp", hostname: "203.0.113.9", port: 1 } },
    );
    await response.body?.cancel();
    statuses.push(response.status);
  }
  assertEquals(statuses[0], 400);
  assertEquals(statuses.at(-1), 429, String(statuses));
  assert(deps.upstreams.cChainRpc.calls.length <= 20);
});

Deno.test("numbersOf() writes a label as the documentation of Avvy Domains does", () => {
  // The hash of `avax` is of 0 and these two numbers in `@avvy/client`.
  assertEquals(numbersOf("avax"), [2019653217n, 0n]);
  assertEquals(numbersOf("a".repeat(32)), [
    BigInt(`0x${"61".repeat(31)}`),
    0x61n,
  ]);
});
