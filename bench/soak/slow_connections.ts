/** Slow and aborted requests on raw connections. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { connectTo } from "../../tests/support/hostile/raw_http.ts";

/** Waits, but no longer than until the end of the soak. */
type Wait = (ms: number) => Promise<void>;

/** Bytes per write and per read on a slow connection, and the interval. */
const SENT_BYTES = 16;
const READ_BYTES = 16_384;
const EVERY_MS = 40;

/** Time until an aborted request is closed. */
const STAY_MS = 300;

const SMALL = "/api/chain-data/chains";
const LARGE = "/api/chain-data/metrics?range=all";

const requestFor = (path: string) =>
  new TextEncoder().encode(
    `GET ${path} HTTP/1.1\r\nHost: firn.test\r\nConnection: close\r\n\r\n`,
  );

/** Requests that are aborted: incomplete heads, an incomplete body, and an unread response. */
const ABORTED_REQUESTS = [
  "GET /api/chain-data/cha",
  "GET /api/chain-data/chains HTTP/1.1\r\nHost: firn.test\r\nX-A: ",
  "POST /api/account/challenges HTTP/1.1\r\nHost: firn.test\r\n" +
  "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
  `GET ${LARGE} HTTP/1.1\r\nHost: firn.test\r\n\r\n`,
];

/** Sends a request slowly; returns the status. */
export async function sendSlowly(url: string, wait: Wait): Promise<number> {
  using conn = await connectTo(url);
  const request = requestFor(SMALL);
  for (let at = 0; at < request.length; at += SENT_BYTES) {
    await conn.write(request.subarray(at, at + SENT_BYTES));
    await wait(EVERY_MS);
  }
  return await readAnswer(conn, () => Promise.resolve());
}

/** Reads a large response slowly; returns the status. */
export async function readSlowly(url: string, wait: Wait): Promise<number> {
  using conn = await connectTo(url);
  await conn.write(requestFor(LARGE));
  return await readAnswer(conn, () => wait(EVERY_MS));
}

/** Sends a part of a request, or reads nothing of the response, and closes the connection. */
export async function abandonRequest(
  url: string,
  nth: number,
  wait: Wait,
): Promise<void> {
  using conn = await connectTo(url);
  await conn.write(
    new TextEncoder().encode(ABORTED_REQUESTS[nth % ABORTED_REQUESTS.length]),
  );
  await wait(STAY_MS);
}

/** Reads until the service closes the connection; asserts that the response is complete. */
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
