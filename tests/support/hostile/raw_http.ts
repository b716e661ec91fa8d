/** Sends HTTP as raw bytes, and returns the raw response. */

/** Time limit of a response. */
const MAX_MS = 10_000;

/** Opens a connection to a service. */
export function connectTo(url: string): Promise<Deno.TcpConn> {
  const { hostname, port } = new URL(url);
  return Deno.connect({ hostname, port: Number(port) });
}

/** Sends text, one byte per character, and returns the response until the service closes the connection. */
export async function exchange(url: string, sent: string): Promise<string> {
  using conn = await connectTo(url);
  const giveUp = setTimeout(() => conn.close(), MAX_MS);
  try {
    const [received] = await Promise.all([receive(conn), send(conn, sent)]);
    return received;
  } finally {
    clearTimeout(giveUp);
  }
}

async function receive(conn: Deno.Conn): Promise<string> {
  const decoder = new TextDecoder("latin1");
  let text = "";
  try {
    for await (const bytes of conn.readable) {
      text += decoder.decode(bytes, { stream: true });
    }
  } catch (error) {
    // The service has sent its response before it closes the connection.
    if (!(error instanceof Deno.errors.ConnectionReset)) throw error;
  }
  return text;
}

/** Writes without closing the stream, which would close the connection. */
async function send(conn: Deno.Conn, text: string): Promise<void> {
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  try {
    for (let at = 0; at < bytes.length;) {
      at += await conn.write(bytes.subarray(at));
    }
  } catch (error) {
    const isHungUp = error instanceof Deno.errors.BrokenPipe ||
      error instanceof Deno.errors.ConnectionReset;
    if (!isHungUp) throw error;
  }
}
