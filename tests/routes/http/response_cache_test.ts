/** The response cache: which requests share an answer. */
import { assertEquals } from "@std/assert";
import { Hono } from "hono";
import { responseCache } from "../../../routes/http/response_cache.ts";
import { randomFrom } from "../../support/random.ts";
import { NO_PROXIES } from "../../support/clients.ts";

const NOW = Date.parse("2026-11-21T08:00:00Z");

/** An app whose answers wait for `finish`, and the freshness that each was made with. */
function open() {
  const answers = responseCache({
    now: () => new Date(NOW),
    proxies: NO_PROXIES,
  });
  const made: number[] = [];
  const { promise, resolve: finish } = Promise.withResolvers<void>();
  const app = new Hono().get(
    "/",
    (c) =>
      answers.send(c, {}, async ({ maxStaleMs }) => {
        made.push(maxStaleMs);
        await promise;
        const text = `at most ${maxStaleMs} ms stale`;
        const type = "text/plain";
        return { text, type, fetchedAt: NOW, changedAt: null };
      }),
  );
  const ask = async (headers: Record<string, string> = {}) =>
    await (await app.request("/", { headers })).text();
  return { ask, made, finish };
}

Deno.test("requests at once share one answer, but nobody gets one that is staler than they accept", async () => {
  const { ask, made, finish } = open();
  const hour = { "Cache-Control": "max-stale=3600" };
  const answers = Promise.all([ask(hour), ask(), ask(hour), ask()]);
  finish();
  assertEquals(await answers, [
    "at most 3600000 ms stale",
    "at most 0 ms stale",
    "at most 3600000 ms stale",
    "at most 0 ms stale",
  ]);
  assertEquals(made, [3_600_000, 0]);
});

Deno.test("routes and path parameters with an equal query have answers of their own", async () => {
  const answers = responseCache({
    now: () => new Date(NOW),
    proxies: NO_PROXIES,
  });
  const app = new Hono();
  for (const route of ["/fees", "/transactions", "/chart/:metric"]) {
    app.get(route, (c) =>
      answers.recall(c.req.raw) ??
        answers.send(c, { range: "all" }, () =>
          Promise.resolve({
            text: c.req.path,
            type: "text/plain",
            fetchedAt: NOW,
            changedAt: null,
          })));
  }
  const paths = ["/fees", "/transactions", "/chart/gasUsed", "/chart/txCount"];
  for (const path of [...paths, ...paths]) {
    assertEquals(await (await app.request(path)).text(), path);
  }
});

/** An app that answers any target with a text of so many bytes, and how often it made one. */
function openSized(
  { bytes, maxBytes, now = () => new Date(NOW), onMake }: {
    bytes: number;
    maxBytes?: number;
    now?: () => Date;
    onMake?: () => void;
  },
) {
  const answers = responseCache(
    { now, proxies: NO_PROXIES },
    maxBytes === undefined ? {} : { maxBytes },
  );
  let made = 0;
  // Random, so that compression makes it no smaller.
  const random = randomFrom(7);
  const text = Array.from(
    { length: bytes },
    () => String.fromCharCode(33 + Math.floor(random() * 90)),
  ).join("");
  const app = new Hono().get("*", (c) =>
    answers.recall(c.req.raw) ??
      answers.send(c, c.req.path, () => {
        made++;
        onMake?.();
        return Promise.resolve({
          text,
          type: "text/plain",
          fetchedAt: now().getTime(),
          changedAt: null,
        });
      }));
  const ask = async (path: string, init?: RequestInit) => {
    const response = await app.request(path, init);
    await response.body?.cancel();
  };
  const recalls = (method: string, path: string) =>
    answers.recall(new Request(`http://localhost${path}`, { method })) !==
      undefined;
  return { answers, ask, recalls, made: () => made };
}

Deno.test("recall() answers GET and HEAD of targets of at most 256 characters", async () => {
  const { ask, recalls } = openSized({ bytes: 10 });
  const longest = `/${"a".repeat(255)}`;
  await ask(longest);
  await ask(`${longest}a`);
  assertEquals([longest, `${longest}a`].map((path) => recalls("GET", path)), [
    true,
    false,
  ]);
  assertEquals(
    ["GET", "HEAD", "POST", "PUT", "DELETE"].map((method) =>
      recalls(method, longest)
    ),
    [true, true, false, false, false],
  );
  assertEquals(recalls("GET", "/b"), false);
});

Deno.test("a full cache drops the answer that was used least recently, and counts an overhead for each", async () => {
  const { ask, made } = openSized({ bytes: 100, maxBytes: 3_500 });
  for (const path of ["/a", "/b", "/a"]) await ask(path);
  assertEquals(made(), 2, "two fit");
  for (const path of ["/c", "/a", "/b"]) await ask(path);
  assertEquals(made(), 4, "the third one took the place of /b");
});

Deno.test("an answer that the whole cache cannot hold is made each time", async () => {
  const { ask, made } = openSized({ bytes: 2_000, maxBytes: 3_500 });
  await ask("/a");
  await ask("/a");
  assertEquals(made(), 2);
});

Deno.test("an answer that is made while the UTC day ends is not kept for the next day", async () => {
  let ms = Date.parse("2026-11-21T23:59:59Z");
  const { ask, made } = openSized({
    bytes: 1,
    now: () => new Date(ms),
    onMake: () => ms += 1_000,
  });
  await ask("/a");
  await ask("/a");
  await ask("/a");
  assertEquals(made(), 2, "the one of the next day is kept");
});

Deno.test("an answer that was read in any way, or got other headers, leaves the next one as it was", async () => {
  const { ask, answers } = openSized({ bytes: 3 });
  await ask("/a");
  const recall = () => answers.recall(new Request("http://localhost/a"))!;
  const headers = [...recall().headers];
  const text = await recall().text();
  for (
    const read of [
      (answer: Response) => answer.arrayBuffer(),
      (answer: Response) => Array.fromAsync(answer.body!),
      (answer: Response) => new Response(answer.body).bytes(),
      (answer: Response) =>
        new Response(
          answer.body!.pipeThrough(new CompressionStream("gzip")),
        ).bytes(),
    ]
  ) {
    const answer = recall();
    answer.headers.set("ETag", "changed");
    await read(answer);
    assertEquals([...recall().headers], headers);
    assertEquals(await recall().text(), text);
  }
});

Deno.test("the remaining max-age of an answer falls with each second", async () => {
  let ms = NOW;
  const { ask, answers } = openSized({ bytes: 1, now: () => new Date(ms) });
  await ask("/a");
  const ages = [0, 999, 1_000, 1_999, 3_599_999].map((age) => {
    ms = NOW + age;
    const answer = answers.recall(new Request("http://localhost/a"))!;
    return answer.headers.get("Cache-Control")!.match(/max-age=(\d+)/)![1];
  });
  assertEquals(ages, ["3600", "3600", "3599", "3599", "1"]);
});
