/** Malformed and stalled HTTP requests: each gets one refusal, and other clients are not affected. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { settingsOf, startSimnet } from "../../simnet/start.ts";
import { connectTo, exchange } from "../support/hostile/raw_http.ts";
import {
  type RunningService,
  startService,
} from "../support/processes/service.ts";

const PATH = "/api/chain-data/chains";
const LONG = "a".repeat(1_000_000);

/** A GET request with unusual header lines. The connection closes after it. */
const get = (target: string, ...head: string[]) =>
  headOf(`GET ${target} HTTP/1.1`, "Host: localhost", ...head);

function headOf(...lines: readonly string[]): string {
  return [...lines, "Connection: close", "", ""].join("\r\n");
}

/** A POST request with unusual framing of its body. */
function post(framing: readonly string[], body: string): string {
  const head = headOf(
    "POST /api/account/challenges HTTP/1.1",
    "Host: localhost",
    "Content-Type: application/json",
    ...framing,
  );
  return head + body;
}

const SMUGGLED = `GET /api/v1 HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const CHUNKED = "Transfer-Encoding: chunked";

/** What is sent, and the status of the one answer; null if the service closes the connection without one. */
const CASES: Record<string, [sent: string, status: number | null]> = {
  "a URL of a million characters": [get(`${PATH}?a=${LONG}`), 400],
  "a header of a million characters": [get(PATH, `X-A: ${LONG}`), 400],
  "a thousand headers": [
    get(PATH, ...Array.from({ length: 1_000 }, (_, nth) => `X-${nth}: 1`)),
    400,
  ],
  "a body of a million characters": [
    post([`Content-Length: ${LONG.length}`], LONG),
    413,
  ],
  "a body of a million characters in chunks": [
    post([CHUNKED], `${"a\r\n0123456789\r\n".repeat(100_000)}0\r\n\r\n`),
    413,
  ],
  "Content-Length and Transfer-Encoding": [
    post(["Content-Length: 4", CHUNKED], `0\r\n\r\n${SMUGGLED}`),
    400,
  ],
  "two Transfer-Encodings": [
    post([CHUNKED, "Transfer-Encoding: identity"], `0\r\n\r\n${SMUGGLED}`),
    400,
  ],
  "an unknown Transfer-Encoding": [
    post(["Transfer-Encoding: xchunked"], `0\r\n\r\n${SMUGGLED}`),
    400,
  ],
  "two lengths": [
    post(["Content-Length: 5", "Content-Length: 6"], "123456"),
    400,
  ],
  "a length with a sign": [post(["Content-Length: +5"], "12345"), 400],
  "a negative length": [post(["Content-Length: -5"], "12345"), 400],
  "a length that exceeds every number type": [
    post([`Content-Length: ${"9".repeat(30)}`], "12345"),
    400,
  ],
  "a chunk size that is not a number": [
    post([CHUNKED], "zz\r\nabc\r\n0\r\n\r\n"),
    null,
  ],
  "a chunk size that exceeds every number type": [
    post([CHUNKED], `${"f".repeat(18)}\r\nabc\r\n0\r\n\r\n`),
    null,
  ],
  "a space before a colon": [get(PATH, "X-Api-Key : x"), 400],
  "a folded header": [get(PATH, "X-A: b\r\n c: d"), 400],
  "a zero byte in a header": [get(PATH, "X-A: a\0b"), 400],
  "lines that end in CR alone": [`GET ${PATH} HTTP/1.1\r\r`, 400],
  "two hosts": [get(PATH, "Host: evil.test"), 400],
  "a host with a path in it": [
    headOf(`GET ${PATH} HTTP/1.1`, "Host: evil.test/api/v1?x="),
    400,
  ],
  "an invalid host": [
    headOf(`GET ${PATH} HTTP/1.1`, "Host: a b/?#"),
    400,
  ],
  "a host with half a bracket": [
    headOf(`GET /api/v1 HTTP/1.1`, "Host: [::1"),
    400,
  ],
  "CONNECT to another host": [
    headOf("CONNECT evil.test:443 HTTP/1.1", "Host: evil.test:443"),
    404,
  ],
  "TRACE": [
    headOf(`TRACE ${PATH} HTTP/1.1`, "Host: x", "X-Api-Key: sent"),
    405,
  ],
  "a method in lower case": [
    headOf(`get ${PATH} HTTP/1.1`, "Host: x"),
    405,
  ],
  "a method named like a member of every object": [
    headOf(`constructor ${PATH} HTTP/1.1`, "Host: x"),
    405,
  ],
  "the method __proto__": [
    headOf(`__proto__ /docs HTTP/1.1`, "Host: x"),
    405,
  ],
  "an asterisk": [headOf("OPTIONS * HTTP/1.1", "Host: x"), 404],
  "bytes of TLS": ["\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n", 400],
  "HTTP/0.9": ["GET /\r\n\r\n", 400],
  "an unsupported HTTP version": [
    `GET ${PATH} HTTP/3.0\r\nHost: x\r\n\r\n`,
    400,
  ],
};

Deno.test("malformed HTTP gets one refusal, or no answer", async (t) => {
  await using simnet = startSimnet();
  await using service = await startService({
    KV_PATH: ":memory:",
    ...settingsOf(simnet),
  });
  for (const [name, [sent, status]] of Object.entries(CASES)) {
    await t.step(name, async () => {
      const answer = await exchange(service.url, sent);
      const seen = [...answer.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)]
        .map(([, status]) => Number(status));
      assertEquals(seen, status === null ? [] : [status], answer);
      assert(answer.length < 10_000, `${answer.length} characters`);
      await assertServes(service);
    });
  }
  await t.step("a redirect stays on the requested host", async () => {
    const head = headOf("GET /docs/ HTTP/1.1", "Host: evil.test");
    assertMatch(await exchange(service.url, head), /^location: \/docs\r$/m);
  });
  assertEquals(service.output().match(/^.*"level":"error".*$/gm), null);
});

Deno.test("connections with unfinished requests do not block other clients", async () => {
  await using simnet = startSimnet();
  await using service = await startService({
    KV_PATH: ":memory:",
    ...settingsOf(simnet),
  });
  const halves = [
    "GE",
    `GET ${PATH} HTTP/1.1\r\nHost: x\r\nX-A: `,
    "POST /api/account/challenges HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{",
    `POST /api/account/challenges HTTP/1.1\r\nHost: x\r\n${CHUNKED}\r\n\r\n5\r\n{`,
  ];
  const connections: Deno.TcpConn[] = [];
  try {
    for (let nth = 0; nth < 400; nth++) {
      const connection = await connectTo(service.url);
      connections.push(connection);
      const half = halves[nth % halves.length]!;
      await connection.write(new TextEncoder().encode(half));
    }
    for (let request = 0; request < 20; request++) {
      await assertServes(service);
      for (const connection of connections) {
        // Slow clients send a byte now and then. Some connections are closed by now.
        await connection.write(new Uint8Array([0x20])).catch(() => {});
      }
    }
  } finally {
    for (const connection of connections) connection.close();
  }
  await assertServes(service);
  assertEquals(service.output().match(/^.*"level":"error".*$/gm), null);
});

async function assertServes({ url }: RunningService): Promise<void> {
  const response = await fetch(`${url}${PATH}?format=csv`);
  assertEquals(response.status, 200);
  await response.body?.cancel();
}
