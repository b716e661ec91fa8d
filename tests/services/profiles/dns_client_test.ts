/** The DNS client against a local name server. */
import { CALL_OPTIONS } from "../../support/upstreams.ts";
import { assertEquals, assertRejects } from "@std/assert";
import type { Answer } from "dns-packet";
import { createSocket } from "node:dgram";
import { Fault } from "../../../services/platform/fault.ts";
import { startNameServer } from "../../../simnet/linked_accounts/name_server.ts";
import {
  domainNames,
  nativeResolver,
  type TxtAnswer,
} from "../../../services/profiles/dns_client.ts";

// @ts-types="@types/dns-packet"

const FREE = { acquire: () => Promise.resolve() };

/** The records of the server, by name. */
const RECORDS: readonly Answer[] = [
  { type: "TXT", name: "_firn.a.example", data: ["first", " part"] },
  { type: "TXT", name: "_firn.a.example", data: "second" },
  { type: "CNAME", name: "_firn.alias.example", data: "b.example" },
  { type: "TXT", name: "b.example", data: "of another zone" },
  { type: "TXT", name: "empty.example", data: "above" },
];

Deno.test("readTexts() joins the strings of a record and reports aliases", async (t) => {
  await using nameServer = await startNameServer(RECORDS);
  const resolver = nativeResolver({ nameServer });
  const { readTexts } = domainNames(resolver, {
    timeoutMs: 5_000,
    rateLimiter: FREE,
  });
  const cases: [name: string, read: TxtAnswer][] = [
    ["_firn.a.example", { kind: "texts", texts: ["first part", "second"] }],
    ["_firn.alias.example", { kind: "alias" }],
    ["_firn.empty.example", { kind: "texts", texts: [] }],
  ];
  for (const [name, read] of cases) {
    await t.step(
      name,
      async () => assertEquals(await readTexts(name, CALL_OPTIONS), read),
    );
  }
});

Deno.test("readTexts() throws a fault if the server does not answer", async () => {
  await using silent = createSocket("udp4");
  await new Promise<void>((resolve) => silent.bind(0, "127.0.0.1", resolve));
  const nameServer = { ipAddr: "127.0.0.1", port: silent.address().port };
  const resolver = nativeResolver({ nameServer });
  const { readTexts } = domainNames(resolver, {
    timeoutMs: 200,
    rateLimiter: FREE,
  });
  const { failure } = await assertRejects(
    () => readTexts("a.example", CALL_OPTIONS),
    Fault,
  );
  assertEquals(failure.kind, "upstreamDown");
});
