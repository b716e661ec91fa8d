/** Visitors who mean no good, and those on a slow line. */
import { assert, assertEquals } from "@std/assert";
import { createApp } from "../../routes/app.ts";
import { createApiKey } from "../../services/accounts/api_keys.ts";
import type {
  HostileRequest,
  Sender,
} from "../../tests/support/hostile/hostile_requests.ts";
import { sampleHostile } from "../../tests/support/hostile/hostile_sample.ts";
import { INSIDES } from "../../tests/support/hostile/hostile_service.ts";
import { keyPair, newOwner } from "../../tests/support/owners.ts";
import { abandonRequest, readSlowly, sendSlowly } from "./slow_connections.ts";
import { pause, type Workload } from "./client.ts";
import type { Environment } from "./environment.ts";

/** Who sends hostile requests at once. */
const VISITORS = 4;

/** Requests of each kind, taken in turn. */
const OF_EACH = 2_000;

/** Whose account is abused. */
const WALLET_NUMBER = 6_666;

const FRAMING =
  /^(content-length|transfer-encoding|connection|upgrade|expect|te|host)$/i;

/** What asks other people's name servers, and what would sign the only session out. */
const LEFT_OUT = /^\w+ \S+\/socials\/|^DELETE \S+\/session\b/;

/** Answers that a hostile request may have: any but an error of the service itself. */
const GOOD = [
  ...Array.from({ length: 300 }, (_, nth) => 200 + nth),
  // What this deployment does not have, and an upstream whose calls are used up.
  501,
  503,
];

/** Everybody whose requests are bad, late or never finished. */
export async function hostileWorkloads(
  { deps, services }: Environment,
  over: AbortSignal,
): Promise<Workload[]> {
  const app = createApp(deps);
  const document = await (await app.request("/openapi.json")).json();
  const requests = sampleHostile({ app, document }, { ofEach: OF_EACH })
    .filter(({ method, target }) => !LEFT_OUT.test(`${method} ${target}`));
  const owner = newOwner(deps, keyPair(WALLET_NUMBER));
  await owner.signIn();
  // A key that costs nothing: what hostile requests come to cannot be known.
  const { wallet } = owner;
  const order = { wallet, name: "soak", kind: "test" } as const;
  const { key } = (await createApiKey(deps, order))!;
  const headersOf: Record<Sender, Record<string, string>> = {
    nobody: { "Origin": deps.publicUrl },
    live: { "X-Api-Key": key },
    test: { "X-Api-Key": key },
    session: { "Origin": deps.publicUrl, "Cookie": owner.cookie() },
    forger: { "Origin": "https://evil.test" },
  };
  const wait = (ms: number) => pause(ms, over);
  const line = (
    name: string,
    clients: number,
    use: (url: string, turn: number) => Promise<number | void>,
  ): Workload => ({
    name,
    clients,
    pauseMs: 500,
    async run(client, { nth, turn }) {
      const { url } = services[(nth + turn) % services.length]!;
      const status = await client.timed(() => use(url, turn));
      if (status !== undefined) assertEquals(status, 200);
    },
  });
  return [
    {
      name: "hostile requests",
      clients: VISITORS,
      pauseMs: 60,
      async run(client, { nth, turn }) {
        const request = requests[(nth + turn * VISITORS) % requests.length]!;
        const { status, headers, text } = await client.ask(request.target, {
          method: request.method,
          headers: { ...headersOf[request.sender], ...sentOf(request) },
          ...(request.body === null ? {} : { body: request.body }),
          good: GOOD,
        });
        if (status >= 400) assert(!INSIDES.test(text), text);
        if (status === 503) assert(headers.has("Retry-After"), text);
      },
    },
    line("slow requests", 6, (url) => sendSlowly(url, wait)),
    line("slow readers", 4, (url) => readSlowly(url, wait)),
    line("left half way", 4, (url, turn) => abandonRequest(url, turn, wait)),
  ];
}

/** Returns the headers of a request but those that a client on a connection writes itself. */
function sentOf({ headers }: HostileRequest): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !FRAMING.test(name)),
  );
}
