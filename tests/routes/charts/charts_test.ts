/** What the pictures of charts and the cards are made of, before they are PNG. */
import { assertEquals, assertRejects } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { charts } from "../../../routes/charts/charts.ts";
import { responseCache } from "../../../routes/http/response_cache.ts";
import { cards } from "../../../routes/scores/cards.ts";
import type { SendPicture } from "../../../routes/pages/picture_cache.ts";
import { Fault } from "../../../services/platform/fault.ts";
import { sweep } from "../../support/chain_data/swept.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";

const ADDRESS = `0x${"ab".repeat(20)}`;

async function swept(): Promise<TestDeps> {
  const deps = await testDeps();
  await sweep(deps, {
    chains: { 43114: "C-Chain", 7: "\u{1f600}" },
    metrics: ["txCount"],
    published: Math.floor(Date.parse("2026-11-19") / 864e5),
    valuesOf: () => ({ from: "2026-10-01", values: Array(50).fill(3) }),
  });
  return deps;
}

/** Asks for a picture; returns what is sent, without rendering it. */
function open(deps: TestDeps) {
  const all: Parameters<SendPicture>[1][] = [];
  const sendPicture: SendPicture = (_c, request) => {
    all.push(request);
    return Promise.resolve(new Response());
  };
  const pictures = {
    "/chart": charts(deps, responseCache(deps), { sendPicture }),
    "/card": cards(deps, sendPicture),
  };
  return async (root: keyof typeof pictures, path: string) => {
    const router = pictures[root];
    router.onError((error, c) =>
      error instanceof Fault ? c.text(error.message, 400) : c.text("?", 500)
    );
    const answer = await router.request(path);
    const sent = all.pop();
    if (sent === undefined) return { refusal: await answer.text() };
    const { draw, ...request } = sent;
    return { ...request, svg: await draw(undefined) };
  };
}

Deno.test("the picture of a chart is drawn 840 pixels wide and 441 high, in names that its fonts have", async () => {
  using deps = await swept();
  const ask = open(deps);
  const { svg, key: _, ...request } = await ask(
    "/chart",
    "/txCount.png?chainId=7&range=30d",
  ) as { svg: string; key: string };
  assertEquals(request, {
    file: "txCount",
    density: 1,
    background: "#ffffff",
  } as unknown);
  const [root] = svg.match(/<svg[^>]*>/)!;
  assertEquals(/ width="(\d+)"/.exec(root)![1], "840");
  assertEquals(/ height="(\d+)"/.exec(root)![1], "441");
  assertEquals(/viewBox="0 0 (\d+)/.exec(root)![1], "840");
  assertEquals(svg.includes("Chain 7"), true);
  assertEquals(svg.includes("\u{1f600}"), false);
  const dark = await ask(
    "/chart",
    "/txCount.png?chainId=7&range=30d&theme=dark&density=2",
  );
  const { svg: _svg, key: _key, ...look } = dark as Record<string, unknown>;
  assertEquals(look, { file: "txCount", density: 2, background: "#121b22" });
});

Deno.test("a card has its name, and that of a profile is kept for a minute", async () => {
  using deps = await swept();
  const ask = open(deps);
  const cardOf = async (path: string) => {
    const { svg, ...request } = await ask("/card", path) as { svg: string };
    return { ...request, isDrawn: svg.includes("<svg") };
  };
  const isDrawn = true;
  assertEquals(await cardOf("/chain/7.png"), {
    key: "chain light 7",
    file: "chain-7",
    density: 1,
    isDrawn,
  } as unknown);
  assertEquals(await cardOf(`/score/${ADDRESS}.png?density=2`), {
    key: `score light ${ADDRESS}`,
    file: `score-${ADDRESS}`,
    density: 2,
    isDrawn,
  } as unknown);
  assertEquals(
    await cardOf(`/profile/${ADDRESS.toUpperCase().replace("X", "x")}.png`),
    {
      key: `profile light ${ADDRESS}`,
      file: "profile",
      heldMs: 60_000,
      density: 1,
      isDrawn,
    } as unknown,
  );
  const longest = "a".repeat(64);
  assertEquals(
    await ask("/card", `/profile/${longest}a.png`),
    {
      refusal: `Invalid profile "${
        "a".repeat(60)
      }…": expected an address or a name of at most 64 characters`,
    },
  );
  await assertRejects(
    () => ask("/card", `/profile/${longest}.png`),
    Fault,
    "Cannot find the profile",
  );
});

Deno.test("scripts of other origins may read the errors of a CSV too", async () => {
  using deps = await testDeps();
  for (
    const [file, status] of [
      ["txCount.csv", 200],
      ["txCount.csv?range=2y", 400],
      ["txCount.csv?range=30d&range=90d", 400],
      ["txCount.csv?chainId=99999", 404],
    ] as const
  ) {
    const response = await createApp(deps).request(`/chart/${file}`);
    await response.body?.cancel();
    assertEquals(response.status, status, file);
    assertEquals(response.headers.get("Access-Control-Allow-Origin"), "*");
  }
});
