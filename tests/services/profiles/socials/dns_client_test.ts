/** The DNS client against a local name server. */
import { assertEquals, assertRejects } from "@std/assert";
// @ts-types="@types/dns-packet"
import { type Answer, decode, encode } from "dns-packet";
import { createSocket } from "node:dgram";
import { Fault } from "../../../../services/platform/fault.ts";
import {
  domainNames,
  nativeResolver,
  type TxtAnswer,
} from "../../../../services/profiles/socials/dns_client.ts";

const SILENT = "_firn.silent.example";

/** The records of the server, by name. */
const RECORDS: readonly Answer[] = [
  { type: "TXT", name: "_firn.a.example", data: ["first", " part"] },
  { type: "TXT", name: "_firn.a.example", data: "second" },
  { type: "CNAME", name: "_firn.alias.example", data: "b.example" },
  { type: "TXT", name: "b.example", data: "of another zone" },
  { type: "TXT", name: "empty.example", data: "above" },
];

/** Starts a name server that follows aliases like resolvers do. */
async function startNameServer() {
  const socket = createSocket("udp4");
  socket.on("message", (message, { port, address }) => {
    const { id, questions = [] } = decode(message);
    const { name = "", type } = questions[0] ?? {};
    if (name === SILENT) return;
    const own = RECORDS.filter((record) => record.name === name);
    const alias = own.find((record) => record.type === "CNAME");
    const target = alias && "data" in alias ? alias.data : null;
    const answers = [
      ...own.filter((record) => record.type === type || record === alias),
      ...RECORDS.filter((record) =>
        record.name === target && record.type === type
      ),
    ].map((record) => ({ ...record, ttl: 1 }) as Answer);
    const response = { type: "response", id, questions, answers } as const;
    socket.send(encode(response), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  const nameServer = { ipAddr: "127.0.0.1", port: socket.address().port };
  return {
    resolver: nativeResolver({ nameServer }),
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => socket.close(() => resolve())),
  };
}

Deno.test("readTexts() joins the strings of a record and reports aliases", async (t) => {
  await using server = await startNameServer();
  const { readTexts } = domainNames(server.resolver, { timeoutMs: 5_000 });
  const cases: [name: string, read: TxtAnswer][] = [
    ["_firn.a.example", { kind: "texts", texts: ["first part", "second"] }],
    ["_firn.alias.example", { kind: "alias" }],
    ["_firn.empty.example", { kind: "texts", texts: [] }],
  ];
  for (const [name, read] of cases) {
    await t.step(name, async () => assertEquals(await readTexts(name), read));
  }
});

Deno.test("readTexts() throws a fault if the server does not answer", async () => {
  await using server = await startNameServer();
  const { readTexts } = domainNames(server.resolver, { timeoutMs: 200 });
  const { failure } = await assertRejects(() => readTexts(SILENT), Fault);
  assertEquals(failure.kind, "upstreamDown");
});
