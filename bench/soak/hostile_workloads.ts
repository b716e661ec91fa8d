/** Workloads of hostile clients and of clients on slow connections. */
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

/** Number of clients that send hostile requests. */
const CLIENTS = 4;

/** Hostile requests of each kind, sent in turn. */
const OF_EACH = 2_000;

/** Key pair number of the abused account. */
const WALLET_NUMBER = 6_666;

const FRAMING =
  /^(content-length|transfer-encoding|connection|upgrade|expect|te|host)$/i;

/** Requests that query real name servers, or end the only session. */
const EXCLUDED = /^\w+ \S+\/socials\/|^DELETE \S+\/session\b/;

/** Accepted statuses of a hostile request: all but an error of the service itself. */
const ACCEPTED = [
  ...Array.from({ length: 300 }, (_, nth) => 200 + nth),
  // A feature that is not configured, and an upstream whose rate limit is reached.
  501,
  503,
];

/** Returns the workloads with hostile, slow and aborted requests. */
export async function hostileWorkloads(
  { deps, services }: Environment,
  end: AbortSignal,
): Promise<Workload[]> {
  const app = createApp(deps);
  const document = await (await app.request("/openapi.json")).json();
  const requests = sampleHostile({ app, document }, { ofEach: OF_EACH })
    .filter(({ method, target }) => !EXCLUDED.test(`${method} ${target}`));
  const owner = newOwner(deps, keyPair(WALLET_NUMBER));
  await owner.signIn();
  // A test key: the cost of hostile requests is unknown, so they must not spend units.
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
  const wait = (ms: number) => pause(ms, end);
  const connections = (
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
      clients: CLIENTS,
      pauseMs: 60,
      async run(client, { nth, turn }) {
        const request = requests[(nth + turn * CLIENTS) % requests.length]!;
        const { status, headers, text } = await client.ask(request.target, {
          method: request.method,
          headers: { ...headersOf[request.sender], ...sentOf(request) },
          ...(request.body === null ? {} : { body: request.body }),
          good: ACCEPTED,
        });
        if (status >= 400) assert(!INSIDES.test(text), text);
        if (status === 503) assert(headers.has("Retry-After"), text);
      },
    },
    connections("slow requests", 6, (url) => sendSlowly(url, wait)),
    connections("slow readers", 4, (url) => readSlowly(url, wait)),
    connections(
      "aborted requests",
      4,
      (url, turn) => abandonRequest(url, turn, wait),
    ),
  ];
}

/** Returns the headers of a request without those that `fetch` sets itself. */
function sentOf({ headers }: HostileRequest): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !FRAMING.test(name)),
  );
}
