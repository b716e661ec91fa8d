/** Workloads with an API key. A 200 costs one unit, a batch one unit per address. */
import { assert, assertEquals } from "@std/assert";
import { exampleOf, type Persona } from "../../simnet/accounts.ts";
import type { BenchCaller } from "../scores/keyed_callers.ts";
import { pickOne } from "./public_workloads.ts";
import type { Tally } from "./tally.ts";
import type { Client, Reply, RequestOptions, Workload } from "./client.ts";
import type { Environment } from "./environment.ts";

/** Addresses in a batch. */
const BATCH = 25;

/** Concurrent requests of the greedy caller. They exceed its burst limit. */
const RUSH = 8;

const PERSONAS: readonly Persona[] = ["ordinary", "new", "heavy", "dormant"];

/** Returns the workloads with a key. The first caller is used by the greedy workload only. */
export function keyedWorkloads(
  { callers: [greedy, ...callers] }: Environment,
  tally: Tally,
): Workload[] {
  const addresses = callers.map(({ address }) => address);

  /** Sends a request with a key and counts the units that it costs. */
  async function spend(
    client: Client,
    { key, wallet }: BenchCaller,
    path: string,
    { units = 1, ...options }: RequestOptions & { units?: number } = {},
  ): Promise<Reply> {
    const headers = { "X-Api-Key": key, ...options.headers };
    const reply = await client.ask(path, { ...options, headers });
    if (reply.status === 200) tally.spent(wallet, units);
    return reply;
  }

  /** Returns the callers in turn. */
  const inTurn = ({ nth, turn }: Turn, clients: number) =>
    callers[(nth + turn * clients) % callers.length]!;

  const scoring = (
    name: string,
    { clients, pauseMs, pathOf }: {
      clients: number;
      pauseMs: number;
      pathOf: (at: Turn) => string;
    },
  ): Workload => ({
    name,
    clients,
    pauseMs,
    async run(client, at) {
      const caller = inTurn(at, clients);
      const path = pathOf(at);
      const { text } = await spend(client, caller, path);
      const body = JSON.parse(text);
      assert(path.includes(body.address), text);
      assert(Number.isFinite(body.score ?? body.count), text);
    },
  });

  return [
    scoring("scores, warm", {
      clients: 12,
      pauseMs: 180,
      pathOf: () => `/api/v1/score/${pickOne(addresses)}`,
    }),
    scoring("scores, cold", {
      clients: 1,
      // The explorer index allows two calls per second.
      pauseMs: 5_000,
      pathOf: ({ turn }) => {
        const persona = PERSONAS[turn % PERSONAS.length]!;
        return `/api/v1/score/${exampleOf(persona, 1_000 + turn)}`;
      },
    }),
    scoring("histories", {
      clients: 4,
      pauseMs: 250,
      pathOf: () =>
        `/api/v1/score/${pickOne(addresses)}/history?days=90&include=breakdown`,
    }),
    {
      name: "batches",
      clients: 2,
      pauseMs: 300,
      async run(client, at) {
        const requested = Array.from(
          { length: BATCH },
          () => pickOne(addresses),
        );
        const { text } = await spend(
          client,
          inTurn(at, 2),
          "/api/v1/score/batch",
          {
            method: "POST",
            headers: { "Content-Type": "application/json" },
            body: JSON.stringify({ addresses: requested }),
            units: BATCH,
          },
        );
        const { results } = JSON.parse(text);
        assertEquals(
          results.map(({ address }: { address: string }) => address),
          requested,
        );
      },
    },
    {
      name: "signed scores",
      clients: 1,
      pauseMs: 500,
      async run(client, at) {
        const path = `/api/v1/score/${pickOne(addresses)}/signed`;
        const { text } = await spend(client, inTurn(at, 1), path);
        assertEquals(JSON.parse(text).signature.length, 132, text);
      },
    },
    {
      name: "usage",
      clients: 1,
      pauseMs: 250,
      async run(client, at) {
        const { key, wallet } = inTurn(at, 1);
        const before = tally.units.get(wallet) ?? 0;
        const { text } = await client.ask("/api/v1/usage", {
          headers: { "X-Api-Key": key },
        });
        assert(JSON.parse(text).used >= before, `${before}: ${text}`);
      },
    },
    {
      name: "burst limit exceeded",
      clients: 1,
      pauseMs: 3_000,
      async run(client) {
        const path = `/api/v1/score/${greedy!.address}`;
        const good = [200, 429];
        const rush = Array.from(
          { length: RUSH },
          () => spend(client, greedy!, path, { good }),
        );
        for (const { status, headers } of await Promise.all(rush)) {
          assertEquals(status === 429, headers.has("Retry-After"));
        }
      },
    },
    {
      name: "refused keys",
      clients: 1,
      pauseMs: 200,
      async run(client) {
        const key = `firn_live_${"A".repeat(38)}`;
        const { text } = await client.ask(
          `/api/v1/score/${pickOne(addresses)}`,
          {
            headers: { "X-Api-Key": key },
            good: [401],
          },
        );
        assertEquals(JSON.parse(text).code, "UNAUTHORIZED");
      },
    },
  ];
}

type Turn = Parameters<Workload["run"]>[1];
