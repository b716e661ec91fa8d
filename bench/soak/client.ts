/** Clients of a soak: each has its own IP address and repeats one workload. */
import { ownerAt } from "../../tests/support/owners.ts";
import type { PrivateKeyAccount } from "viem/accounts";
import type { Tally } from "./tally.ts";

/** Options of a request, and the accepted statuses. */
export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: BodyInit;
  /** Accepted statuses; only 200 by default. */
  readonly good?: readonly number[];
}

/** A complete response. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A client. */
export interface Client extends Disposable {
  /** Sends a request; throws if the status is not accepted. */
  readonly ask: (path: string, options?: RequestOptions) => Promise<Reply>;
  /** Measures other work. It returns a status, or nothing if there is no response. */
  readonly timed: (
    work: () => Promise<number | void>,
  ) => Promise<number | void>;
  /** Opens another client of the same workload, with its own address. */
  readonly openAnother: () => Client;
  /** Returns the owner of a wallet, whose requests come from this client. */
  readonly owner: (signer: PrivateKeyAccount) => ReturnType<typeof ownerAt>;
}

/** A workload. */
export interface Workload {
  readonly name: string;
  /** Number of concurrent clients. */
  readonly clients: number;
  /** Pause of a client between two runs. */
  readonly pauseMs: number;
  /** Runs once; throws if a response is wrong. `nth` is the client, `turn` counts its runs. */
  readonly run: (
    client: Client,
    at: { readonly nth: number; readonly turn: number },
  ) => Promise<void>;
}

/** The services and the tally that all clients share. */
interface SoakTargets {
  readonly urls: readonly string[];
  readonly publicUrl: string;
  readonly tally: Tally;
}

/** Request timeout. */
const TIMEOUT_MS = 30_000;

/** Latest start of a client. */
const LATEST_MS = 2_000;

/** Returns a function that opens clients. Requests go to the services in turn. */
function clientFactory({ urls, publicUrl, tally }: SoakTargets) {
  let opened = 0;
  return function openClient(workload: string): Client {
    const nth = ++opened;
    const client = Deno.createHttpClient({
      localAddress: `127.${1 + (nth >> 16)}.${nth >> 8 & 255}.${nth & 255}`,
    });
    let sent = nth;

    async function send(path: string, init: RequestInit): Promise<Reply> {
      const url = `${urls[sent++ % urls.length]}${path}`;
      const startedAt = performance.now();
      const response = await fetch(url, {
        redirect: "manual",
        signal: AbortSignal.timeout(TIMEOUT_MS),
        client,
        ...init,
      });
      const { status, headers } = response;
      const text = await response.text();
      tally.answered(workload, status, performance.now() - startedAt);
      return { status, headers, text };
    }

    return {
      async ask(path, { good = [200], ...init } = {}) {
        const reply = await send(path, init);
        if (good.includes(reply.status)) return reply;
        const { method = "GET" } = init;
        const body = reply.text.slice(0, 200);
        throw new Error(
          `${method} ${path} has status ${reply.status}: ${body}`,
        );
      },
      async timed(work) {
        const startedAt = performance.now();
        const status = await work();
        const ms = performance.now() - startedAt;
        tally.answered(workload, status ?? "none", ms);
        return status;
      },
      openAnother: () => openClient(workload),
      owner: (signer) =>
        ownerAt({
          publicUrl,
          async send(path, init) {
            const { status, headers, text } = await send(path, init);
            return new Response(text === "" ? null : text, { status, headers });
          },
        }, signer),
      [Symbol.dispose]: () => client.close(),
    };
  };
}

/** Runs all workloads until the end. Open runs are finished. */
export async function runWorkloads(
  workloads: readonly Workload[],
  targets: SoakTargets,
  end: AbortSignal,
): Promise<void> {
  for (const { name } of workloads) targets.tally.expect(name);
  const openClient = clientFactory(targets);
  await Promise.all(workloads.flatMap((workload) =>
    Array.from(
      { length: workload.clients },
      async (_, nth) => {
        using client = openClient(workload.name);
        const failed = (error: unknown) =>
          targets.tally.wrong(workload.name, error);
        await repeatWorkload(workload, { client, nth, failed }, end);
      },
    )
  ));
}

async function repeatWorkload(
  { pauseMs, run }: Workload,
  { client, nth, failed }: {
    readonly client: Client;
    readonly nth: number;
    readonly failed: (error: unknown) => void;
  },
  end: AbortSignal,
): Promise<void> {
  // A random start, so that the clients do not all start at once.
  await pause(Math.random() * Math.min(pauseMs, LATEST_MS), end);
  for (let turn = 0; !end.aborted; turn++) {
    await run(client, { nth, turn }).catch(failed);
    await pause(pauseMs, end);
  }
}

/** Waits, but no longer than until the end. */
export function pause(ms: number, end: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (end.aborted) return Promise.resolve();
  const timer = setTimeout(resolve, ms);
  const stop = () => resolve();
  end.addEventListener("abort", stop);
  return promise.finally(() => {
    clearTimeout(timer);
    end.removeEventListener("abort", stop);
  });
}
