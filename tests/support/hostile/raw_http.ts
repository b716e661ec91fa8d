/** HTTP as bytes: what no client would send, and all that comes back. */

/** Time after which an answer is not waited for any more. */
const MAX_MS = 10_000;

/** Opens a connection to a service. */
export function connectTo(url: string): Promise<Deno.TcpConn> {
  const { hostname, port } = new URL(url);
  return Deno.connect({ hostname, port: Number(port) });
}

/** Sends text, a character a byte, and returns all that comes back until the service hangs up. */
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
    // A service that hangs up has said what it had to.
    if (!(error instanceof Deno.errors.ConnectionReset)) throw error;
  }
  return text;
}

/** Writes without an end to the stream: that would close the connection. */
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
