/** Visitors: each comes from an address of its own, asks, looks at the answer, and comes back. */
import { ownerAt } from "../../tests/support/owners.ts";
import type { PrivateKeyAccount } from "viem/accounts";
import type { Tally } from "./tally.ts";

/** A request, and what is a good answer to it. */
export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: BodyInit;
  /** 200 alone where nothing is said. */
  readonly good?: readonly number[];
}

/** An answer, read to its end. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Somebody who asks. */
export interface Client extends Disposable {
  /** Asks; throws where the status is not a good one. */
  readonly ask: (path: string, options?: RequestOptions) => Promise<Reply>;
  /** Has something else counted as a run: `work` returns a status, or nothing where there is no answer. */
  readonly timed: (
    work: () => Promise<number | void>,
  ) => Promise<number | void>;
  /** Lets somebody else in, from another address. */
  readonly another: () => Client;
  /** The account of a wallet, asked for from here. */
  readonly owner: (signer: PrivateKeyAccount) => ReturnType<typeof ownerAt>;
}

/** Visitors of one kind. */
export interface Workload {
  readonly name: string;
  /** How many there are at once. */
  readonly clients: number;
  /** How long each stays away between two visits. */
  readonly pauseMs: number;
  /** Visits for the `turn`-th time; throws where an answer is not as it should be. */
  readonly run: (
    client: Client,
    at: { readonly nth: number; readonly turn: number },
  ) => Promise<void>;
}

/** What clients share. */
export interface SoakTargets {
  readonly urls: readonly string[];
  readonly publicUrl: string;
  readonly tally: Tally;
}

/** Longest that an answer may take, all of it. */
const LONGEST_MS = 30_000;

/** When the last of them comes for the first time. */
const LATEST_MS = 2_000;

/** Opens a door: whoever it lets in belongs to a workload, and their requests go to each of the services in turn. */
function clientFactory({ urls, publicUrl, tally }: SoakTargets) {
  let arrived = 0;
  return function openClient(workload: string): Client {
    const nth = ++arrived;
    const client = Deno.createHttpClient({
      localAddress: `127.${1 + (nth >> 16)}.${nth >> 8 & 255}.${nth & 255}`,
    });
    let asked = nth;

    async function send(path: string, init: RequestInit): Promise<Reply> {
      const url = `${urls[asked++ % urls.length]}${path}`;
      const startedAt = performance.now();
      const response = await fetch(url, {
        redirect: "manual",
        signal: AbortSignal.timeout(LONGEST_MS),
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
        const said = reply.text.slice(0, 200);
        throw new Error(`${method} ${path} is a ${reply.status}: ${said}`);
      },
      async timed(work) {
        const startedAt = performance.now();
        const status = await work();
        const ms = performance.now() - startedAt;
        tally.answered(workload, status ?? "none", ms);
        return status;
      },
      another: () => openClient(workload),
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

/** Has all clients of all workloads come and go until it is over; visits under way are finished. */
export async function runWorkloads(
  workloads: readonly Workload[],
  targets: SoakTargets,
  over: AbortSignal,
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
        await repeatWorkload(workload, { client, nth, failed }, over);
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
  over: AbortSignal,
): Promise<void> {
  // So that they do not all come at once, and yet soon.
  await pause(Math.random() * Math.min(pauseMs, LATEST_MS), over);
  for (let turn = 0; !over.aborted; turn++) {
    await run(client, { nth, turn }).catch(failed);
    await pause(pauseMs, over);
  }
}

/** Waits so long, or until it is over. */
export function pause(ms: number, over: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (over.aborted) return Promise.resolve();
  const timer = setTimeout(resolve, ms);
  const end = () => resolve();
  over.addEventListener("abort", end);
  return promise.finally(() => {
    clearTimeout(timer);
    over.removeEventListener("abort", end);
  });
}
