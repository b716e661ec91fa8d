/** A keep-alive HTTP/1.1 connection for load tests. It needs less CPU time than a server. */

/** An answer. The body is a view of the connection's buffer and valid until the next request. */
interface Answer {
  readonly status: number;
  /** Status line and headers, as sent. */
  readonly head: string;
  readonly body: Uint8Array;
}

/** A connection with one request at a time. */
interface Connection extends Disposable {
  /** Sends a request as bytes and reads the whole answer. */
  ask(request: Uint8Array): Promise<Answer>;
}

/** The end of a body that is sent in chunks. */
const LAST_CHUNK = new TextEncoder().encode("0\r\n\r\n");

/** Largest size of a response head in bytes. */
const MAX_HEAD_BYTES = 2048;

/** Encodes a GET request. */
export function getRequest(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Uint8Array {
  const { host, pathname, search } = new URL(url);
  const lines = Object.entries({ Host: host, ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`);
  return new TextEncoder().encode(
    `GET ${pathname}${search} HTTP/1.1\r\n${lines.join("")}\r\n`,
  );
}

/** Encodes a POST request. */
export function postRequest(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Uint8Array {
  const { host, pathname } = new URL(url);
  const { byteLength } = new TextEncoder().encode(body);
  const all = { Host: host, "Content-Length": String(byteLength), ...headers };
  const lines = Object.entries(all)
    .map(([name, value]) => `${name}: ${value}\r\n`);
  return new TextEncoder().encode(
    `POST ${pathname} HTTP/1.1\r\n${lines.join("")}\r\n${body}`,
  );
}

/** Opens a connection to the host of a URL. */
export async function connect(url: string): Promise<Connection> {
  const { hostname, port } = new URL(url);
  const socket = await Deno.connect({ hostname, port: Number(port) });
  const decoder = new TextDecoder();
  let buffer = new Uint8Array(2 ** 16);

  /** Reads more bytes into the buffer and returns the number of bytes in it. */
  async function readOn(filled: number): Promise<number> {
    const read = await socket.read(buffer.subarray(filled));
    if (read === null) throw new Error(`Cannot read ${url}: closed`);
    return filled + read;
  }

  return {
    async ask(request) {
      await socket.write(request);
      let filled = await readOn(0);
      let head = readHead(decoder, buffer.subarray(0, filled));
      while (head === null) {
        filled = await readOn(filled);
        head = readHead(decoder, buffer.subarray(0, filled));
      }
      const start = head.length + 4;
      const length = lengthIn(head);
      // A body without a length ends with an empty chunk, and nothing follows it.
      const isWhole = () =>
        length === null
          ? endsWith(buffer.subarray(start, filled), LAST_CHUNK)
          : filled >= start + length;
      while (!isWhole()) {
        if (filled === buffer.length) {
          const larger = new Uint8Array(2 * filled);
          larger.set(buffer);
          buffer = larger;
        }
        filled = await readOn(filled);
      }
      const end = length === null ? filled : start + length;
      const status = Number(head.slice(9, 12));
      return { status, head, body: buffer.subarray(start, end) };
    },
    [Symbol.dispose]: () => socket.close(),
  };
}

/** Returns the response head at the start of the bytes; null if it is incomplete. */
function readHead(decoder: TextDecoder, bytes: Uint8Array): string | null {
  const text = decoder.decode(bytes.subarray(0, MAX_HEAD_BYTES));
  const end = text.indexOf("\r\n\r\n");
  return end < 0 ? null : text.slice(0, end);
}

function endsWith(bytes: Uint8Array, end: Uint8Array): boolean {
  return end.every((byte, at) => bytes.at(at - end.length) === byte);
}

/** Returns the length of a body; null if it is sent in chunks. */
function lengthIn(head: string): number | null {
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  return length === undefined ? null : Number(length);
}

/** Sends one request on a new connection; throws unless the status is 200. */
export async function askOnce(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  using connection = await connect(url);
  const answer = await connection.ask(getRequest(url, headers));
  if (answer.status !== 200) {
    throw new Error(`Cannot use ${url}: ${answer.head}`);
  }
  return answer;
}
