/** Pages that are expensive to render delay no keyed request, and no other network. */
import { assert, assertEquals } from "@std/assert";
import { createApp } from "../../routes/app.ts";
import { formatDay, parseDay } from "../../services/platform/days.ts";
import { exampleOf } from "../../simnet/accounts.ts";
import { enrol } from "../support/callers.ts";
import { connectionFrom } from "../support/clients.ts";
import { testDeps } from "../support/deps.ts";

const FIRST = parseDay("2021-03-01");

/** Returns the path of a page that nobody has rendered. */
function pageOf(nth: number): string {
  const dates = `from=${formatDay(FIRST + nth)}&to=${
    formatDay(FIRST + nth + 400)
  }`;
  return `/?metric=txCount&chainId=43114&${dates}&interval=day`;
}

/** A service with a stored series, and a record of the answers in their order. */
async function openService() {
  const deps = await testDeps();
  const app = createApp(deps);
  const { key } = await enrol(deps);
  const answered: string[] = [];

  async function ask(
    name: string,
    path: string,
    { from, headers = {} }: { from: string; headers?: HeadersInit },
  ): Promise<number> {
    const request = new Request(`${deps.publicUrl}${path}`, { headers });
    const response = await app.fetch(request, connectionFrom(from) as never);
    await response.text();
    answered.push(`${name} ${response.status}`);
    return response.status;
  }
  const page = (nth: number, from: string) =>
    ask("page", pageOf(nth), { from, headers: { Accept: "text/html" } });
  const score = () =>
    ask("score", `/api/v1/score/${exampleOf("ordinary")}`, {
      from: "203.0.113.1",
      headers: { "X-Api-Key": key },
    });
  await page(0, "203.0.113.2");
  await score();
  answered.length = 0;
  const picture = (nth: number, from: string) =>
    ask(
      "picture",
      pageOf(nth).replace("/?metric=txCount&", "/chart/txCount.png?"),
      { from },
    );
  return {
    answered,
    page,
    picture,
    score,
    [Symbol.dispose]: () => deps[Symbol.dispose](),
  };
}

Deno.test("a keyed request waits for one page at most, however many are asked for", async () => {
  using service = await openService();
  const { answered, page, score } = service;
  const pages = Array.from(
    { length: 16 },
    (_, nth) => page(1 + nth, `192.0.2.${nth % 2}`),
  );
  for (let nth = 0; nth < 5; nth++) {
    const before = answered.length;
    await score();
    assert(answered.length - before <= 3, answered.join());
  }
  await Promise.all(pages);
  assertEquals(answered.filter((answer) => answer === "page 200").length, 16);
});

Deno.test("a keyed request waits for no picture, however many are drawn", async () => {
  using service = await openService();
  const { answered, picture, score } = service;
  const pictures = Array.from(
    { length: 6 },
    (_, nth) => picture(1 + nth, `192.0.2.${nth % 2}`),
  );
  for (let nth = 0; nth < 5; nth++) {
    const before = answered.length;
    await score();
    assert(answered.length - before <= 3, answered.join());
  }
  assertEquals(await Promise.all(pictures), pictures.map(() => 200));
});

Deno.test("a flood of pages is refused beyond those under way, and networks take turns", async () => {
  using service = await openService();
  const { answered, page } = service;
  const flood = Array.from(
    { length: 40 },
    (_, nth) => page(1 + nth, "192.0.2.1"),
  );
  const statuses: number[] = [];
  const visitor = page(100, "192.0.2.2").then((status) => {
    assertEquals(status, 200);
    return answered.filter((answer) => answer === "page 200").length;
  });
  statuses.push(...await Promise.all(flood));
  assertEquals(new Set(statuses), new Set([200, 429]));
  const served = statuses.filter((status) => status === 200).length;
  assert(served >= 8 && served < 40, `${served} of the flood`);
  assert(await visitor <= 4, "the visitor is not behind all of the flood");
});
