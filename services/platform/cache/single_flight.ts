/** Runs concurrent work with the same key once. */
import { refusedClient } from "../fault.ts";

/**
 * Runs work by key. Callers that arrive while it runs get its result. If it is
 * refused because its client used up a share, the other callers run it again.
 */
export function singleFlight() {
  // At most one entry for each running request.
  const running = new Map<string, Promise<unknown>>();
  return function runOnce<T>(
    key: string,
    work: () => Promise<T>,
    client?: string,
  ): Promise<T> {
    const current = running.get(key) as Promise<T> | undefined;
    if (current) {
      return current.catch((error) => {
        const refused = refusedClient(error);
        if (refused === undefined || refused === client) throw error;
        return runOnce(key, work, client);
      });
    }
    const started = work().finally(() => running.delete(key));
    running.set(key, started);
    return started;
  };
}
