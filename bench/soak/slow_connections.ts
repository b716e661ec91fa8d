/** Clients on slow lines, and those who leave half way, as connections. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { connectTo } from "../../tests/support/hostile/raw_http.ts";

/** Waits so many milliseconds, or less where all is over. */
type Wait = (ms: number) => Promise<void>;

/** How much goes over a slow line at a time, and how often. */
const SENT_BYTES = 16;
const READ_BYTES = 16_384;
const EVERY_MS = 40;

/** How long those who leave half way stay. */
const STAY_MS = 300;

const SMALL = "/api/chain-data/chains";
const LARGE = "/api/chain-data/metrics?range=all";

const requestFor = (path: string) =>
  new TextEncoder().encode(
    `GET ${path} HTTP/1.1\r\nHost: firn.test\r\nConnection: close\r\n\r\n`,
  );

/** What somebody sends who then leaves: parts of a head and of a body, and a request whose answer nobody reads. */
const HALVES = [
  "GET /api/chain-data/cha",
  "GET /api/chain-data/chains HTTP/1.1\r\nHost: firn.test\r\nX-A: ",
  "POST /api/account/challenges HTTP/1.1\r\nHost: firn.test\r\n" +
  "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
  `GET ${LARGE} HTTP/1.1\r\nHost: firn.test\r\n\r\n`,
];

/** Sends a request a few bytes at a time; returns the status of its answer. */
export async function sendSlowly(url: string, wait: Wait): Promise<number> {
  using conn = await connectTo(url);
  const request = requestFor(SMALL);
  for (let at = 0; at < request.length; at += SENT_BYTES) {
    await conn.write(request.subarray(at, at + SENT_BYTES));
    await wait(EVERY_MS);
  }
  return await readAnswer(conn, () => Promise.resolve());
}

/** Reads a large answer a little at a time; returns its status. */
export async function readSlowly(url: string, wait: Wait): Promise<number> {
  using conn = await connectTo(url);
  await conn.write(requestFor(LARGE));
  return await readAnswer(conn, () => wait(EVERY_MS));
}

/** Sends the half of a request, or reads nothing of an answer, and hangs up. */
export async function abandonRequest(
  url: string,
  nth: number,
  wait: Wait,
): Promise<void> {
  using conn = await connectTo(url);
  await conn.write(new TextEncoder().encode(HALVES[nth % HALVES.length]));
  await wait(STAY_MS);
}

/** Reads until the service hangs up; asserts that the answer came whole. */
async function readAnswer(
  conn: Deno.Conn,
  between: () => Promise<void>,
): Promise<number> {
  const buffer = new Uint8Array(READ_BYTES);
  const decoder = new TextDecoder("latin1");
  let text = "";
  for (;;) {
    const read = await conn.read(buffer);
    if (read === null) break;
    text += decoder.decode(buffer.subarray(0, read), { stream: true });
    await between();
  }
  assertMatch(text, /^HTTP\/1\.1 \d{3} /);
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(text)?.[1];
  assert(length !== undefined, text.slice(0, 500));
  assertEquals(text.length - text.indexOf("\r\n\r\n") - 4, Number(length));
  return Number(text.slice(9, 12));
}
