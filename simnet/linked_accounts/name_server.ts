/** A name server (RFC 1035) on a free UDP port of 127.0.0.1. */
// @ts-types="@types/dns-packet"
import { type Answer, decode, encode } from "dns-packet";
import { createSocket } from "node:dgram";

/** A running name server. */
interface NameServer extends AsyncDisposable {
  readonly ipAddr: string;
  readonly port: number;
}

/** Starts a server of these records, which may change. It follows aliases like resolvers do. */
export async function startNameServer(
  records: readonly Answer[],
): Promise<NameServer> {
  const ipAddr = "127.0.0.1";
  const socket = createSocket("udp4");
  socket.on("message", (message, { port, address }) => {
    const { id, questions = [] } = decode(message);
    const { name = "", type } = questions[0] ?? {};
    const own = records.filter((record) => record.name === name.toLowerCase());
    const alias = own.find((record) => record.type === "CNAME");
    const target = alias && "data" in alias ? alias.data : null;
    const answers = [
      ...own.filter((record) => record.type === type || record === alias),
      ...records.filter((record) =>
        record.name === target && record.type === type
      ),
    ].map((record) => ({ ...record, ttl: 1 }) as Answer);
    const response = { type: "response", id, questions, answers } as const;
    socket.send(encode(response), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, ipAddr, resolve));
  return {
    ipAddr,
    port: socket.address().port,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => socket.close(() => resolve())),
  };
}
