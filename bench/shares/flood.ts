/** Clients that send requests until they are stopped. */
import { connect, getRequest, postRequest } from "../measure/connection.ts";

/** One client of a flood: what it sends, and how long it rests after each answer. */
export interface Client {
  /** Returns the path of the next request. */
  readonly next: () => string;
  /** Returns the body of the next request, if it is a POST. */
  readonly body?: () => string;
  readonly headers: Readonly<Record<string, string>>;
  readonly restMs: number;
}

/** Statuses and times in ms of the answers that a client got. */
interface Served {
  readonly statuses: number[];
  readonly times: number[];
}

/**
 * Lets clients send requests, one at a time each, for a time; returns what each got.
 * Clients that rest start one after the other. If they all started at once, they would
 * send requests in step, and one slow moment would count once for each of them.
 */
export function serveFor(
  url: string,
  clients: readonly Client[],
  ms: number,
): Promise<Served[]> {
  const until = performance.now() + ms;
  return Promise.all(clients.map(async (client, nth) => {
    await pause(client.restMs * nth / clients.length);
    return await runClient(url, client, until);
  }));
}

async function runClient(
  url: string,
  { next, body, headers, restMs }: Client,
  until: number,
): Promise<Served> {
  const served: Served = { statuses: [], times: [] };
  let connection = await connect(url);
  while (performance.now() < until) {
    const startedAt = performance.now();
    const target = `${url}${next()}`;
    const { status, head } = await connection.ask(
      body ? postRequest(target, body(), headers) : getRequest(target, headers),
    );
    served.times.push(performance.now() - startedAt);
    served.statuses.push(status);
    if (/\r\nconnection: close/i.test(head)) {
      connection[Symbol.dispose]();
      connection = await connect(url);
    }
    await pause(restMs);
  }
  connection[Symbol.dispose]();
  return served;
}

async function pause(ms: number): Promise<void> {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}
