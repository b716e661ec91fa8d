/** Work that many callers want at the same time is done once. */
import { refusedNetwork } from "../fault.ts";

/**
 * Runs work by key; callers who come while it is under way get its outcome. A
 * client that has had its share is refused alone: others who came along ask for
 * themselves.
 */
export function singleFlight() {
  // As large as there are requests under way: a key goes with its work.
  const running = new Map<string, Promise<unknown>>();
  return function fly<T>(
    key: string,
    work: () => Promise<T>,
    client?: string,
  ): Promise<T> {
    const current = running.get(key) as Promise<T> | undefined;
    if (current) {
      return current.catch((error) => {
        const refused = refusedNetwork(error);
        if (refused === undefined || refused === client) throw error;
        return fly(key, work, client);
      });
    }
    const started = work().finally(() => running.delete(key));
    running.set(key, started);
    return started;
  };
}
