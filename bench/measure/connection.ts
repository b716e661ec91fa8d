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

/** Largest size of a response head in bytes. */
const MAX_HEAD_BYTES = 1024;

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
      const end = start + lengthIn(head);
      if (end > buffer.length) {
        const larger = new Uint8Array(end + MAX_HEAD_BYTES);
        larger.set(buffer.subarray(0, filled));
        buffer = larger;
      }
      while (filled < end) filled = await readOn(filled);
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

function lengthIn(head: string): number {
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`No Content-Length in ${head}`);
  return Number(length);
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
