/** A typing error in an address is noticed on every surface, and the C-Chain's own prefixes are accepted on all. */
import { assertEquals, assertMatch } from "@std/assert";
import { createApp } from "../../routes/app.ts";
import { Firn } from "../../sdk/mod.ts";
import { enrol } from "../support/callers.ts";
import { testDeps } from "../support/deps.ts";
import { connectInside } from "../support/mcp.ts";
import { newOwner } from "../support/owners.ts";

const CHECKED = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const LOWER = CHECKED.toLowerCase();
const BROKEN = CHECKED.replace("aA", "Aa");
const WRITTEN = [
  CHECKED,
  LOWER,
  `0x${CHECKED.slice(2).toUpperCase()}`,
  `avax:${CHECKED}`,
  `eip155:43114:${LOWER}`,
  `ethereum:${CHECKED}@43114`,
];
const REFUSED: [text: string, words: RegExp][] = [
  [BROKEN, /checksum \(EIP-55\)/],
  [`eip155:1:${CHECKED}`, /another chain/],
  [`ethereum:${CHECKED}@1`, /another chain/],
  ["0x12", /40 hexadecimal digits/],
];

Deno.test("an address may be written as wallets write it, on every surface", async () => {
  using deps = await testDeps();
  const { key } = await enrol(deps, { plan: "builder" });
  const app = createApp(deps);
  const headers = { "X-Api-Key": key };
  const send = (url: string | URL | Request, init?: RequestInit) =>
    Promise.resolve(app.request(url, init));
  const firn = new Firn({ baseUrl: deps.publicUrl, apiKey: key, fetch: send });
  await using mcp = await connectInside(deps, { key });
  for (const text of WRITTEN) {
    const inPath = encodeURIComponent(text);
    for (const path of [`score/${inPath}`, `score/${inPath}/history`]) {
      const response = await app.request(`/api/v1/${path}`, { headers });
      assertEquals((await response.json()).address, LOWER, text);
    }
    const badge = await app.request(`/api/tools/score-badge/${inPath}`);
    await badge.body?.cancel();
    assertEquals(badge.status, 200, text);
    const search = await app.request(`/tools/score?address=${inPath}`);
    assertEquals(search.headers.get("Location"), `/tools/score/${LOWER}`, text);
    assertEquals((await firn.score(text)).address, LOWER);
    const { answer } = await mcp.call("get_score", { address: text });
    assertEquals(answer.address, LOWER, text);
  }
  const { results } = await firn.batch(WRITTEN);
  assertEquals(
    new Set(results.map(({ address }) => address)),
    new Set([LOWER]),
  );
});

Deno.test("a broken checksum and another chain's address are refused with words, on every surface, and nothing is charged", async () => {
  using deps = await testDeps();
  const { key, used, batch } = await enrol(deps, { plan: "growth" });
  const app = createApp(deps);
  const headers = { "X-Api-Key": key, "Accept": "application/json" };
  const owner = newOwner(deps);
  await owner.signIn();
  await using mcp = await connectInside(deps, { key });
  for (const [text, words] of REFUSED) {
    const inPath = encodeURIComponent(text);
    for (
      const path of [
        `/api/v1/score/${inPath}`,
        `/api/v1/score/${inPath}/history`,
        `/api/v1/score/${inPath}/signed`,
        `/card/score/${inPath}.png`,
        `/api/tools/score-badge/${inPath}`,
        `/tools/score/${inPath}`,
        `/tools/score?address=${inPath}`,
        ...text.length > 40 ? [`/api/profiles/${inPath}`] : [],
      ]
    ) {
      const response = await app.request(path, { headers });
      const { error } = await response.json();
      assertEquals(response.status, 400, `${path}: ${error}`);
      assertMatch(error, words, path);
    }
    const changes: [method: string, path: string, body?: object][] = [
      ["PUT", `/follows/${inPath}`],
      ["POST", "/donations", { to: text, txHash: `0x${"12".repeat(32)}` }],
      ["POST", "/challenges", { address: text, action: "session" }],
    ];
    for (const [method, path, body] of changes) {
      const answer = await owner.call(method, path, { body });
      assertEquals(answer.status, 400, path);
      assertMatch(answer.body.error, words, path);
    }
    const { answer, isError } = await mcp.call("get_score", { address: text });
    assertEquals(isError, true);
    assertMatch(answer.error, words);
  }
  const addresses = [CHECKED, ...REFUSED.map(([text]) => text)];
  const { status, body } = await batch({ addresses });
  assertEquals(status, 400);
  assertEquals(body.invalid, addresses.slice(1));
  for (const [nth, [text, words]] of REFUSED.entries()) {
    assertMatch(body.reasons[nth], words, text);
  }
  assertEquals(await used(), 0);
});
