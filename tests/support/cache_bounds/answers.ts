/** Overfills the caches of answers. */
import { assertEquals } from "@std/assert";
import { Hono } from "hono";
import { pictureCache } from "../../../routes/pages/picture_cache.ts";
import { rendererOf } from "../pictures.ts";
import { responseCache } from "../../../routes/http/response_cache.ts";
import { NO_PROXIES } from "../clients.ts";

const NOW = Date.parse("2026-11-21T08:00:00Z");
const now = () => new Date(NOW);

const TEXT = "x".repeat(200_000);

/**
 * Fills a response cache, then requests the same answers again, newest first.
 * Returns the bytes that the cache counts for the answers before the first miss.
 */
export async function fillAnswers(maxBytes?: number): Promise<number> {
  const answers = responseCache(
    { now, proxies: NO_PROXIES },
    maxBytes === undefined ? {} : { maxBytes },
  );
  let made = 0;
  const app = new Hono().get("/:nth", (c) =>
    answers.send(c, {}, () => {
      made++;
      const text = TEXT + c.req.param("nth");
      const type = "text/plain";
      return Promise.resolve({ text, type, fetchedAt: NOW, changedAt: null });
    }));
  const sent = 120;
  for (let nth = 0; nth < sent; nth++) await app.request(`/${nth}`);
  assertEquals(made, sent);
  let held = 0;
  while (held < sent) {
    await app.request(`/${sent - 1 - held}`);
    if (made > sent) break;
    held++;
  }
  // The text of each answer counts twice, and half of it for its compressed bodies.
  return 2.5 * held * TEXT.length;
}

/**
 * Sends more pictures than are kept, then requests them again, newest first. Returns
 * the bytes of the kept pictures before the first one that is rendered anew.
 */
export async function fillPictures(): Promise<number> {
  const png = new Uint8Array(100_000);
  let made = 0;
  const send = pictureCache(
    { now, proxies: NO_PROXIES },
    { run: (_client, work) => work() },
    rendererOf(() => Promise.resolve(png)),
  );
  const app = new Hono().get("/:nth", (c) =>
    send(c, {
      key: c.req.param("nth"),
      file: "picture",
      density: 1,
      draw: () => Promise.resolve(String(++made)),
    }));
  const sent = 120;
  for (let nth = 0; nth < sent; nth++) await app.request(`/${nth}`);
  assertEquals(made, sent);
  let held = 0;
  while (held < sent) {
    await app.request(`/${sent - 1 - held}`);
    if (made > sent) break;
    held++;
  }
  return held * png.length;
}

/** Requests one answer by many URLs; returns how many are cached. */
export async function fillTargets(): Promise<number> {
  const answers = responseCache({ now, proxies: NO_PROXIES });
  const content = { text: "1", type: "text/plain", changedAt: null };
  const app = new Hono().get("/", (c) =>
    answers.send(
      c,
      {},
      () => Promise.resolve({ ...content, fetchedAt: NOW }),
    ));
  const targets = Array.from(
    { length: 5_000 },
    (_, nth) => `http://firn.test/?nth=${nth}`,
  );
  for (const target of targets) await app.request(target);
  return targets.filter((target) => answers.recall(new Request(target))).length;
}
